"""What a worker asks of Kafka before it starts: how many partitions topics have, and how they are kept."""

from collections.abc import Mapping

from confluent_kafka.admin import AdminClient

from lawful.infra.kafka_admin import TIMEOUT_SECONDS, admin
from lawful.infra.kafka_api import ConfigResource, ResourceType
from lawful.infra.kafka_errors import mapped
from lawful.infra.settings import KafkaSettings


class KafkaCluster:
    """Answers the start-up checks of a worker (`lawful.streams.checks.Cluster`).

    Args:
        settings: how to reach Kafka; it is reached at the first question.
    """

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._client: AdminClient | None = None
        self._partitions: dict[str, int] = {}

    def partitions(self, topic: str) -> int | None:
        """The number of a topic's partitions; `None` if it does not exist.

        Raises:
            RetryLater: Kafka is away.
        """
        if not self._partitions:
            with mapped("listing topics"):
                found = self._admin().list_topics(timeout=TIMEOUT_SECONDS).topics
            self._partitions = {name: len(each.partitions) for name, each in found.items() if each.error is None}
        return self._partitions.get(topic)

    def config(self, topic: str) -> Mapping[str, str] | None:
        """A topic's settings; `None` if it does not exist.

        Raises:
            RetryLater: Kafka is away.
        """
        if self.partitions(topic) is None:
            return None
        asked = ConfigResource(ResourceType.TOPIC, topic)
        with mapped(f"reading the settings of {topic}"):
            answer = self._admin().describe_configs([asked], request_timeout=TIMEOUT_SECONDS)[asked].result()
        return {name: str(entry.value) for name, entry in answer.items()}

    def _admin(self) -> AdminClient:
        if self._client is None:
            self._client = admin(self._settings)
        return self._client
