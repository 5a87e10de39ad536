"""Which keys a person's payloads were sealed with, and when they are to be destroyed.

A history keeps the ids of the keys, so whoever erases somebody known by several identifiers
destroys the keys of all of them, in whatever partition each was used. Destroying a key twice is
destroying it once.
"""

from dataclasses import replace

from lawful.policies.history import as_of
from lawful.policies.standing import erasure, is_erasure
from lawful.schemas.event import Micros
from lawful.schemas.history import History, MergeFact, RequestFact
from lawful.schemas.sealed import still_needed
from lawful.schemas.view import View


def with_key(history: History, key_id: str | None, now: Micros) -> History:
    """The history with one more key; those go that no payload can be sealed with any more."""
    if key_id is None or key_id in history.keys:
        return history
    kept = {each for each in history.keys if still_needed(each, now)}
    return replace(history, keys=tuple(sorted({*kept, key_id})))


def doomed(view: View, after: History, offset: int) -> tuple[str, ...]:
    """The keys that an event destroys.

    Args:
        view: the event, as the person's.
        after: what is known of the person after it.
        offset: where it was judged.

    Returns:
        All of the person's for a request to erase, and where an erased person turns out to have
        another identifier; for any other event of an erased person, its own.
    """
    if not after.keys:
        return ()
    fact = view.fact
    if isinstance(fact, RequestFact) and is_erasure(fact):
        return after.keys
    if erasure(as_of(after, offset + 1)) is None:
        return ()
    return after.keys if isinstance(fact, MergeFact) else tuple(filter(None, (view.key_id,)))
