"""Creates the topics and checks that Kafka keeps them the way the pipeline relies on.

What is wrong with a topic that is already there is reported, with what to do, and never changed
here: a topic may hold years of somebody's data. `create_topics` is safe to run again, and by
several processes at once.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from confluent_kafka import KafkaException

from lawful.infra.kafka_api import AdminClient, ConfigResource, NewTopic, ResourceType, TopicMetadata
from lawful.infra.kafka_errors import exists_already, mapped
from lawful.infra.settings import KafkaSettings, Settings
from lawful.schemas.errors import ConfigurationError, RetryLater
from lawful.schemas.topics import Partitions, Topic

TIMEOUT_SECONDS = 15.0
VISIBLE_SECONDS = 10.0
POLL_SECONDS = 0.05

# Where a different value breaks a promise, and why. What else differs is worth a remark only.
PROMISES: Mapping[str, str] = {
    "cleanup.policy": "a changelog that deletes forgets consents; a stream that compacts loses events",
    "message.timestamp.type": "decisions would take their time from clocks that agents set",
}
AT_LEAST = ("max.message.bytes", "retention.ms")
FOREVER = "-1"  # of retention.ms


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a topic that is not as it should be.

    Attributes:
        topic: its name.
        what: what is wrong, and why that matters.
        hint: what to do about it.
        fatal: whether the pipeline must not run like this.
    """

    topic: str
    what: str
    hint: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{self.topic}: {self.what} ({self.hint})"


@dataclass(frozen=True, slots=True)
class TopicReport:
    """The state of all topics after a look at them."""

    topics: tuple[str, ...]
    created: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether the pipeline may run on these topics."""
        return not any(problem.fatal for problem in self.problems)

    def require(self) -> None:
        """Refuses topics that break a promise.

        Raises:
            ConfigurationError: naming every such topic and what to do.
        """
        fatal = [str(problem) for problem in self.problems if problem.fatal]
        if fatal:
            raise ConfigurationError("the topics are not as they must be:\n  " + "\n  ".join(fatal))


def admin(settings: KafkaSettings) -> AdminClient:
    """An admin client. It connects when first used; its errors come as exceptions, not as log lines."""
    return AdminClient({**settings.librdkafka(), "log_level": 0})


def create_topics(settings: Settings, more: Sequence[Topic] = ()) -> TopicReport:
    """Creates the topics that are missing, and verifies all.

    Args:
        settings: of the installation.
        more: further topics to create and verify: a gateway's.

    Raises:
        ConfigurationError: a topic is not as it must be, or Kafka refuses to create one.
        RetryLater: Kafka is away.
    """
    client = admin(settings.kafka)
    there = _existing(client)
    missing = [topic for topic in (*settings.topics.all(), *more) if topic.name not in there]
    created = tuple(topic.name for topic in missing if create_topic(client, topic, settings))
    _await_visible(client, missing)
    report = _inspect(client, settings, created, more)
    report.require()
    return report


def inspect_topics(settings: Settings, more: Sequence[Topic] = ()) -> TopicReport:
    """Looks at the topics and changes nothing.

    Raises:
        ConfigurationError: Kafka refuses us.
        RetryLater: Kafka is away.
    """
    return _inspect(admin(settings.kafka), settings, (), more)


def create_topic(client: AdminClient, topic: Topic, settings: Settings) -> bool:
    """Creates one topic; False if it was there already.

    Raises:
        ConfigurationError: Kafka refuses to.
        RetryLater: Kafka is away.
    """
    wanted = NewTopic(topic.name, settings.partitions, settings.replication, config=dict(topic.config))
    with mapped(f"creating topic {topic.name}"):
        outcome = client.create_topics([wanted], request_timeout=TIMEOUT_SECONDS)[topic.name]
        try:
            outcome.result()
        except KafkaException as error:
            if not exists_already(error):
                raise
            return False
    return True


def _existing(client: AdminClient) -> Mapping[str, TopicMetadata]:
    with mapped("listing topics"):
        found = client.list_topics(timeout=TIMEOUT_SECONDS).topics
    return {name: topic for name, topic in found.items() if topic.error is None}


def _await_visible(client: AdminClient, topics: Iterable[Topic]) -> None:
    names = {topic.name for topic in topics}
    deadline = time.monotonic() + VISIBLE_SECONDS
    while not names <= _existing(client).keys():
        if time.monotonic() > deadline:
            raise RetryLater(f"created topics do not show up within {VISIBLE_SECONDS:g} s")
        time.sleep(POLL_SECONDS)


def _inspect(
    client: AdminClient, settings: Settings, created: tuple[str, ...], more: Sequence[Topic] = ()
) -> TopicReport:
    wanted = (*settings.topics.all(), *more)
    there = _existing(client)
    present = [topic for topic in wanted if topic.name in there]
    problems = [_missing(topic) for topic in wanted if topic.name not in there]
    configs = _configs(client, [topic.name for topic in present])
    for topic in present:
        problems += _partition_problems(topic, len(there[topic.name].partitions), settings.partitions)
        problems += _config_problems(topic, configs[topic.name])
    return TopicReport(tuple(topic.name for topic in wanted), created, tuple(problems))


def _missing(topic: Topic) -> Problem:
    return Problem(topic.name, "it does not exist", "run: lawful topics create")


def _configs(client: AdminClient, names: list[str]) -> Mapping[str, Mapping[str, str]]:
    if not names:
        return {}
    asked = [ConfigResource(ResourceType.TOPIC, name) for name in names]
    with mapped("reading topic settings"):
        answers = client.describe_configs(asked, request_timeout=TIMEOUT_SECONDS)
        return {
            resource.name: {name: str(entry.value) for name, entry in answer.result().items()}
            for resource, answer in answers.items()
        }


def _partition_problems(topic: Topic, found: int, wanted: int) -> list[Problem]:
    if topic.partitions is Partitions.FREE or found == wanted:
        return []
    what = f"it has {found} partitions and not {wanted}; sources and changelogs must all have the same number"
    hint = f"set partitions to {found} if all have as many, else use another topic_prefix and carry the log over"
    return [Problem(topic.name, what, hint)]


def _config_problems(topic: Topic, found: Mapping[str, str]) -> list[Problem]:
    problems = [_differing(topic, name, found.get(name, "unknown")) for name in topic.config]
    return [problem for problem in problems if problem]


def _differing(topic: Topic, name: str, found: str) -> Problem | None:
    wanted = topic.config[name]
    longer_is_worse = name == "retention.ms" and topic.payloads
    if _same(found, wanted) or (name in AT_LEAST and _enough(found, wanted) and not longer_is_worse):
        return None
    fatal = name in PROMISES or name == "max.message.bytes"
    why = PROMISES.get(name, "larger records would be refused" if fatal else "that may be on purpose")
    why = "payloads go later, or sooner, than they are said to" if longer_is_worse else why
    command = f"kafka-configs.sh --alter --entity-type topics --entity-name {topic.name} --add-config {name}={wanted}"
    return Problem(topic.name, f"{name} is {found} and not {wanted}: {why}", command, fatal=fatal)


def _same(found: str, wanted: str) -> bool:
    """Whether two values are one; lists have no order."""
    return sorted(found.replace(" ", "").split(",")) == sorted(wanted.split(","))


def _enough(found: str, wanted: str) -> bool:
    return found == FOREVER or (found.isdecimal() and int(found) >= int(wanted))
