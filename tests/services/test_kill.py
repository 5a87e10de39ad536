"""A worker killed with -9 in mid-stream, again and again, loses nothing and answers nothing twice."""

import contextlib
import itertools
import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import Settings
from lawful.schemas.audit import AuditRecord
from lawful.schemas.codec import decode
from lawful.schemas.event import (
    AgentEvent,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    Payload,
    RequestKind,
    ToolCall,
    UserMessage,
)
from lawful.schemas.history import History
from lawful.schemas.state import LinkRow, Pending
from lawful.schemas.verdict import Partial, Verdict
from lawful.schemas.view import SourcePosition, View
from lawful.streams.linking import SubjectRow
from lawful.streams.replay import Annotated, Replayed, Shared, replay_partials, replay_views
from lawful.streams.steps import HISTORY, LINK, PENDING
from lawful.streams.store import RocksStore
from tests.engines import eventually
from tests.services.workers import Bus, Worker, by_key, value_of, worker_processes  # noqa: F401 - a fixture
from tests.streams.kit import KERNEL, make_event

KILLS = int(os.environ.get("LAWFUL_TEST_KILLS", "7"))  # `make chaos` makes it twenty
BURST = 40
PEOPLE = 12
NOWHERE = SourcePosition("", 0, 0)


def life(seed: int) -> list[AgentEvent]:
    """Some everyday events of a few people, some of them about two, some linked, some erased."""
    draw = random.Random(seed)
    numbers = itertools.count(seed * 100_000)

    def anyone() -> Identifier:
        return Identifier("email", f"person{draw.randrange(PEOPLE)}@example.com")

    def payload() -> Payload:
        kind = draw.random()
        if kind < 0.15:
            return ConsentGiven(("marketing",), re_enrols=draw.random() < 0.3)
        if kind < 0.25:
            return ConsentWithdrawn(("marketing",))
        if kind < 0.29:
            return DataSubjectRequest(RequestKind.ERASURE, f"r{seed}")
        if kind < 0.32:
            return IdentityLinked((anyone(),))
        if kind < 0.7:
            return ToolCall("send_mail", "call", f'{{"body": "to {anyone().value}"}}')
        return UserMessage(f"hello {anyone().value}, call +4912345678")

    events = []
    for _ in range(BURST):
        who = (anyone(), anyone()) if draw.random() < 0.2 else (anyone(),)
        events.append(make_event(payload(), *dict.fromkeys(who), number=next(numbers)))
        if draw.random() < 0.05:  # a producer's retry
            events.append(draw.choice(events))
    return events


@pytest.fixture
def small(settings: Settings) -> Settings:
    """An installation with two partitions."""
    two = replace(settings, partitions=2)
    create_topics(two)
    return two


@pytest.fixture
def bus(small: Settings) -> Iterator[Bus]:
    """The installation's topics."""
    with contextlib.closing(Bus(small)) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_kills_in_mid_stream(small: Settings, bus: Bus, tmp_path: Path, workers: Callable[..., Worker]) -> None:
    """After all the kills every event has one verdict and one audit record, and tables equal a replay."""
    published: set[str] = set()
    patient = {"combine_timeout_ms": 600_000}
    spare = workers(small, tmp_path / "data", more=patient)
    for seed in range(KILLS):
        worker, spare = spare.go(), workers(small, tmp_path / "data", more=patient)
        events = life(seed)
        for event in events:
            bus.publish(event)
        bus.flush()
        published |= {event.event_id for event in events}
        some_way(bus, random.Random(seed).randrange(1, BURST))
        worker.kill()
    spare.go()
    everything(bus, published)
    code, said = spare.stop()
    assert code == 0, said
    check_answers(bus)
    check_tables(bus, small, tmp_path / "data")


def some_way(bus: Bus, more: int) -> None:
    """Waits until about so many more verdicts are there."""
    before = bus.count(bus.topics.verdicts)
    eventually(lambda: bus.count(bus.topics.verdicts) >= before + more, pause=0.001)


def everything(bus: Bus, published: set[str]) -> None:
    """Waits until all events are answered; says how far they have come if they are not."""

    def answered() -> bool:
        if bus.count(bus.topics.verdicts) < len(published):
            return False
        return {verdict.event_id for verdict in bus.values(bus.topics.verdicts, Verdict)} >= published

    try:
        eventually(answered, seconds=90, pause=0.1)
    except AssertionError as late:
        raise AssertionError(f"{late}\n{standing(bus, published)}") from None


def standing(bus: Bus, published: set[str]) -> str:
    """How far the events have come that have no verdict."""
    missing = published - {verdict.event_id for verdict in bus.values(bus.topics.verdicts, Verdict)}
    annotated = missing & {view.event_id for view in bus.values(bus.topics.annotated, View)}
    judged = {partial.verdict.event_id for partial in bus.values(bus.topics.partials, Partial)} & missing
    return (
        f"{len(missing)} of {len(published)} events have no verdict; of these {len(annotated)} are annotated, and "
        f"{len(judged)} wait for other subjects' partials: {sorted(judged)}"
    )


def check_answers(bus: Bus) -> None:
    """One effective verdict and one distinct audit record per event, as a replay gives them."""
    verdicts: dict[str, set[bytes]] = defaultdict(set)
    for message in bus.messages(bus.topics.verdicts):
        verdicts[decode(value_of(message), Verdict).event_id].add(value_of(message))
    audit: dict[str, set[AuditRecord]] = defaultdict(set)
    for record in bus.values(bus.topics.audit, AuditRecord):
        # A producer's retry stands somewhere else; all else is the same.
        audit[record.view.event_id].add(replace(record, view=replace(record.view, position=NOWHERE)))
    assert {event_id for event_id, different in verdicts.items() if len(different) > 1} == set()
    assert {event_id for event_id, different in audit.items() if len(different) > 1} == set()
    assert verdicts.keys() == audit.keys()
    replayed = {**views(bus).verdicts, **partials(bus).verdicts}
    assert replayed == {event_id: decode(next(iter(raw)), Verdict) for event_id, raw in verdicts.items()}


def check_tables(bus: Bus, settings: Settings, data_dir: Path) -> None:
    """The changelogs and the stores on disk hold what a replay of the log gives."""
    subjects, shares = check_changelogs(bus)
    assert subject_rows(on_disk(data_dir, "history", settings.partitions)) == subjects
    assert pending_rows(on_disk(data_dir, "pending", settings.partitions)) == shares


def check_changelogs(bus: Bus) -> tuple[dict[str, SubjectRow], dict[str, Pending]]:
    """The changelogs hold what a replay of the log gives; gives that."""
    subjects, shares = views(bus).rows, partials(bus).pending
    assert subject_rows(dict(by_key(bus.messages(bus.topics.changelog("history"))))) == subjects
    assert pending_rows(dict(by_key(bus.messages(bus.topics.changelog("pending"))))) == shares
    return subjects, shares


def views(bus: Bus) -> Replayed:
    """A replay of the judge stage's log."""
    log = [
        Annotated(decode(value_of(each), View), each.partition() or 0, each.offset() or 0)
        for each in bus.messages(bus.topics.annotated)
    ]
    return replay_views(log, bus.topics.annotated, KERNEL.policies)


def partials(bus: Bus) -> Replayed:
    """A replay of the combine stage's log."""
    log = [
        Shared(decode(value_of(each), Partial), each.offset() or 0, each.timestamp()[1] * 1_000)
        for each in bus.messages(bus.topics.partials)
    ]
    return replay_partials(log)


def subject_rows(raw: dict[bytes, bytes | None]) -> dict[str, SubjectRow]:
    """Histories and links of a table, by pseudonym."""
    rows: dict[str, SubjectRow] = defaultdict(SubjectRow)
    for key, value in raw.items():
        name = key[1:].decode("ascii", "replace")
        if value is not None and key.startswith(HISTORY):
            rows[name] = replace(rows[name], history=decode(value, History))
        elif value is not None and key.startswith(LINK):
            rows[name] = replace(rows[name], link=decode(value, LinkRow))
    return rows


def pending_rows(raw: dict[bytes, bytes | None]) -> dict[str, Pending]:
    """Shares of a table, by event id."""
    return {
        key[1:].decode(): decode(value, Pending)
        for key, value in raw.items()
        if value is not None and key.startswith(PENDING)
    }


def on_disk(data_dir: Path, table: str, partitions: int) -> dict[bytes, bytes | None]:
    """All rows of a stopped worker's table."""
    rows: dict[bytes, bytes | None] = {}
    for partition in range(partitions):
        store = RocksStore(data_dir / "tables" / "worker-0" / f"{table}-{partition}")
        rows.update(store.items())
        store.close()
    return rows
