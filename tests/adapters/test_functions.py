"""Plain functions: the tools of a hand-written loop."""

import pytest

from lawful.adapters.functions import guarded
from lawful.client import Blocked, Guard
from tests.adapters.conftest import Office
from tests.adapters.tools import NOTE, SEEN, WHO, Desk


def test_functions_run_redacted_or_not_at_all(office: Office) -> None:
    """Under their own names, in the session around them."""
    desk, guard = Desk(), office.guard()
    find_order, send_mail = guarded(guard, [desk.find_order, desk.send_mail])
    with guard.session(subject=WHO):
        assert find_order(NOTE) == f"1 order; {SEEN}"
        with pytest.raises(Blocked, match="consent_missing"):
            send_mail(note=WHO.value)
    assert (desk.got, find_order.__name__) == ([SEEN], "find_order")


async def test_functions_of_coroutines_are_awaited(office: Office) -> None:
    """A warning changes nothing."""
    desk, guard = Desk(), office.async_guard("lenient")
    (find_order,) = guarded(guard, [desk.find_order])
    with guard.session(subject=WHO):
        assert await find_order(NOTE) == f"1 order; {NOTE}"


def test_no_verdict_in_time_is_a_block(silent: Guard) -> None:
    """Without an answer nothing runs."""
    desk = Desk()
    (find_order,) = guarded(silent, [desk.find_order])
    with pytest.raises(Blocked, match="no_verdict"):
        find_order("x")
    assert desk.got == []
