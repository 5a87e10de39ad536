"""Several shares of one event become one verdict."""

from dataclasses import replace

import pytest

from lawful.policies.lattice import combine, strictest
from lawful.schemas.verdict import Action, Decision, Obligation, Outcome, Verdict, Violation
from lawful.schemas.view import SourcePosition
from tests.policies.samples import consent, decide, history, view

PLAIN = decide(view()).verdict


def share(decision: Decision, offset: int, **more: object) -> Verdict:
    """One subject's share."""
    return replace(PLAIN, decision=decision, decided_on=(SourcePosition("t", 0, offset),), **more)  # type: ignore[arg-type]


def test_nothing_decides_to_forward() -> None:
    """Without a violation there is nothing against it."""
    assert strictest([]) is Decision.FORWARD


def test_the_strictest_share_wins_and_all_are_named() -> None:
    """One blocks, the other is fine: block, on both positions (A14)."""
    past = history(consent("marketing"))
    seen = view("user.contact.email", purposes=["marketing"])
    refused, agreed = decide(seen).verdict, decide(seen, past).verdict
    verdict = combine([agreed, refused])
    assert verdict.decision is Decision.BLOCK
    assert verdict.violations == refused.violations
    assert verdict.decided_on == tuple(sorted({*agreed.decided_on, *refused.decided_on}, key=lambda p: p.offset))


def test_obligations_are_joined_without_doubles() -> None:
    """The principal's and another's redactions are all owed, each once."""
    one, two = (Obligation(path, 0, 1, Action.REPLACE, "user.name") for path in ("/a", "/b"))
    verdict = combine(
        [share(Decision.REDACT, 1, obligations=(two, one)), share(Decision.REDACT, 2, obligations=(one,))]
    )
    assert verdict.obligations == (one, two)


def test_a_block_owes_nothing_and_did_nothing() -> None:
    """A blocked event did not happen: no obligations, no outcome."""
    owed = (Obligation("/a", 0, 1, Action.REPLACE, "user.name"),)
    verdict = combine([share(Decision.REDACT, 1, obligations=owed, outcome=Outcome.RECORDED), share(Decision.BLOCK, 2)])
    assert (verdict.obligations, verdict.outcome) == ((), None)


def test_what_was_done_to_the_person_is_reported_first() -> None:
    """An erasure that also linked identifiers is an erasure."""
    linked = share(Decision.FORWARD, 1, outcome=Outcome.LINKED)
    erased = share(Decision.FORWARD, 2, outcome=Outcome.ERASED)
    unknown = share(Decision.FORWARD, 3, outcome=Outcome.UNKNOWN_SUBJECT)
    assert combine([linked, unknown, erased]).outcome is Outcome.ERASED
    assert combine([linked, unknown]).outcome is Outcome.UNKNOWN_SUBJECT


def test_violations_are_listed_once() -> None:
    """The same violation from two shares is one."""
    violation = Violation("P2", "purpose_missing", Decision.BLOCK, "x")
    shares = [share(Decision.BLOCK, place, violations=(violation,)) for place in (1, 2)]
    assert combine(shares).violations == (violation,)


def test_there_must_be_something_to_combine() -> None:
    """No shares are no verdict, least of all `forward`."""
    with pytest.raises(ValueError, match="nothing to combine"):
        combine([])
