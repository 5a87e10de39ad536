"""How a worker starts, stops, gives up, and is taken over from."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lawful.infra.engines.leave_group import leave_group
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import Settings
from lawful.schemas.event import ConsentGiven, ToolCall, UserMessage
from lawful.schemas.verdict import Decision, Verdict
from lawful.streams.batches import MOST
from lawful.streams.claims import CLAIM
from lawful.streams.steps import HISTORY
from tests.engines import eventually
from tests.services.test_kill import check_answers, check_changelogs, everything, life, some_way
from tests.services.workers import Bus, Worker, value_of, worker_processes  # noqa: F401 - a fixture
from tests.streams.kit import ADA, make_event

Make = Callable[..., Worker]


@pytest.fixture
def bus(settings: Settings) -> Iterator[Bus]:
    """An installation with two partitions."""
    two = replace(settings, partitions=2)
    create_topics(two)
    with contextlib.closing(Bus(two)) as opened:
        yield opened


def answered(bus: Bus, count: int) -> None:
    """Waits until so many events have a verdict."""
    eventually(lambda: len({each.event_id for each in bus.values(bus.topics.verdicts, Verdict)}) >= count)


def claims(bus: Bus) -> int:
    """How often partitions of histories were claimed."""
    return sum(row.key() == CLAIM for row in bus.messages(bus.topics.changelog("history")))


def say(bus: Bus, *numbers: int) -> None:
    """Publishes everyday events."""
    for number in numbers:
        bus.publish(make_event(UserMessage("hello"), ADA, number=number))
    bus.flush()


def test_a_worker_that_was_stopped_goes_on_where_it_was(bus: Bus, tmp_path: Path, workers: Make) -> None:
    """SIGTERM finishes what was begun; the next start does nothing twice and nothing is missing."""
    say(bus, *range(20))
    first = workers(bus.settings, tmp_path).go()
    second = workers(bus.settings, tmp_path)
    answered(bus, 20)
    assert first.stop()[0] == 0
    say(bus, 20, 21)
    second.go()
    answered(bus, 22)
    assert second.stop()[0] == 0
    assert bus.count(bus.topics.verdicts) == bus.count(bus.topics.annotated) == 22


def test_a_worker_that_is_told_to_stop_under_load_does_nothing_twice(bus: Bus, tmp_path: Path, workers: Make) -> None:
    """SIGTERM in mid-stream: what was begun is finished and noted, and another worker goes on with the rest at once."""
    first = workers(bus.settings, tmp_path / "one", instance="one").go().await_ready()
    second = workers(bus.settings, tmp_path / "two", instance="two")
    say(bus, *range(300))
    some_way(bus, 20)
    code, said = first.stop()
    assert code == 0, said
    second.go().await_ready()
    answered(bus, 300)
    assert second.stop()[0] == 0
    assert bus.count(bus.topics.verdicts) == bus.count(bus.topics.annotated) == 300


def test_too_many_unreadable_records_stop_the_worker_with_a_reason(bus: Bus, workers: Make) -> None:
    """A30: the exit code is not zero, and the last words say why."""
    for _ in range(6):
        bus.put(bus.topics.events, b"k", b"nonsense")
    bus.flush()
    worker = workers(bus.settings, None, more={"dead_letters": {"consecutive": 3}}).go()
    code, said = worker.ended()
    assert code == 3
    assert "3 records in a row could not be read" in said


def test_another_worker_takes_over_from_one_that_said_goodbye(bus: Bus, tmp_path: Path, workers: Make) -> None:
    """A dead member's partitions go to the other worker, which restores the tables from the changelog."""
    takes_over(bus, tmp_path, workers, goodbye=True)


@pytest.mark.kafka
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_another_worker_takes_over_from_a_dead_one(bus: Bus, tmp_path: Path, workers: Make) -> None:
    """The broker notices by itself that a worker is dead."""
    takes_over(bus, tmp_path, workers, goodbye=False)


@pytest.mark.kafka
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_worker_that_slept_does_not_write_beside_its_successor(bus: Bus, tmp_path: Path, workers: Make) -> None:
    """Stopped for longer than its session, it wakes up, takes nothing in, and joins again."""
    more = {"session_timeout_s": 6.0, "combine_timeout_ms": 600_000}
    sleeper = workers(bus.settings, tmp_path / "one", instance="one", more=more).go().await_ready()
    successor = workers(bus.settings, tmp_path / "two", instance="two", more=more)
    published = publish(bus, 0) | publish(bus, 1)
    some_way(bus, 10)
    sleeper.process.send_signal(signal.SIGSTOP)
    successor.go()
    everything(bus, published)
    published |= publish(bus, 2)
    sleeper.process.send_signal(signal.SIGCONT)
    published |= publish(bus, 3)
    everything(bus, published)
    for worker in (sleeper, successor):
        code, said = worker.stop()
        assert code == 0, said
    check_answers(bus)
    check_changelogs(bus)


def test_a_row_of_a_worker_that_was_replaced_changes_nothing(bus: Bus, tmp_path: Path, workers: Make) -> None:
    """A row from before the person's consent comes late: the owner notices, and whoever restores passes it over."""
    first, second = (workers(bus.settings, tmp_path / "one") for _ in range(2))
    first.go()
    say(bus, 0)
    answered(bus, 1)
    assert first.stop()[0] == 0
    late = next(row for row in bus.messages(bus.topics.changelog("history")) if (row.key() or b"").startswith(HISTORY))
    headers: Any = late.headers()

    def mailed(number: int) -> None:
        bus.put(late.topic() or "", late.key() or b"", value_of(late), headers, partition=late.partition())
        bus.publish(make_event(ToolCall("send_mail", "call", f'{{"body": "to {ADA.value}"}}'), ADA, number=number))
        bus.flush()
        answered(bus, number + 1)

    second.go()
    bus.publish(make_event(ConsentGiven(("marketing",)), ADA, number=1))
    bus.flush()
    answered(bus, 2)
    claimed = claims(bus)
    mailed(2)
    mailed(3)
    eventually(lambda: claims(bus) > claimed)
    code, said = second.stop()
    assert code == 0, said
    assert "is opened anew: its changelog has rows that this worker knows nothing of" in said
    third = workers(bus.settings, None).go()
    mailed(4)
    assert third.stop()[0] == 0
    assert {each.decision for each in bus.values(bus.topics.verdicts, Verdict)} == {Decision.FORWARD}
    check_answers(bus)
    check_changelogs(bus)


def test_what_arrives_while_a_worker_goes_on_after_a_rebalance_is_not_lost(
    bus: Bus, tmp_path: Path, workers: Make
) -> None:
    """Faust empties its queues when it goes on; by then the last records that there are may be in them."""
    gate = tmp_path / "gate"
    slow = workers(
        bus.settings, tmp_path / "one", instance="a", module="tests.services.opening_main", more={"gate": str(gate)}
    )
    slow.go().await_ready()
    other = workers(bus.settings, tmp_path / "two", instance="b").go().await_ready()
    gate.mkdir()
    assert other.stop()[0] == 0
    eventually((gate / "opening").exists)
    say(bus, 0)
    eventually((gate / "held").exists)  # a batch of one; behind it fits a batch, and then come Faust's queues
    say(bus, *range(1, MOST + 30))
    answered(bus, MOST + 30)
    code, said = slow.stop()
    assert code == 0, said


def publish(bus: Bus, seed: int) -> set[str]:
    """Publishes a burst of everyday events; gives their ids."""
    events = life(seed)
    for event in events:
        bus.publish(event)
    bus.flush()
    return {event.event_id for event in events}


def takes_over(bus: Bus, tmp_path: Path, workers: Make, *, goodbye: bool) -> None:
    """Two workers share the work; one is killed in mid-stream."""
    more = {"session_timeout_s": 6.0, "combine_timeout_ms": 600_000}
    pair = [workers(bus.settings, tmp_path / name, instance=name, more=more) for name in ("one", "two")]
    for worker in pair:
        worker.go().await_ready()
    published: set[str] = set()
    for seed in range(3):
        published |= publish(bus, seed)
        if seed == 1:
            some_way(bus, 10)
            pair[0].kill()
            assert not goodbye or leave_group(bus.settings.kafka.bootstrap, bus.topics.app_id, "one")
    everything(bus, published)
    code, said = pair[1].stop()
    assert code == 0, said
    check_answers(bus)
    check_changelogs(bus)
