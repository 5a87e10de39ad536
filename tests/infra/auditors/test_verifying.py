"""Who has the key can show for every vote that its sentries were drawn, and were none that somebody picked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from lawful.infra.auditors.verifying import Committed, Fault, Voting, check, committed
from lawful.policies.auditing import commitment, draw
from lawful.policies.auditing.sentries import terms_of
from lawful.schemas.verdict import Decision, Vote

KEY, OTHER = b"k" * 32, b"o" * 32
POOL = ("mfotl", "python", "rego")
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TERMS = [Committed(POOL, 2, NOON)]


def voting(event_id: str = "event", reason: str = "agrees", key: bytes = KEY) -> Voting:
    """A vote as it has to be, an hour after the commitment."""
    drawn = draw(key, "acme", event_id, POOL, 2)
    votes = tuple(Vote(name, "1", Decision.FORWARD, reason, sentry=True) for name in drawn)
    return Voting("acme", event_id, NOON + timedelta(hours=1), votes)


def test_a_vote_as_it_has_to_be_is_fine() -> None:
    """The sentries are the drawn ones, and they agreed."""
    assert check(voting(), KEY, TERMS) is None


def test_sentries_that_were_picked_are_found() -> None:
    """Another key would have drawn them, or nobody would."""
    picked = [voting(f"event-{number}", key=OTHER) for number in range(20)]
    faults = [found.fault for each in picked if (found := check(each, KEY, TERMS))]
    assert faults
    assert set(faults) == {Fault.NOT_DRAWN}
    alone = replace(voting(), votes=voting().votes[:1])
    wrong = check(alone, KEY, TERMS)
    assert wrong is not None
    assert wrong.fault is Fault.NOT_DRAWN


def test_a_doubt_after_which_nobody_else_was_asked_is_found() -> None:
    """Somebody wanted no second round."""
    wrong = check(voting(reason="late"), KEY, TERMS)
    assert wrong is not None
    assert wrong.fault is Fault.NOT_ASKED
    third = next(name for name in POOL if name not in voting().sentries)
    asked = voting(reason="late")
    everybody = replace(asked, votes=(*asked.votes, Vote(third, "1", Decision.FORWARD, "agrees", sentry=False)))
    assert check(everybody, KEY, TERMS) is None


def test_a_key_that_was_committed_to_too_late_is_found() -> None:
    """It could have been chosen for what it draws."""
    wrong = check(voting(), KEY, [Committed(POOL, 2, NOON + timedelta(hours=2))])
    assert wrong is not None
    assert wrong.fault is Fault.NOT_COMMITTED


@pytest.mark.parametrize("key", [KEY, OTHER])
def test_only_commitments_to_the_key_count(key: bytes) -> None:
    """Others in the audit are of other keys, and rows that are none are passed over."""
    rows = [(commitment(KEY, terms_of(POOL, 2)), terms_of(POOL, 2), NOON), ("x", "nonsense", NOON)]
    assert committed(rows, key) == (TERMS if key == KEY else [])
