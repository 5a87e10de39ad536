"""Workers of two releases side by side, while a fleet is upgraded."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lawful.client.kafka import KafkaTransport
from lawful.schemas import catalogue
from lawful.schemas.audit import AuditRecord, DeadLetter
from lawful.schemas.codec import Codec
from lawful.schemas.event import AgentEvent, ConsentGiven, Identifier, ToolCall, UserMessage
from lawful.schemas.verdict import Decision
from tests.acceptance.house import House
from tests.acceptance.older_main import FIRST
from tests.engines import eventually

OLDER, SMALL = "tests.acceptance.older_main", "tests.acceptance.small_main"
RELEASED = Path(catalogue.__file__).parent / "avsc" / "released"
CHANGED = sorted(record for record in catalogue.RECORDS.values() if len(catalogue.released(record)) > FIRST)
AS_BEFORE = {record: FIRST for record in CHANGED if record != "Verdict"}  # by verdicts it shows who gave them
SETTING = ",".join(f"{record}={version}" for record, version in AS_BEFORE.items())


def start(house: House, older: dict[str, str], newer: dict[str, str]) -> None:
    """A worker of each release; returns once each has partitions."""
    with ThreadPoolExecutor(2) as pool:
        done = [
            pool.submit(house.spawn, "worker-1", module=OLDER, **older),
            pool.submit(house.spawn, "worker-2", module=SMALL, **newer),
        ]
    for each in done:
        each.result()


def life(house: House, number: int) -> list[AgentEvent]:
    """What somebody does: agrees, is written to, and speaks of somebody else."""
    who, other = (Identifier("email", f"{name}{number}@example.com") for name in ("ada", "bob"))
    return [
        house.event(ConsentGiven(("marketing",)), who),
        house.event(ToolCall("send_mail", "call", f'{{"body": "hello {who.value}"}}'), who),
        house.event(UserMessage(f"hello {who.value} and {other.value}"), who, other),
        house.event(ToolCall("find_order", "call", "{}"), other),
    ]


def check(house: House, codec: Codec) -> None:
    """Until both workers have given verdicts: every event gets its own and one audit record, and no dead letter."""
    kafka, people = house.settings.kafka.librdkafka(), house.settings.pseudonymiser()
    guard = KafkaTransport(kafka, people, topics=house.topics, codec=codec)
    numbers, ids = itertools.count(), list[str]()

    def both_at_work() -> bool:
        events = [event for _ in range(4) for event in life(house, next(numbers))]
        verdicts = [each.result(timeout=60) for each in [guard.submit(event) for event in events]]
        assert {verdict.decision for verdict in verdicts} == {Decision.FORWARD}
        ids.extend(verdict.event_id for verdict in verdicts)
        return releases(house, house.topics.verdicts, "Verdict") == {FIRST, len(catalogue.released("Verdict"))}

    try:
        eventually(both_at_work, seconds=60)
    finally:
        guard.close()
    assert house.read(house.topics.dead_letters, DeadLetter) == []
    assert sorted(record.view.event_id for record in house.read(house.topics.audit, AuditRecord)) == sorted(ids)


def releases(house: House, topic: str, record: str) -> set[int]:
    """Which releases' schemas a topic's records were written with."""
    versions = {schema.fingerprint: schema.version or 0 for schema in catalogue.released(record)}
    return {versions[(message.value() or b"")[2:10]] for message in house.records(topic)}


def test_newer_workers_write_as_older_ones_until_all_are_upgraded(bare: House) -> None:
    """A29: beside a worker of the first release, a newer one writes what that one reads: nothing is lost or refused."""
    start(bare, {}, {"write_as": SETTING})
    check(bare, Codec(write_as=AS_BEFORE))
    assert releases(bare, bare.topics.annotated, "AnnotatedView") == {FIRST}


def test_older_workers_that_were_given_the_newer_schemas_read_them(bare: House) -> None:
    """A29: an older worker takes new optional fields and enum symbols for what it knows, and goes on."""
    start(bare, {"also_read": str(RELEASED)}, {})
    check(bare, Codec())
    assert releases(bare, bare.topics.events, "AgentEvent") == {len(catalogue.released("AgentEvent"))}
