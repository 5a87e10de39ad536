"""Which topics there are to deliver to, and making an inbox where that is allowed."""

import logging
import time
from collections.abc import Callable
from typing import Final

from lawful.infra.kafka_admin import TIMEOUT_SECONDS, admin, create_topic
from lawful.infra.kafka_errors import mapped
from lawful.infra.settings import Settings
from lawful.schemas.errors import ConfigurationError, LawfulError

log: Final = logging.getLogger(__name__)

_FRESH_SECONDS: Final = 30.0
_AGAIN_SECONDS: Final = 1.0


class Directory:
    """Knows the cluster's topics by name. Asks Kafka at most once a second for one that is not known.

    Args:
        settings: of the installation.
        clock: monotonic seconds.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._admin = admin(settings.kafka)
        self._partitions: dict[str, int] = {}
        self._asked_at = -_FRESH_SECONDS

    def require_outbox(self) -> None:
        """Sees that the outbox is there; makes it where inboxes may be made.

        Raises:
            ConfigurationError: it is not, and may not be made.
            RetryLater: Kafka is away.
        """
        topics = self._settings.topics
        if self.has(topics.outbox):
            return
        if not self._settings.gateway.create_inboxes:
            raise ConfigurationError(f"there is no topic {topics.outbox}", hint="run: lawful topics create --gateway")
        create_topic(self._admin, topics.outbox_topic(), self._settings)

    def has(self, topic: str, partition: int | None = None) -> bool:
        """Whether a topic is there, and has this partition.

        Raises:
            LawfulError: Kafka cannot be asked.
        """
        age = self._clock() - self._asked_at
        if age > (_FRESH_SECONDS if topic in self._partitions else _AGAIN_SECONDS):
            self._ask()
        return self._partitions.get(topic, 0) > (partition or 0)

    def has_inbox(self, topic: str) -> bool:
        """Whether an inbox is there, or has just been made. False where that cannot be found out."""
        try:
            return self.has(topic) or self._make(topic)
        except LawfulError as error:
            log.warning("an inbox cannot be looked for: %s", error)
            return False

    def _make(self, topic: str) -> bool:
        rules, topics = self._settings.gateway, self._settings.topics
        inboxes = sum(name.startswith(topics.inbox_prefix) for name in self._partitions)
        if not rules.create_inboxes or inboxes >= rules.most_inboxes:
            return False
        create_topic(self._admin, topics.inbox_topic(topic), self._settings)
        log.info("made the inbox %s", topic)
        self._partitions[topic] = self._settings.partitions
        return True

    def _ask(self) -> None:
        with mapped("listing topics"):
            found = self._admin.list_topics(timeout=TIMEOUT_SECONDS).topics
        self._partitions = {name: len(topic.partitions) for name, topic in found.items() if topic.error is None}
        self._asked_at = self._clock()
