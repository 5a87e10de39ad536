"""Topics are created once, checked every time, and never changed behind anybody's back."""

from dataclasses import replace

import pytest

from lawful.infra.engines.ports import LOOPBACK, free_port
from lawful.infra.kafka_admin import Problem, admin, create_topic, create_topics, inspect_topics
from lawful.infra.kafka_api import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewTopic,
    ResourceType,
)
from lawful.infra.kafka_errors import mapped
from lawful.infra.settings import KafkaSettings, Settings
from lawful.schemas.errors import ConfigurationError, RetryLater
from tests.engines import on_every_broker

pytestmark = pytest.mark.service


@pytest.fixture
def client(settings: Settings) -> AdminClient:
    """An admin client of the shared broker."""
    return admin(settings.kafka)


def set_config(client: AdminClient, topic: str, name: str, value: str) -> None:
    """Changes one setting of a topic, as an operator might."""
    change = ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET)
    (outcome,) = client.incremental_alter_configs(
        [ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[change])]
    ).values()
    outcome.result()


def problems(settings: Settings) -> list[Problem]:
    """What a look at the topics finds."""
    return list(inspect_topics(settings).problems)


@on_every_broker
def test_topics_are_created_once_and_found_good_ever_after(settings: Settings, client: AdminClient) -> None:
    """The first run creates all topics as wanted; the second creates none and finds nothing wrong."""
    wanted = tuple(topic.name for topic in settings.topics.all())
    first, second = create_topics(settings), create_topics(settings)
    assert (first.created, second.created) == (wanted, ())
    assert second.ok
    assert second.problems == ()
    there = client.list_topics(timeout=10).topics
    assert {len(there[name].partitions) for name in wanted} == {settings.partitions}


def test_what_is_missing_is_told_and_nothing_is_made_by_looking(settings: Settings, client: AdminClient) -> None:
    """A look reports every missing topic with the command that makes it, and makes none."""
    found = inspect_topics(settings)
    assert not found.ok
    assert [problem.topic for problem in found.problems] == list(found.topics)
    assert all("lawful topics create" in problem.hint for problem in found.problems)
    assert not set(found.topics) & set(client.list_topics(timeout=10).topics)


def test_only_what_is_missing_is_created(settings: Settings, client: AdminClient) -> None:
    """Topics that are there stay; the others come."""
    events = settings.topics.all()[0]
    assert create_topic(client, events, settings)
    assert not create_topic(client, events, settings)
    assert create_topics(settings).created == tuple(topic.name for topic in settings.topics.all()[1:])


def test_a_wrong_number_of_partitions_is_refused_with_both_numbers(settings: Settings) -> None:
    """Sources and changelogs must have the number that is set, and the message says what to do."""
    create_topics(settings)
    with pytest.raises(ConfigurationError, match="it has 4 partitions and not 3") as refused:
        create_topics(replace(settings, partitions=3))
    message = str(refused.value)
    assert settings.topics.changelog("history") in message
    assert "set partitions to 4" in message
    assert settings.topics.verdicts not in message  # its number is free


@pytest.mark.parametrize(
    ("topic", "name", "value"),
    [
        ("history", "cleanup.policy", "compact,delete"),
        ("history", "cleanup.policy", "delete"),
        ("events", "cleanup.policy", "compact"),
        ("events", "message.timestamp.type", "CreateTime"),
        ("events", "max.message.bytes", "1000"),
    ],
)
def test_a_setting_that_breaks_a_promise_is_refused(
    settings: Settings, client: AdminClient, topic: str, name: str, value: str
) -> None:
    """A changelog that deletes, a stream that compacts, clocks of agents, too small records: none may run."""
    create_topics(settings)
    full = settings.topics.events if topic == "events" else settings.topics.changelog(topic)
    set_config(client, full, name, value)
    (problem,) = problems(settings)
    assert (problem.topic, problem.fatal) == (full, True)
    assert f"{name} is {value}" in problem.what
    assert f"--add-config {name}=" in problem.hint
    with pytest.raises(ConfigurationError, match=f"{name} is {value}"):
        create_topics(settings)


@pytest.mark.parametrize(("value", "remarks"), [("1000", 1), ("-1", 0), ("9999999999999", 0)])
def test_a_shorter_retention_is_a_remark_and_a_longer_one_is_fine(
    settings: Settings, client: AdminClient, value: str, remarks: int
) -> None:
    """How long to keep is the operator's choice; keeping less than we would is worth a word."""
    create_topics(settings)
    set_config(client, settings.topics.verdicts, "retention.ms", value)
    found = inspect_topics(settings)
    assert found.ok
    assert len(found.problems) == remarks


def test_payloads_that_are_kept_for_longer_than_is_said_are_a_remark(settings: Settings, client: AdminClient) -> None:
    """Whoever asks how long we keep what agents published is to get the right answer."""
    create_topics(settings)
    set_config(client, settings.topics.events, "retention.ms", "-1")
    (problem,) = inspect_topics(settings).problems
    assert (problem.topic, problem.fatal) == (settings.topics.events, False)
    assert "payloads go later" in problem.what


def test_a_foreign_topic_of_the_same_name_is_not_touched(settings: Settings, client: AdminClient) -> None:
    """A topic that somebody made by hand is reported, not mended."""
    events = settings.topics.events
    client.create_topics([NewTopic(events, settings.partitions, 1)])[events].result()
    with pytest.raises(ConfigurationError, match=r"message\.timestamp\.type is CreateTime"):
        create_topics(settings)


def test_no_broker_is_a_reason_to_try_later() -> None:
    """Nobody at the address: the same call may succeed later, and the message names what was tried."""
    away = Settings(kafka=KafkaSettings(bootstrap=f"{LOOPBACK}:{free_port()}"))
    client = admin(away.kafka)
    with pytest.raises(RetryLater, match="listing topics"), mapped("listing topics"):
        client.list_topics(timeout=0.5)


@on_every_broker
def test_what_kafka_refuses_is_the_operator_s_to_mend(settings: Settings, client: AdminClient) -> None:
    """A copy on each of ten brokers cannot be had from one, and the message says what to set."""
    impossible = replace(settings, replication=10)
    with pytest.raises(ConfigurationError, match="set replication to at most the number of brokers"):
        create_topic(client, impossible.topics.all()[0], impossible)
