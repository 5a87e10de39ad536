"""The doctor on a real installation: all is well, and then what somebody has spoilt."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from confluent_kafka import Producer

from lawful.client.sealing import Sealer
from lawful.infra import health_kafka
from lawful.infra.audit_chain.anchor_topic import AnchorTopic
from lawful.infra.audit_chain.keys import SigningKey, new_signing_key
from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_chain.statement import signed
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.grants import officer
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.rows import Partition
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.traits import Broker
from lawful.infra.findings import Finding, State
from lawful.infra.health import examine
from lawful.infra.health_chain import anchors, chain_key
from lawful.infra.health_clickhouse import MANY_LINKS, linked, migrations, rights
from lawful.infra.health_sealing import payload_key
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import ClickHouseSettings, Settings
from lawful.infra.settings_load import load_settings
from lawful.schemas.audit import AnchorKind
from lawful.schemas.codec import encode
from lawful.schemas.event import UserMessage
from tests.streams.kit import ADA, make_event

Make = Callable[[str], ClickHouseSettings]


@pytest.fixture
def logins(clickhouse: EmbeddedClickHouse, database: str) -> Make:
    """Settings of each user."""

    def make(user: str) -> ClickHouseSettings:
        return ClickHouseSettings(
            port=clickhouse.port, user=user, password=clickhouse.password(user), database=database
        )

    return make


@pytest.fixture
def installation(broker: Broker, prefix: str, logins: Make, tmp_path: Path) -> Settings:
    """Topics and tables of its own, as they must be."""
    login = logins("owner")
    migrate(login)
    settings = load_settings(
        {
            "LAWFUL_KAFKA_BOOTSTRAP": broker.bootstrap,
            "LAWFUL_TOPIC_PREFIX": prefix,
            "LAWFUL_CLICKHOUSE_PORT": str(login.port),
            "LAWFUL_CLICKHOUSE_USER": login.user,
            "LAWFUL_CLICKHOUSE_PASSWORD": login.password,
            "LAWFUL_CLICKHOUSE_DATABASE": login.database,
            "LAWFUL_PSEUDONYM_KEY": "k" * 32,
            "LAWFUL_DEFAULT_POLICY": "shopper",
            "LAWFUL_DATA_DIR": str(tmp_path),
        }
    )
    create_topics(settings)
    return settings


def found(settings: Settings, *logins: ClickHouseSettings) -> dict[str, Finding]:
    """What the doctor says, by what it is about."""
    return {finding.what: finding for finding in examine(settings, {}, logins)}


def test_an_installation_as_it_must_be_is_fine(installation: Settings, logins: Make) -> None:
    """Nothing is wrong; topics, changelogs, migrations, rights and what waits have all been looked at."""
    told = found(installation, logins("owner"), logins("officer"))
    assert [each for each in told.values() if each.state is State.WRONG] == []
    assert {
        "topics",
        "copies",
        "workers",
        "audit writer",
        "payload key",
        "ClickHouse",
        "rights of owner",
        "data folder",
    } <= set(told)
    assert told["workers"].words == told["audit writer"].words == "nothing waits"


def test_what_waits_for_nobody_is_told(installation: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records that no worker has dealt with, by topic, with a hint if they are many."""
    monkeypatch.setattr(health_kafka, "_MANY", 2)
    producer = Producer(installation.kafka.librdkafka())
    for _ in range(3):
        producer.produce(installation.topics.events, b"x", b"k")
    assert producer.flush(20) == 0
    workers = found(installation)["workers"]
    assert workers.words == f"3 wait in {installation.topics.events}"
    assert (workers.state, "lawful worker" in workers.hint) == (State.NOTE, True)


def sealed_by(settings: Settings, secret: bytes) -> None:
    """A guard with this payload key publishes an event; without one, it goes out as it is."""
    event, producer = make_event(UserMessage("hello"), ADA), Producer(settings.kafka.librdkafka())
    value = encode(event)
    if secret:
        sealed, key = Sealer(secret, settings.pseudonymiser()).seal(event, value)
        producer.produce(settings.topics.keys, encode(key.record), key.record.key_id)
        value = encode(sealed)
    producer.produce(settings.topics.events, value)
    assert producer.flush(20) == 0


def test_guards_and_workers_with_different_payload_keys_are_told(installation: Settings) -> None:
    """What guards left in Kafka is held against this process's key: none, the same, another, or guards without one."""

    def seen(key: bytes) -> tuple[State, str]:
        told = payload_key(replace(installation, payload_key=key))
        assert told.state is State.FINE or "LAWFUL_PAYLOAD_KEY_FILE" in told.hint
        return told.state, told.words

    ours, theirs = b"o" * 32, b"t" * 32
    assert seen(b"") == (State.FINE, "none: what agents publish can be read in Kafka until its time is over")
    assert seen(ours) == (State.FINE, "set; no guard has sealed yet")
    sealed_by(installation, ours)
    assert seen(ours) == (State.FINE, "opens all of the newest 1 keys of people")
    assert seen(b"")[0] is State.WRONG
    sealed_by(installation, b"")
    assert seen(ours) == (State.NOTE, "1 of the newest 2 events are not sealed: some guard has no payload key")
    sealed_by(installation, theirs)
    assert seen(ours)[1].startswith("does not open 1 of the newest 2 keys of people; the last came 20")
    assert (seen(ours)[0], found(replace(installation, payload_key=b"short"))["payload key"].state) == (
        State.WRONG,
    ) * 2


def test_a_migration_that_is_missing_is_told_with_the_command(installation: Settings, logins: Make) -> None:
    """The database knows one migration less than this version has."""
    login = logins("owner")
    client = connect(login)
    client.command("ALTER TABLE schema_migrations DELETE WHERE version = 2 SETTINGS mutations_sync = 1")
    client.close()
    told = found(installation)["ClickHouse"]
    assert (told.state, told.hint) == (State.WRONG, "lawful migrate")
    assert "0002" in told.words


def test_the_audits_proof_is_looked_at(installation: Settings, logins: Make) -> None:
    """A key that guards have, too, is worth a note; rows that no anchor covers for minutes are wrong."""
    assert chain_key(installation).state is State.NOTE
    assert chain_key(replace(installation, pseudonym_key=b"")).state is State.WRONG
    own = replace(installation, audit=replace(installation.audit, chain_key=b"k" * 32))
    assert chain_key(own).state is State.FINE
    assert [each.state for each in anchors(installation)] == [State.NOTE]
    client = connect(logins("owner"))
    an_hour_ago = datetime.now(UTC) - timedelta(hours=1)
    columns = ["log_topic", "log_partition", "log_offset", "logged_at", "chain_no", "event_id"]
    client.insert("audit", [[installation.topics.audit, 1, 7, an_hour_ago, 8, "e"]], column_names=columns)
    client.close()
    pem = new_signing_key()
    key = SigningKey.parse(pem)
    signing = replace(installation, audit=replace(installation.audit, signing_key=pem))
    (late,) = anchors(signing)
    assert (late.state, late.words) == (State.WRONG, "rows that no anchor covers in partitions 1")
    head = Head(offset=7, number=8, row_hash="h")
    publisher = AnchorTopic(installation.kafka, installation.topics.anchors)
    publisher.publish([signed(AnchorKind.HEAD, Partition(installation.topics.audit, 1), head, at=1, key=key)])
    publisher.close()
    assert [each.state for each in anchors(signing)] == [State.FINE]


def test_people_with_very_many_identifiers_are_told(installation: Settings, logins: Make) -> None:
    """By how often a pseudonym was linked, not by whose it is; events of other kinds count for nothing."""
    columns = ["log_topic", "log_partition", "log_offset", "tenant_id", "event_id", "kind", "outcome", "subjects"]

    def happened(outcome: str, whose: str, times: int) -> None:
        rows = [["t", 0, next(number), "acme", f"e{whose}", "verdict", outcome, [whose]] for _ in range(times)]
        client = connect(logins("owner"))
        client.insert("audit", rows, column_names=columns)
        client.close()

    number = count()
    happened("linked", "a" * 64, MANY_LINKS)
    happened("recorded", "b" * 64, MANY_LINKS + 8)
    assert linked(installation.clickhouse).state is State.FINE
    happened("linked", "a" * 64, 8)
    told = found(installation)["linked identifiers"]
    assert (told.state, "32 times: 1; one of them 40 times" in told.words, "aaaa" in told.words) == (
        State.NOTE,
        True,
        False,
    )


def test_users_who_may_too_much_or_too_little_are_told() -> None:
    """A writer who could drop rows is found out; an officer with the least is not, and is sent to the owner."""
    greedy = ("INSERT ON *.*", "TRUNCATE ON *.*", "ALTER DELETE ON *.*")
    with EmbeddedClickHouse(grants={"officer": officer("default"), "writer": greedy}) as engine:

        def login(user: str) -> ClickHouseSettings:
            return ClickHouseSettings(port=engine.port, user=user, password=engine.password(user), database="default")

        migrate(login("owner"))
        told = [rights(login(user)) for user in ("owner", "officer", "writer")]
        unseen = migrations(login("officer"))
    assert [each.state for each in told] == [State.FINE, State.FINE, State.WRONG]
    assert [each.words for each in told[1:]] == ["what it needs, and no more", "may also ALTER DELETE, TRUNCATE"]
    assert (unseen.state, "as the owner" in unseen.hint) == (State.NOTE, True)
