"""Which topics of others can be written to."""

import asyncio
import logging
import time
from typing import Any

log = logging.getLogger(__name__)

_ANSWERS = 2
_ASK_PAUSE = 0.2
_ASK_AGAIN = 10.0


class KnownTopics:
    """Which reply topics can be written to, without making a stage wait for one that is not there.

    Only the broker's word that there is no such topic or partition counts. While it gives none the
    stage waits, as it would for any other record: a slow broker must not cost anybody a reply.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self._missing: dict[tuple[str, int | None], float] = {}

    async def writable(self, topic: str, partition: int | None) -> bool:
        """Whether topic and partition exist; asks the broker again now and then where they did not."""
        client = self._app.producer._producer.client  # noqa: SLF001 - Faust offers no metadata
        if _has(client, topic, partition):
            return True
        now = time.monotonic()
        self._missing = {place: until for place, until in self._missing.items() if until > now}
        if (topic, partition) in self._missing:
            return False
        if await self._ask(client, topic, partition):
            return True
        self._missing[topic, partition] = now + _ASK_AGAIN
        log.warning("replies are awaited on partition %s of topic %s, which does not exist", partition, topic)
        return False

    async def _ask(self, client: Any, topic: str, partition: int | None) -> bool:
        known = topic in client._topics  # noqa: SLF001
        client.add_topic(topic)
        heard = 0
        while heard < _ANSWERS:  # a topic that is being made may be missing from the first answer
            heard += bool(await client.force_metadata_update())
            if _has(client, topic, partition):
                return True
            await asyncio.sleep(_ASK_PAUSE)
        if not known:
            client._topics.discard(topic)  # noqa: SLF001 - else every refresh asks for it again
        return False


def _has(client: Any, topic: str, partition: int | None) -> bool:
    partitions = client.cluster.partitions_for_topic(topic)
    return bool(partitions) and (partition is None or partition in partitions)
