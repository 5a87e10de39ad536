"""One verdict from several subjects' shares.

Shares of one event meet under its id, in one order. The first place in that order at which all
of them are there answers the event; a share that is delivered again at that place answers again,
identically. No other place does, unless somebody else asks for the same event's verdict.
"""

from collections.abc import Iterable

from lawful.policies.lattice import combine
from lawful.schemas.changing import changed
from lawful.schemas.event import Micros
from lawful.schemas.state import Pending, PendingPart
from lawful.schemas.verdict import Decision, Partial, Verdict
from lawful.schemas.view import View
from lawful.streams.acting import settled
from lawful.streams.answering import Answer, answer
from lawful.streams.refusing import EVENT_ID_REUSED, TIMEOUT, error
from lawful.streams.sameness import substance


def combine_step(
    partial: Partial, offset: int, pending: Pending | None, seen_at: Micros | None = None
) -> tuple[Pending, Answer | None]:
    """Takes one share in. Total.

    Args:
        partial: the share, from `lawful.partials`.
        offset: where it stands there.
        pending: the row under its event id; `None` for none.
        seen_at: the broker's time of the share; without it, of its event.

    Returns:
        The row from now on, and the event's answer if this offset is the one that gives it. A share
        of another event under the same id leaves the row as it is; that event is blocked.
    """
    if pending is not None and _is_of_another(partial, pending):
        return pending, _refused(partial)
    time = partial.view.recorded_at if seen_at is None else seen_at
    after = _with(pending or Pending((), time), PendingPart(offset, partial), time)
    if answered_at(after) == offset:
        return after, _answer(after)
    return after, (_told_again(partial, after) if after.done_at is not None else None)


def answered_at(pending: Pending) -> int | None:
    """The offset that answers the event; `None` while parts are missing, or if time ran out."""
    if pending.timed_out or not _complete(pending):
        return None
    return max(part.offset for part in pending.parts)


def learnt(pending: Pending, offset: int, given: Iterable[Answer]) -> tuple[View, ...]:
    """Views by which the slices learn what an event did, if this offset is the one that answers it.

    Publish them before the answer: whoever acts on it must find the past as it is.

    Args:
        pending: the row after the share at this offset.
        offset: of a share.
        given: what it led to.
    """
    if answered_at(pending) != offset:
        return ()
    views = tuple(part.partial.view for part in pending.parts)
    return tuple(view for answer_ in given for view in settled(views, answer_.verdict))


def overdue(pending: Pending, now: Micros, timeout: Micros) -> bool:
    """Whether the wait for the missing shares is over."""
    return pending.done_at is None and now - pending.first_seen > timeout


def expire(pending: Pending, now: Micros | None = None) -> tuple[Pending, Answer]:
    """Ends the wait: block. Write the row first, then send the answer.

    Expiring an expired row gives the same row and answer, so it can be sent again after a crash.

    Args:
        pending: a row with at least one share.
        now: when the wait ended.
    """
    done_at = pending.done_at or now or pending.first_seen
    after = changed(pending, timed_out=True, done_at=done_at)
    return after, _answer(after, TIMEOUT)


def _is_of_another(partial: Partial, pending: Pending) -> bool:
    """Whether the share is of another event than those that came before."""
    view, known = partial.view, [part.partial.view for part in pending.parts]
    other_person = any(one.part == view.part and one.subject != view.subject for one in known)
    return other_person or any(substance(one) != substance(view) for one in known[:1])


def _refused(partial: Partial) -> Answer | None:
    """The answer to an event that took another one's id, given with its first share."""
    if partial.view.part != 0:
        return None
    return answer([partial.view], _block(partial.verdict, EVENT_ID_REUSED))


def _told_again(partial: Partial, pending: Pending) -> Answer | None:
    """The answer for somebody else who asks the same: an event that was published again, with another address."""
    first = pending.parts[0].partial
    if partial.view.part != 0 or partial.reply_to in (None, first.reply_to):
        return None
    return changed(_answer(pending, TIMEOUT if pending.timed_out else ""), reply_to=partial.reply_to)


def _complete(pending: Pending) -> bool:
    return bool(pending.parts) and len(pending.parts) == pending.parts[0].partial.view.parts


def _with(pending: Pending, part: PendingPart, time: Micros) -> Pending:
    """The row with this share, unless it is there already or the wait is over."""
    known = {other.partial.view.part for other in pending.parts}
    if pending.timed_out or part.partial.view.part in known:
        return pending
    after = changed(pending, parts=(*pending.parts, part))
    return changed(after, done_at=time) if _complete(after) else after


def _answer(pending: Pending, trouble: str = "") -> Answer:
    """The strictest of all shares; a block if that fails or there is trouble already."""
    partials = sorted((part.partial for part in pending.parts), key=lambda partial: partial.view.part)
    verdicts = [partial.verdict for partial in partials]
    blocks = [_block(verdicts[0], trouble)] if trouble else []
    try:
        verdict = combine([*verdicts, *blocks])
    except Exception as failure:  # noqa: BLE001 - fail closed: an error is a verdict, never a pass
        verdict = _block(verdicts[0], type(failure).__name__)
    return answer([partial.view for partial in partials], verdict)


def _block(verdict: Verdict, reason: str) -> Verdict:
    """A block under the same policy and for the same event."""
    return changed(
        verdict, decision=Decision.BLOCK, violations=(error(reason),), obligations=(), outcome=None, exceptions=()
    )
