"""What auditors say, counted: how often each agrees, differs or gives no answer, and what votes come to."""

from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter

from lawful.infra.telemetry.catalogue import METRICS, MetricName
from lawful.infra.telemetry.words import word
from lawful.policies.auditing.voting import AGREES, RESERVED, RULE
from lawful.schemas.verdict import Verdict, Violation, Vote

FAILED: Final = "auditors_failed"
_OUTCOMES: Final = ("agreed", "doubted", "stricter", "failed")


class VoteMetrics:
    """To be told of every verdict that auditors have looked at. Safe to share by threads.

    Args:
        registry: where the metrics are told.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._votes = _counter(registry, "lawful_votes_total")
        self._votings = _counter(registry, "lawful_votings_total")
        for outcome in _OUTCOMES:  # there from the start, so that Prometheus sees an increase
            self._votings.labels(outcome)

    def told(self, verdict: Verdict) -> None:
        """Counts a verdict after its vote."""
        for vote in verdict.votes:
            self._votes.labels(word(vote.auditor), _answer(vote)).inc()
        self._votings.labels(_outcome(verdict)).inc()


def _answer(vote: Vote) -> str:
    if vote.reason == AGREES:
        return "agrees"
    return "none" if vote.reason in RESERVED else "differs"


def _outcome(verdict: Verdict) -> str:
    reasons = {each.reason for each in _of_auditors(verdict)}
    if FAILED in reasons:
        return "failed"
    if reasons:
        return "stricter"
    return "agreed" if all(vote.reason == AGREES for vote in verdict.votes if vote.sentry) else "doubted"


def _of_auditors(verdict: Verdict) -> Iterator[Violation]:
    return (each for each in verdict.violations if each.rule == RULE)


def _counter(registry: CollectorRegistry, name: MetricName) -> Counter:
    metric = METRICS[name]
    return Counter(name, metric.meaning, metric.labels, registry=registry)
