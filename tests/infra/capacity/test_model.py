"""The model of capacity: linear where it says so, bounded where it must be, and the page says the same."""

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.cli.capacity import rows, size
from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.capacity.measure import everyday, measure
from lawful.infra.capacity.model import Figures, Load, cost, partitions, plan, record_bytes
from tests.streams.kit import KERNEL

PAGE = (Path(__file__).parents[3] / "docs" / "scaling.md").read_text(encoding="utf-8")
WORKED = Load(events=1e5, subjects=1e8)


def test_the_sums_by_hand() -> None:
    """Small numbers, worked out on paper."""
    each = Figures(
        annotate_us=1_000, judge_us=100, combine_us=50, record_us=10, views=2, shares=1, event_bytes=1, view_bytes=10
    )
    each = replace(each, share_bytes=100, verdict_bytes=1_000, audit_bytes=10_000, state_bytes=7, row_bytes=3)
    assert cost(each) == 1_010 + 2 * 110 + 60
    assert record_bytes(each) == 1 + 20 + 100 + 2_000 + 10_000
    planned = plan(Load(events=1_000, subjects=10, headroom=0.5, replication=2, audit_days=10), each)
    assert planned.worker_cores == 3  # 1.29 cores' worth, at half each
    assert planned.partitions == 12
    assert planned.state_bytes == 70
    assert planned.changelog_bytes == 280
    assert planned.clickhouse_bytes == 1_000 * 86_400 * 3 * 2 * 10


@given(st.floats(1, 1e6), st.floats(1, 1e9), st.floats(1.1, 10))
def test_more_never_takes_less(events: float, subjects: float, factor: float) -> None:
    """Each sum grows with what it depends on, and there is always at least one of everything."""
    small, large = plan(Load(events=events, subjects=subjects)), plan(Load(events=events * factor, subjects=subjects))
    for item in fields(small):
        if item.name not in ("events_per_core", "state_bytes_per_worker"):
            assert getattr(large, item.name) >= getattr(small, item.name)
    assert min(small.worker_cores, small.partitions, small.audit_writers) >= 1


@given(st.integers(1, 100_000))
def test_there_is_a_partition_for_each_worker_and_room_to_grow(cores: int) -> None:
    """At least half as many again, in multiples of twelve."""
    assert partitions(cores) % 12 == 0
    assert cores * 1.5 <= partitions(cores) < cores * 1.5 + 12


def test_the_page_has_the_sums_that_the_model_gives() -> None:
    """The worked example of docs/scaling.md, row by row, and the second one in words."""
    for what, how_much in rows(plan(WORKED)):
        assert f"| {what} | {how_much} |" in PAGE
    quick = plan(WORKED, Figures(annotate_us=2_000))
    assert f"{quick.worker_cores} workers and {quick.partitions:,} partitions" in " ".join(PAGE.split())


def test_the_page_has_the_figures_that_the_model_takes() -> None:
    """Each default, with where it comes from."""
    written = dict(re.findall(r"^\| `(\w+)` \| ([\d.,]+) \| .+ \|$", PAGE, flags=re.MULTILINE))
    assert written == {item.name: f"{item.default:,}" for item in fields(Figures)}


def test_the_command_says_it_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` has load, figures and plan; figures of one's own count."""
    assert run(["capacity", "--events", "100000", "--subjects", "1e8", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["plan"]["worker_cores"] == plan(WORKED).worker_cores
    assert run(["capacity", "--events", "100000", "--annotate-us", "2000"]) == 0
    assert f"{plan(WORKED, Figures(annotate_us=2_000)).worker_cores}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (2e15, "2 PB"), (7e18, "7e+03 PB")]
)
def test_bytes_for_people(count: float, said: str) -> None:
    """In powers of ten."""
    assert size(count) == said


def test_measuring_takes_all_stages() -> None:
    """Costs and sizes come from what was run; what was not run keeps its default."""
    ticks = iter(range(0, 10**9, 1_000))
    found = measure(KERNEL, 100, lambda: next(ticks))
    assert found.annotate_us == found.judge_us == 1.0  # one tick each
    assert found.views >= 1
    assert found.event_bytes > 100
    assert (found.state_bytes, found.record_us) == (Figures().state_bytes, Figures().record_us)


def test_the_mix_is_the_same_every_time() -> None:
    """Five kinds in equal parts, from a seed."""
    assert list(everyday(10)) == list(everyday(10))
    assert len({event.kind for event in everyday(10)}) == 5


@pytest.mark.parametrize("given", ["inf", "nan", "1e300"])
@pytest.mark.parametrize("option", ["--events", "--subjects", "--annotate-us"])
def test_what_nobody_could_carry_is_refused(option: str, given: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said which number it is; the command does not fail at it."""
    assert run(["capacity", option, given]) in {Exit.FAULT, Exit.USAGE}
    said = " ".join(capsys.readouterr().err.split())
    assert option.removeprefix("--").replace("-", "_") in said.replace("-", "_")
