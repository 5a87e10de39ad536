"""The case studies of Maris, rebuilt: their policies do what they say, and their traces can be put before them."""

from pathlib import Path

import pytest

from lawful.infra.crosscheck.trace import NoExtraction
from lawful.infra.evaluation.sets import traffic
from lawful.infra.ingest import Mint
from lawful.policies.golden import run_golden
from lawful.policies.goldenfile import load_golden
from lawful.policies.load import load_policy

STUDIES = Path(__file__).parents[3] / "examples" / "case_studies"
NAMES = ("hospital", "supply_chain", "travel")


@pytest.mark.parametrize("name", NAMES)
def test_a_case_study_does_what_it_says(name: str) -> None:
    """Every golden case passes."""
    results = run_golden(load_policy(STUDIES / name), load_golden(STUDIES / name))
    assert results
    assert [(each.name, each.differences) for each in results if not each.passed] == []


@pytest.mark.parametrize(
    ("name", "rule"), [("hospital", "outreach_within_the_hour"), ("supply_chain", "only_with_permission")]
)
def test_a_trace_meets_the_rule_of_its_policy(name: str, rule: str) -> None:
    """Even when no content is read, what happened in which order is known."""
    numbers = iter(range(100))
    mint = Mint("evaluation", lambda: f"event-{next(numbers)}", lambda: 1_750_000_000_000_000)
    folder = STUDIES / name
    heard, report = traffic.run_file(
        folder / "trace.jsonl", "lawful", mint, str(folder), NoExtraction(), lambda _: None
    )
    assert not report.problems
    assert rule in {kind[2] for kind in heard.kinds}


def test_every_trace_can_be_read() -> None:
    """Without a problem, in our own format."""
    for name in NAMES:
        mint = Mint("evaluation", lambda: "event", lambda: 1)
        _, report = traffic.run_file(
            STUDIES / name / "trace.jsonl", "lawful", mint, str(STUDIES / name), NoExtraction(), lambda _: None
        )
        assert not report.problems
