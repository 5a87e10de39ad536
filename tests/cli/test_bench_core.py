"""`lawful bench core`: every judge on the same events, how costs grow, and what was promised."""

import json

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.bench import core
from lawful.infra.bench.naive import judge_from_trace
from lawful.infra.bench.timing import measure
from lawful.infra.bench.workload import everyday
from lawful.policies.judge import judge
from lawful.policies.mfotl.judge import MfotlJudge
from lawful.schemas.errors import MustStop
from lawful.schemas.verdict import Decision

SMALL = ["--rounds", "2", "--people", "2", "--events", "6", "--trace", "1100", "--subjects", "1000"]


def test_all_figures_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    """Machine, versions, four judges with median, p99 and spread, growth, and the targets."""
    assert run(["bench", "core", "--json", *SMALL]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert set(found["us_per_event"]) == {"python", "mfotl", "rego", "naive"}
    for cost in found["us_per_event"].values():
        assert cost["spread"][0] <= cost["median"] <= cost["spread"][1]
        assert cost["calls"] == found["events"]
    assert {"processor", "cores", "load"} <= set(found["machine"])
    assert found["trace_length"]["python"]["late"]["event"] == 1100
    assert found["subjects"]["many"]["subjects"] == 1000
    assert all(target["met"] or target["bound_by"] for target in found["targets"])


def test_a_table_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json: the judges, and which targets were met."""
    assert run(["bench", "core", *SMALL]) == Exit.FINE
    shown = capsys.readouterr().out
    assert "mfotl" in shown
    assert "rego_to_python" in shown


def test_judges_that_disagree_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures of judges that do not do the same thing would mean nothing."""
    monkeypatch.setattr(MfotlJudge, "judge", lambda *_: frozenset({"wrong"}))
    with pytest.raises(MustStop, match="disagree"):
        core.bench_core(core.Size(people=2, events_each=4, rounds=1), lambda _: None)


def test_the_naive_judge_gives_the_same_verdicts() -> None:
    """It reads the whole trace again, and comes to the same end."""
    for given in everyday(people=2, events_each=20):
        found = judge_from_trace(given).verdict
        assert found == judge(given.view, given.at, given.history, given.policy).verdict


def test_everyday_events_mostly_pass() -> None:
    """The workload is what fleets do, with something wrong now and then."""
    given = everyday(people=4, events_each=50)
    decisions = [judge(each.view, each.at, each.history, each.policy).verdict.decision for each in given]
    passed = decisions.count(Decision.FORWARD) / len(decisions)
    assert 0.7 < passed < 1


def test_a_measurement_has_a_round_s_spread() -> None:
    """Tasks are timed on every input, once a round."""
    seen: list[int] = []
    costs = measure({"note": seen.append}, [1, 2, 3], rounds=4)
    assert seen == [1, 2, 3] * 4
    assert costs["note"].calls == 3
