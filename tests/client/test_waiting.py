import uuid
from concurrent.futures import CancelledError
from dataclasses import replace
from typing import Any

import pytest

from lawful.client.blocked import local_block
from lawful.client.waiting import Arrival, WaitingRoom
from lawful.schemas.errors import RetryLater
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.verdict import Verdict
from tests.streams.kit import ADA, make_event


def an_event(**fields: str) -> AgentEvent:
    """An event with an id of its own."""
    return make_event(UserMessage("hello"), ADA, **({"event_id": str(uuid.uuid4())} | fields))  # type: ignore[arg-type]


def verdict_on(event: AgentEvent) -> Verdict:
    """Any verdict on this event."""
    return local_block(event.event_id, event.tenant_id, "x", "y", 0)


def test_a_verdict_goes_to_its_request_once() -> None:
    """The second copy of a verdict is nobody's any more."""
    room = WaitingRoom()
    request = room.enter(an_event(), 0)
    verdict = verdict_on(request.event)
    assert room.answer(request, verdict) is Arrival.TAKEN
    assert request.verdict.result(0) == verdict
    assert room.answer(request, verdict) is Arrival.UNKNOWN
    assert room.find(request.correlation_id) is None


def test_a_verdict_for_a_request_that_was_given_up_is_late_once() -> None:
    """A23: it is credited to nobody, and told as late one time."""
    room = WaitingRoom()
    request = room.enter(an_event(), 0)
    assert request.verdict.cancel()
    assert room.find(request.correlation_id) is request
    assert room.answer(request, verdict_on(request.event)) is Arrival.LATE
    assert room.answer(request, verdict_on(request.event)) is Arrival.UNKNOWN
    with pytest.raises(CancelledError):
        request.verdict.result(0)


@pytest.mark.parametrize("field", ["event_id", "tenant_id"])
def test_a_verdict_on_another_event_is_not_credited(field: str) -> None:
    """A23: a correlation id alone is not enough."""
    room = WaitingRoom()
    request = room.enter(an_event(), 0)
    changed: dict[str, Any] = {field: "another"}
    other = replace(verdict_on(request.event), **changed)
    assert room.answer(request, other) is Arrival.MISMATCH
    assert not request.verdict.done()


def test_an_id_that_came_back_as_a_pseudonym_is_still_its_own() -> None:
    """Event ids that hold a person are hidden in verdicts; the correlation id tells whose it is."""
    room = WaitingRoom()
    request = room.enter(an_event(event_id="ada@example.com"), 0)
    assert room.answer(request, replace(verdict_on(request.event), event_id="f" * 64)) is Arrival.TAKEN


def test_closing_fails_whoever_still_waits() -> None:
    """Nobody waits for ever, and those who gave up are left alone."""
    room = WaitingRoom()
    waiting, given_up = room.enter(an_event(), 0), room.enter(an_event(), 0)
    given_up.verdict.cancel()
    room.fail_all(RetryLater("closed"))
    with pytest.raises(RetryLater):
        waiting.verdict.result(0)
    assert room.find(waiting.correlation_id) is None


def test_correlation_ids_differ() -> None:
    """Two requests for the same event are two requests."""
    room = WaitingRoom()
    event = an_event()
    assert room.enter(event, 0).correlation_id != room.enter(event, 0).correlation_id


def test_memory_for_requests_that_nobody_answers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest goes first; whoever still waits for it waits no longer."""
    monkeypatch.setattr("lawful.client.waiting.MOST", 2)
    room = WaitingRoom()
    oldest, *_ = [room.enter(an_event(), 0) for _ in range(3)]
    assert oldest.verdict.cancelled()
    assert room.find(oldest.correlation_id) is None
