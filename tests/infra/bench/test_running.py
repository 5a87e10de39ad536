"""Installations that are measured: what comes out of them is counted, timed and theirs."""

import os
import time
from pathlib import Path

import pytest

from lawful.infra.bench import beside, machine
from lawful.infra.bench.latency import percentiles, stretch
from lawful.infra.bench.pipeline import Size, document, groups, spread, target
from lawful.infra.bench.processes import cpu_seconds
from lawful.infra.bench.running import COPY, OFF, ON, Arm, Burst, running
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.traits import Broker

EVENTS = 60


@pytest.mark.service
def test_both_kinds_of_worker_answer_every_event(
    broker: Broker, clickhouse: EmbeddedClickHouse, tmp_path: Path
) -> None:
    """The copying agent and the worker without extraction answer each event once, in bursts and at a pace."""
    arms = [Arm(COPY, 1, 2), Arm(OFF, 1, 2)]
    with running(arms, broker, clickhouse, tmp_path) as installed:
        for one in installed:
            burst = one.burst(records := one.records(EVENTS))
            assert one.answered() == len(records) == EVENTS
            assert 0 <= burst.events <= EVENTS  # what was answered before the clock began is not counted
            assert one.cpu() > 0
            times = stretch(one, one.records(20), rate=200.0)
            assert len(times) == 20
            assert times[0] > 0


def test_cpu_of_a_process_and_its_children_grows() -> None:
    """What this process takes is counted, and that of a process that is gone is nothing."""
    before, until = cpu_seconds(os.getpid()), time.process_time() + 0.05
    while time.process_time() < until:
        pass
    assert cpu_seconds(os.getpid()) > before
    assert cpu_seconds(None) == 0


def test_ratios_are_of_one_group_round_by_round() -> None:
    """An arm is held against the copying agent of its own group, and targets say whether they were met."""
    size = Size(events=100, rounds=2, partitions=4, workers=1)
    bursts = [{arm: _bursts(arm) for arm in group} for group in groups(size)]
    found = document(size, "none", bursts)
    rows = {(row["arm"], row["partitions"]): row for row in found["arms"] if "of_copying" in row}
    assert rows[OFF, 4]["of_copying"] == {"median": 0.5, "spread": [0.5, 0.5]}
    assert rows[ON, 4]["cpu_to_copying"]["median"] == 4.0
    assert [each["met"] for each in found["targets"]] == [True, False]
    assert found["presidio"] is None


def test_cpu_is_compared_side_by_side() -> None:
    """Over partitions with one worker, and over workers with as many partitions, where arms take turns."""
    size = Size(events=100, rounds=1, partitions=4, workers=2)
    cpu = {Arm(OFF, 1, 1): 1.0, Arm(OFF, 1, 4): 2.0, Arm(OFF, 1, 8): 1.5, Arm(OFF, 2, 4): 2.1}
    first, second, last = groups(size)
    assert set(last) == set(cpu)
    bursts = [{arm: _bursts(arm) for arm in group} for group in (first, second)]
    found = document(size, "none", [*bursts, {arm: [Burst(100, 1.0, spent)] for arm, spent in cpu.items()}])
    kept = {each["name"]: (each["measured"], each["met"]) for each in found["targets"]}
    assert kept["CPU per event over partitions: most to least"] == (2.0, False)
    assert kept["CPU per event over workers: most to least"] == (1.05, True)


def test_what_cores_cost_each_other_is_a_ratio_by_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round's work at once is held against the work alone beside it; the work itself takes time."""
    assert machine._work(1) > 0
    taken = iter([1.0, 1.2, 2.0, 2.6, 1.0, 9.0, 1.0, 1.3, 4.0, 4.4])
    asked = []

    def take(_: object, processes: int) -> float:
        asked.append(processes)
        return next(taken)

    monkeypatch.setattr(machine, "_taken", take)
    assert machine.at_once(2) == 1.3
    assert asked == [1, 2] * 5


def test_a_worker_is_held_against_presidio_round_by_round() -> None:
    """By events a second, and by CPU."""
    size = Size(events=100, rounds=2, workers=1)
    bursts = [{arm: _bursts(arm) for arm in group} for group in groups(size)]
    found = document(size, "none", bursts, [Burst(10, 4.0, 2.0), Burst(10, 12.0, 2.0)])
    assert found["presidio"]["times"] == {"median": 10.0, "spread": [10.0, 10.0]}
    assert found["presidio"]["times_by_cpu"]["median"] == 5.0
    assert found["targets"][-1]["met"]


class Reading:
    """In Presidio's place."""

    seen: tuple[str, ...] = ()

    def hits(self, text: str, context: tuple[str, ...] = ()) -> list[object]:
        """Finds nothing."""
        type(self).seen += (text, *context)
        return []


def test_every_portion_of_presidio_s_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of as many events as were asked for, and with the texts in them read."""
    monkeypatch.setattr(beside, "DefaultPresidio", Reading)
    alone = beside.Beside(5)
    warm = Reading.seen
    assert warm
    alone.read()
    alone.read()
    assert [burst.events for burst in alone.bursts] == [5, 5]
    assert len(Reading.seen) > len(warm)


def _bursts(arm: Arm) -> list[Burst]:
    seconds = {COPY: 1.0, OFF: 2.0, ON: 4.0}[arm.name]
    return [Burst(100, seconds * slow, seconds + (arm.partitions == 8)) for slow in (1.0, 3.0)]


def test_percentiles_are_medians_of_rounds() -> None:
    """Of each round its percentile, of these the median and the extremes."""
    found = percentiles([[float(each) for each in range(100)], [float(2 * each) for each in range(100)]])
    assert found["p50"] == {"median": 75.0, "spread": [50.0, 100.0]}
    assert found["p99"]["spread"] == [99.0, 198.0]
    assert spread([3.0, 1.0, 2.0]) == {"median": 2.0, "spread": [1.0, 3.0]}
    assert not target("too much", 2.0, at_most=1.0)["met"]
