"""What was disclosed to whom, in a history: categories at their offset, never a value.

The laws are those of labels and acts: only what stands before an offset counts there, adding at an
offset twice is adding once, and what is dropped no event that is still to be judged, or judged
again, could see. A category that counts for long enough already is not written again, so a person's
row holds a few entries for each recipient and session.
"""

from dataclasses import replace
from typing import Final

from lawful.policies.offsets import before, place_of, put
from lawful.policies.rules.remembering import AGAIN, MARGIN
from lawful.schemas.event import Micros
from lawful.schemas.history import History, ToldEntry, ToldFact

Entries = tuple[ToldEntry, ...]

_SWEEP_EVERY: Final = 16


def told_before(history: History, offset: int) -> Entries:
    """What was disclosed before an offset; the very same tuple if that is all."""
    return before(history.told, offset)


def disclosed(history: History, offset: int, recorded_at: Micros, fact: ToldFact) -> History:
    """The history with a disclosure; unchanged if that offset is in it already."""
    after = put(history.told, offset, (ToldEntry(offset, recorded_at, fact),))
    if after is history.told:
        return history
    return replace(history, through=max(history.through, offset), told=_swept(after))


def moved_in(history: History, theirs: Entries, offset: int) -> History:
    """The history with an alias's disclosures, which keep their times and get this offset."""
    after = put(history.told, offset, tuple(replace(each, offset=offset) for each in theirs))
    return history if after is history.told else replace(history, through=max(history.through, offset), told=after)


def unexpired(told: Entries, now: Micros) -> Entries:
    """Those that still count from `now` on; the very same tuple if that is all."""
    kept = tuple(each for each in told if each.fact.until >= now)
    return told if len(kept) == len(told) else kept


def forgotten(history: History, offset: int, recorded_at: Micros) -> History:
    """The history of somebody who is erased at an offset: what no event can be judged by again is gone at once.

    What is left is over with the erasure, and goes when the row is next written.
    """
    told = history.told
    if not told:
        return history
    ends = recorded_at + MARGIN
    left = tuple(
        replace(each, fact=replace(each.fact, until=min(each.fact.until, ends)))
        for each in told[place_of(told, offset - AGAIN) :]
    )
    return replace(history, told=left)


def _swept(told: Entries) -> Entries:
    """Without what does not count any more, not even for an event that is judged again."""
    if len(told) % _SWEEP_EVERY:
        return told
    settled = place_of(told, told[-1].offset - AGAIN)
    if not settled:
        return told
    # INVARIANT: whatever is still to be judged stands behind these, and is not earlier.
    kept = unexpired(told[:settled], told[settled - 1].recorded_at - MARGIN)
    return told if len(kept) == settled else (*kept, *told[settled:])
