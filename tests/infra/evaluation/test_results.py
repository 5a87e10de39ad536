"""The page of results: every kind of run has its section, and what is of no kind is refused."""

from typing import Any

import pytest

from lawful.infra.bench import pipeline
from lawful.infra.bench.running import COPY, OFF, ON, Arm, Burst
from lawful.infra.evaluation.report.results import results
from lawful.infra.evaluation.suites.converse.arms import ARMS
from lawful.infra.evaluation.suites.converse.tallying import PRIVACY, SECURITY, Counts
from lawful.infra.evaluation.suites.converse.tallying import Table as Firewalled
from lawful.infra.evaluation.suites.maris.run import Table
from lawful.infra.evaluation.suites.maris.run import Tally as Violated
from lawful.infra.evaluation.suites.maris.talk import Mode
from lawful.schemas.errors import ConfigurationError

RATE = {"count": 1, "of": 4, "rate": 0.25, "ci95": [0.1, 0.5]}
RATES = dict.fromkeys(("asr", "fpr", "steps_touched", "task_success"), RATE)


def attacks(*arms: str, seed: int = 7) -> dict[str, Any]:
    """A document of attacks with these arms."""
    by = {"by_family": {"A1": RATES}, "by_pack": {"shopper": RATES}}
    noise = [{"percent": 10, **RATES, "fail_safe": RATES}] if "noise-10" in arms else []
    return {
        "seed": seed, "attacks": 4, "benign": 4, "packs": ["shopper"], "families": {"A1": "consent bypass"},
        "arms": {name: {"title": f"arm {name}", **RATES, **by} for name in arms}, "noise": noise,
        "weak_places": {}, "beyond": [], "variants": None,
    }  # fmt: skip


def maris() -> dict[str, Any]:
    """A document of the suite `maris`."""
    tallies = {("hospital", Mode.PASSIVE, arm): Violated(3, count, 3) for arm, count in (("none", 3), ("ours", 0))}
    return Table(7, tallies, (1.0, 2.0, 3.0)).as_json()


def converse(seed: int) -> dict[str, Any]:
    """A document of the suite `converse`."""
    counts = Counts()
    for arm in ARMS:
        for kind in ("benign", *PRIVACY, *SECURITY):
            for name, count in (("talks", 8), ("succeeded", arm == "none"), ("covered", 9), ("of", 10)):
                counts.counts[arm, "travel", kind, "plain", name] += count
    return Firewalled(counts, seed, tuple(ARMS), {}).as_json()


def auditors() -> dict[str, Any]:
    """A document of the suite `auditors`, in the form that its command prints."""
    counts = {"faults": 5, "caught": 4, "calls": 20, "messages": 10, "cpu_ms": 1.0}
    rows = [
        {"graph": "chain", "arm": arm, "attackers": bad, **counts}
        for arm in ("tiered", "everything")
        for bad in (False, True)
    ]
    bound = {"corrupt": 2, "bound": 0.1, "simulated": 0.1, "low": 0.09, "high": 0.11, "within": True}
    kinds = [{"arm": "tiered", "attackers": False, "no purpose": {"of": 3, "caught": 2}}]
    document = {"seed": 7, "table": rows, "at_critical": rows, "by_kind": kinds, "collusion": [bound], "met": True}
    return {"suite": "auditors", **document}


def bench() -> dict[str, Any]:
    """A document of all benches, of which one could not be measured."""
    arms = [Arm(COPY), Arm(OFF), Arm(ON)]
    bursts: dict[Arm, list[Burst]] = {arm: [Burst(100, 1.0 + place, 0.5)] for place, arm in enumerate(arms)}
    told = pipeline.document(pipeline.Size(rounds=1, workers=1), "a broker", [bursts, {Arm(OFF): bursts[Arm(OFF)]}])
    return {"machine": told["machine"], "seconds": {"all": 1}, "pipeline": told, "latency": {"failed": "no engine"}}


def test_every_kind_of_run_has_its_section() -> None:
    """In one page, in the same order however the documents come."""
    other = {"set": "tau2", "title": "tau2: retail", "by_payload": {}, "kinds": []}
    given = [bench(), auditors(), converse(7), maris(), converse(2), other, attacks("none")]
    page = results(given)
    heads = [line for line in page.splitlines() if line.startswith("## ")]
    told = [
        "Attacks",
        "tau2: retail",
        "Agents among themselves",
        "Firewalls between agents",
        "Auditors",
        "What it costs",
    ]
    assert heads == [f"## {name}" for name in told]
    assert "| hospital | passive | 3 | 100.0 | 0.0 | 100.0 | 100.0 |" in page
    assert "Seed 2: both firewalls let 0.0 % (privacy)" in page
    assert "| chain | one of four | 4 of 5 | 2.00 | 0.10 | 4 of 5 | 2.00 | 0.10 |" in page
    assert "| tiered | none | 2 of 3 |" in page
    assert "| extraction off | 1 | 4 | 50.0 (50.0 to 50.0) | 0.5" in page
    assert "Not measured: no engine" in page


def test_a_bench_by_itself_replaces_that_of_all() -> None:
    """So that what was measured longer can be told."""
    again = {"bench": "pipeline", **bench()["pipeline"], "events": 12_345}
    assert "Bursts of 12,345 events" in results([attacks("none"), bench(), again])


def test_arms_that_ran_apart_make_one_table() -> None:
    """Of the same attacks; of others they make none."""
    page = results([attacks("none"), attacks("perfect", "noise-10")])
    assert "| arm none | 25.0" in page
    assert "| arm noise-10 | 25.0" in page
    assert "| 10 % | 25.0" in page
    with pytest.raises(ConfigurationError, match="different attacks"):
        results([attacks("none"), attacks("perfect", seed=8)])


def test_converse_s_own_files_have_a_section() -> None:
    """By class, and by arm."""
    rates = dict.fromkeys(("privacy", "privacy_unasked", "security", "useful_coarser"), RATE)
    arms = {name: {**rates, "by_class": {"security:email": RATE}, "by_domain": {}} for name in ("none", "both")}
    page = results([attacks("none"), {"set": "converse", "personas": 1, "attacks": 4, "arms": arms,
                                      "options_through": {"travel": RATE}}])  # fmt: skip
    assert "| security:email | 4 | 25.0 | 25.0 |" in page
    assert "| both | 25.0 | 25.0 | 25.0 | 25.0 |" in page


def test_what_is_no_run_is_refused() -> None:
    """By its number, and with the commands whose documents are taken."""
    with pytest.raises(ConfigurationError, match="document 2 is of none of the runs"):
        results([attacks("none"), {"suite": "another"}])
