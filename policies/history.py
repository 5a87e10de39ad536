"""Remembering one subject: facts in log order, read as of an offset.

Everything here takes a history and gives a new one. Because reading is always "before this
offset" and adding the fact of an offset twice is adding it once, an event that is delivered again
finds the world as it was, even after later facts (design: the decision).
"""

from bisect import bisect_left

from lawful.policies.merging import strictest
from lawful.policies.pruning import compact
from lawful.policies.rules.remembering import moved_in, unexpired
from lawful.schemas.event import Micros
from lawful.schemas.history import Entry, Fact, History, MergeFact

Entries = tuple[Entry, ...]


def as_of(history: History, offset: int) -> Entries:
    """The facts from before this offset, in log order."""
    entries = history.entries
    if not entries or entries[-1].offset < offset:
        return entries
    return entries[: _place(entries, offset)]


def effective_time(entries: Entries, recorded_at: Micros) -> Micros:
    """The time of a decision: never earlier than anything it knows of."""
    return max([recorded_at, *[entry.recorded_at for entry in entries]])


def add(history: History, offset: int, recorded_at: Micros, fact: Fact) -> History:
    """The history with one more fact at its place; unchanged if that offset is in it already."""
    return _insert(history, offset, (Entry(offset, recorded_at, fact),))


def merge(history: History, fact: MergeFact, offset: int, recorded_at: Micros) -> History:
    """The history of the one person behind two pseudonyms.

    The alias's facts keep their time and get this offset; behind them stands what makes the whole,
    read in order, as strict as both sides were (A13). Unchanged if that offset is in it already, or
    the alias brings nothing.
    """
    if fact.acts:
        history = moved_in(history, fact.acts, offset)
    if not fact.entries:
        return history
    marker = Entry(offset, recorded_at, MergeFact(fact.event_id, fact.alias))
    moved = tuple(Entry(offset, entry.recorded_at, entry.fact) for entry in fact.entries)
    closing = strictest(as_of(history, offset), fact.entries, fact.event_id)
    return _insert(history, offset, (marker, *moved, *(Entry(offset, recorded_at, each) for each in closing)))


def prune(history: History, before: Micros, margin: Micros = 0) -> History:
    """The history without what can no longer change any answer.

    Only the leading facts older than `before - margin` are looked at, so every event that stands
    behind them in the log gets the byte-identical verdict. What remains of them is bounded by the
    number of different consents and withdrawals, not by the length of the log.
    """
    cut = before - margin
    entries = history.entries
    length = next((index for index, entry in enumerate(entries) if entry.recorded_at >= cut), len(entries))
    kept = compact(entries[:length], cut)
    acts = unexpired(history.acts, cut)
    if len(kept) == length and acts is history.acts:
        return history
    return History((*kept, *entries[length:]), history.through, acts)


def _place(entries: Entries, offset: int) -> int:
    return bisect_left(entries, offset, key=lambda entry: entry.offset)


def _insert(history: History, offset: int, new: Entries) -> History:
    entries = history.entries
    place = _place(entries, offset)
    if place < len(entries) and entries[place].offset == offset:
        return history
    return History((*entries[:place], *new, *entries[place:]), max(history.through, offset), history.acts)
