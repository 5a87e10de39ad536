"""The fast way of making verdicts makes the same verdicts."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields

import pytest

from lawful.policies.answering import Judgement, forward, together
from lawful.schemas.history import EMPTY
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import SourcePosition
from tests.policies.samples import at, policy, view


def test_the_twin_equals_what_the_constructor_makes() -> None:
    """Same class, same fields, same hash; a field that a twin forgot would be missing here."""
    rules = policy()
    fast = forward(view(), at(3, 30), rules)
    slow = Verdict(
        event_id="event",
        tenant_id="tenant",
        decision=Decision.FORWARD,
        policy_id=rules.id,
        policy_version=rules.version,
        policy_digest=rules.digest,
        decided_on=(SourcePosition("lawful.annotated", 0, 3),),
        recorded_at=30,
    )
    assert (fast, hash(fast), repr(fast)) == (slow, hash(slow), repr(slow))
    assert [getattr(fast, each.name) for each in fields(Verdict)] == [
        getattr(slow, each.name) for each in fields(Verdict)
    ]
    assert together(fast, EMPTY) == Judgement(slow, EMPTY)


def test_the_twin_is_frozen_and_can_be_copied() -> None:
    """Nobody can tell that it was made another way."""
    both = together(forward(view(), at(3), policy()), EMPTY)
    with pytest.raises(FrozenInstanceError):
        both.verdict.decision = Decision.BLOCK  # type: ignore[misc]
    assert copy.deepcopy(both) == both
    assert pickle.loads(pickle.dumps(both)) == both  # noqa: S301 - made one line above
