"""Votes counted: by auditor and answer, and by what they came to."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry

from lawful.infra.telemetry.vote_metrics import VoteMetrics
from lawful.policies.auditing import Brief, Opinion
from lawful.policies.auditing.voting import Ballot, settle
from lawful.schemas.history import EMPTY
from lawful.schemas.verdict import Decision, Verdict
from lawful.streams.auditing import Panel, PanelOptions, unaudited
from tests.infra import records
from tests.policies.samples import at, policy

RECORD = records.audited(0, Decision.FORWARD)
PLAIN = replace(RECORD.verdict, violations=(), votes=())
FINE, WRONG = Opinion(Decision.FORWARD), Opinion(Decision.BLOCK)


def ballot(name: str, opinion: Opinion | None, *, sentry: bool = False) -> Ballot:
    """A vote."""
    return Ballot(name, "1", sentry, opinion, "" if opinion else "late")


SENTRY = ballot("a", FINE, sentry=True)
DOUBTER = ballot("a", WRONG, sentry=True)


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        (settle(PLAIN, [SENTRY]), "agreed"),
        (settle(PLAIN, [DOUBTER, ballot("b", FINE), ballot("c", FINE)]), "doubted"),
        (settle(PLAIN, [DOUBTER, ballot("b", WRONG), ballot("c", FINE)]), "stricter"),
        (unaudited(PLAIN), "failed"),
    ],
)
def test_what_a_vote_came_to(verdict: Verdict, outcome: str) -> None:
    """Each is counted once, under one outcome."""
    registry = CollectorRegistry()
    VoteMetrics(registry).told(verdict)
    counted = {
        each: registry.get_sample_value("lawful_votings_total", {"outcome": each})
        for each in ("agreed", "doubted", "stricter", "failed")
    }
    assert counted == {each: float(each == outcome) for each in counted}


def test_what_each_auditor_said() -> None:
    """It agreed, differed, or gave no answer; its name is a word of the operator's."""
    registry = CollectorRegistry()
    metrics = VoteMetrics(registry)
    metrics.told(settle(PLAIN, [DOUBTER, ballot("b", FINE), ballot("c", None), ballot("d e@f", FINE)]))
    for auditor, answer in (("a", "differs"), ("b", "agrees"), ("c", "none"), ("withheld", "agrees")):
        assert registry.get_sample_value("lawful_votes_total", {"auditor": auditor, "answer": answer}) == 1


class Fine:
    """An auditor that has nothing to object to."""

    name, version = "fine", "1"

    def ask(self, brief: Brief) -> Opinion:
        """Agrees."""
        return Opinion(brief.verdict.decision)


def test_a_panel_tells_of_every_vote() -> None:
    """Through the callback that workers are put together with."""
    registry = CollectorRegistry()
    told: Callable[[Verdict], None] = VoteMetrics(registry).told
    panel = Panel([Fine()], PanelOptions(sentries=1, key=b"k" * 32, timeout=5), told)
    panel.audit(Brief(RECORD.view, at(1), EMPTY, policy(), PLAIN))
    panel.close()
    assert registry.get_sample_value("lawful_votings_total", {"outcome": "agreed"}) == 1
