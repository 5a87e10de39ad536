"""A worker with auditors: from its settings to rows that prove who was drawn."""

import contextlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka import Message

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.rows import LogPlace, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import ClickHouseSettings, Settings
from lawful.infra.settings_load import variable
from lawful.policies.auditing import commitment
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.codec import decode_either
from lawful.schemas.event import AgentEvent, AgentMessage, Recipient, RecipientKind
from lawful.schemas.verdict import Partial, Verdict, Vote
from tests.engines import eventually
from tests.infra.chains import write
from tests.services.test_kill import everything, some_way
from tests.services.workers import Bus, Worker, value_of, worker_processes  # noqa: F401 - a fixture
from tests.streams.kit import ADA, make_event

Make = Callable[..., Worker]
KEY = "5e" * 32
POOL = "python,rego,mfotl,whim=tests.services.audited_main:whim"
TERMS = "2 of mfotl,python,rego,whim"
ROUND = 12
SETTINGS = {"pool": POOL, "sentries": "2", "key": KEY, "share": "0.1", "round": str(ROUND), "timeout_ms": "20000"}


@pytest.fixture
def bus(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bus]:
    """An installation with two partitions, whose workers have auditors."""
    for name, value in SETTINGS.items():
        monkeypatch.setenv(variable(f"auditors.{name}"), value)
    two = replace(settings, partitions=2)
    create_topics(two)
    with contextlib.closing(Bus(two)) as opened:
        yield opened


@pytest.fixture
def store(clickhouse: EmbeddedClickHouse, database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClickHouseStore]:
    """The audit in ClickHouse, which commands find by their environment."""
    port, password = clickhouse.port or 0, clickhouse.password()
    own = ClickHouseSettings(host=clickhouse.host, port=port, user="owner", password=password, database=database)
    named = {"host": own.host, "port": str(port), "user": own.user, "password": password, "database": database}
    for name, value in named.items():
        monkeypatch.setenv(variable(f"clickhouse.{name}"), value)
    migrate(own)
    with contextlib.closing(ClickHouseStore(own)) as opened:
        yield opened


@pytest.mark.timeout(120)
def test_votes_of_a_worker_survive_a_crash_and_can_be_proved(
    bus: Bus, store: ClickHouseStore, tmp_path: Path, workers: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    """Critical agents' events have votes; the first ones stand; the key proves the draws, and a forged one shows."""
    first = workers(bus.settings, tmp_path / "data", module="tests.services.audited_main")
    second = workers(bus.settings, tmp_path / "data", module="tests.services.audited_main")
    hub = [talk("hub", f"leaf-{number}", number) for number in range(ROUND)]
    first.go().await_ready()
    publish(bus, hub)
    everything(bus, ids(hub))
    light = settled(bus)
    more = [talk(f"leaf-{number % ROUND}", "hub", number) for number in range(200, 260)]
    publish(bus, more)
    some_way(bus, 10)
    first.kill()
    second.go()
    later = [talk("hub", f"leaf-{number % ROUND}", number) for number in range(300, 300 + 2 * ROUND)]
    publish(bus, later)  # the first worker may have been done with all of the earlier ones
    everything(bus, ids([*more, *later]))
    twice = [hub[0], hub[1], more[0]]
    publish(bus, [*twice, light])  # as a producer does that was not told that they are there
    eventually(lambda: voted_again(bus) >= ids(twice))
    code, said = second.stop()
    assert code == 0, said
    check_votes(bus, heavy=ids([*hub, *more, *later]), light={light.event_id})
    check_proof(bus, store, tmp_path, capsys)


def talk(one: str, other: str, number: int) -> AgentEvent:
    """A message of one agent to another."""
    return make_event(
        AgentMessage("hello"), ADA, number=number, agent_id=one, recipient=Recipient(RecipientKind.AGENT, other)
    )


def publish(bus: Bus, events: list[AgentEvent]) -> None:
    """Publishes them all."""
    for event in events:
        bus.publish(event)
    bus.flush()


def ids(events: list[AgentEvent]) -> set[str]:
    """Their ids."""
    return {event.event_id for event in events}


def settled(bus: Bus) -> AgentEvent:
    """Waits until a round is over: the first event of agents that are not critical."""
    numbers = iter(range(100, 200))
    found: list[AgentEvent] = []

    def light() -> bool:
        event = talk("leaf-1", "leaf-2", next(numbers))
        publish(bus, [event])
        everything(bus, {event.event_id})
        found.append(event)
        return not next(iter(answers(bus)[event.event_id])).votes

    eventually(light)
    return found[-1]


def voted_again(bus: Bus) -> set[str]:
    """Events that auditors were asked about more than once."""
    count = Counter(share.verdict.event_id for share in bus.values(bus.topics.partials, Partial))
    return {event_id for event_id, times in count.items() if times > 1}


def answers(bus: Bus) -> dict[str, set[Verdict]]:
    """All different verdicts of every event."""
    found: dict[str, set[Verdict]] = defaultdict(set)
    for verdict in bus.values(bus.topics.verdicts, Verdict):
        found[verdict.event_id].add(verdict)
    return found


def check_votes(bus: Bus, *, heavy: set[str], light: set[str]) -> None:
    """One verdict for each event: with votes if it is of the heavy tier, and with these in its audit record."""
    found = answers(bus)
    assert {event_id for event_id, different in found.items() if len(different) > 1} == set()
    voted = {event_id for event_id, (verdict,) in found.items() if verdict.votes}
    assert heavy <= voted
    assert not light & voted
    assert len({vote.reason for (verdict,) in found.values() for vote in verdict.votes if vote.auditor == "whim"}) == 2
    assert audited(bus) == {event_id: {verdict.votes} for event_id, (verdict,) in found.items()}


def audited(bus: Bus) -> dict[str, set[tuple[Vote, ...]]]:
    """All different votes of every event, as the audit has them; a commitment stands before."""
    found: dict[str, set[tuple[Vote, ...]]] = defaultdict(set)
    told: list[tuple[int, str, str]] = []
    stamps: list[int] = []
    for message in bus.messages(bus.topics.audit):
        record = decode_either(value_of(message), AuditRecord, GuardReport)
        if isinstance(record, GuardReport):
            assert record.kind is AuditKind.SENTRIES
            told.append((message.timestamp()[1], record.event_id, record.reason))
        else:
            stamps.append(message.timestamp()[1])
            found[record.view.event_id].add(record.verdict.votes)
    assert min(told) == (min(stamp for stamp, _, _ in told), commitment(KEY.encode(), TERMS), TERMS)
    assert min(told)[0] <= min(stamps)
    return found


def check_proof(bus: Bus, store: ClickHouseStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`lawful auditors verify` is content with what workers wrote, and not with one vote that has another sentry."""
    key = tmp_path / "old.key"
    key.write_text(KEY + "\n")
    messages = bus.messages(bus.topics.audit)
    write(store, [process(record_of(each), place_of(each)) for each in messages])
    assert run(["auditors", "verify", "--key-file", str(key), "--json"]) == Exit.FINE
    report = json.loads(capsys.readouterr().out)
    assert (report["others"], report["wrong"]) == (0, [])
    assert report["votings"] > ROUND
    last = max(messages, key=lambda each: (each.partition() or 0, each.offset() or 0))
    place = place_of(last)
    write(store, [process(forged(bus), replace(place, offset=place.offset + 1))])
    assert run(["auditors", "verify", "--key-file", str(key), "--json"]) == Exit.FAULT
    (wrong,) = json.loads(capsys.readouterr().out)["wrong"]
    assert (wrong["fault"], wrong["event_id"]) == ("not_drawn", FORGED)


FORGED = make_event(AgentMessage("hello"), number=999).event_id


def forged(bus: Bus) -> AuditRecord:
    """A record whose first auditor alone is said to have been drawn."""
    read = (record_of(each) for each in bus.messages(bus.topics.audit))
    record = next(each for each in read if isinstance(each, AuditRecord) and each.verdict.votes)
    one = replace(record.verdict.votes[0], sentry=True)
    verdict = replace(record.verdict, event_id=FORGED, votes=(one,))
    return replace(record, view=replace(record.view, event_id=FORGED), verdict=verdict)


def record_of(message: Message) -> AuditRecord | GuardReport:
    """What stands on the audit topic."""
    return decode_either(value_of(message), AuditRecord, GuardReport)


def place_of(message: Message) -> LogPlace:
    """Where it stands."""
    return LogPlace(message.topic() or "", message.partition() or 0, message.offset() or 0, message.timestamp()[1])
