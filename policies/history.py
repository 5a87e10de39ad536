"""Remembering one subject: facts in log order, read as of an offset.

Everything here takes a history and gives a new one. Because reading is always "before this
offset" and adding the fact of an offset twice is adding it once, an event that is delivered again
finds the world as it was, even after later facts (design: the decision).
"""

from dataclasses import replace

from lawful.policies.combinations import remembering as telling
from lawful.policies.labels import remembering as labelled
from lawful.policies.merging import strictest
from lawful.policies.offsets import before as standing_before
from lawful.policies.offsets import put
from lawful.policies.pruning import compact
from lawful.policies.rules.remembering import moved_in, unexpired
from lawful.schemas.event import Micros
from lawful.schemas.history import ConsentFact, Entry, Fact, History, MergeFact

Entries = tuple[Entry, ...]


def as_of(history: History, offset: int) -> Entries:
    """The facts from before this offset, in log order."""
    return standing_before(history.entries, offset)


def effective_time(entries: Entries, recorded_at: Micros) -> Micros:
    """The time of a decision: never earlier than anything it knows of."""
    return max([recorded_at, *[entry.recorded_at for entry in entries]])


def add(history: History, offset: int, recorded_at: Micros, fact: Fact) -> History:
    """The history with one more fact at its place; unchanged if that offset is in it already."""
    return insert(history, offset, (Entry(offset, recorded_at, fact),))


def merge(history: History, fact: MergeFact, offset: int, recorded_at: Micros) -> History:
    """The history of the one person behind two pseudonyms.

    The alias's facts keep their time and get this offset; behind them stands what makes the whole,
    read in order, as strict as both sides were (A13). A mark says who is one of them now. Unchanged
    if that offset is in it already.
    """
    if fact.acts:
        history = moved_in(history, fact.acts, offset)
    history = labelled.moved_in(history, fact.labels, offset)
    history = telling.moved_in(history, fact.told, offset)
    if not set(fact.keys) <= set(history.keys):
        history = replace(history, keys=tuple(sorted({*history.keys, *fact.keys})))
    marker = Entry(offset, recorded_at, MergeFact(fact.event_id, fact.alias))
    moved = tuple(Entry(offset, entry.recorded_at, given_under(entry.fact, fact.alias)) for entry in fact.entries)
    closing = strictest(as_of(history, offset), moved, fact.event_id) if moved else []
    return insert(history, offset, (marker, *moved, *(Entry(offset, recorded_at, each) for each in closing)))


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
    acts, labels = unexpired(history.acts, cut), labelled.unexpired(history.labels, cut)
    told = telling.unexpired(history.told, cut)
    if len(kept) == length and acts is history.acts and labels is history.labels and told is history.told:
        return history
    return replace(history, entries=(*kept, *entries[length:]), acts=acts, labels=labels, told=told)


def given_under(fact: Fact, alias: str) -> Fact:
    """A consent that moves says under which pseudonym it was given, should the two be set apart again."""
    return replace(fact, under=(alias,)) if isinstance(fact, ConsentFact) and not fact.under else fact


def insert(history: History, offset: int, new: Entries) -> History:
    """The history with facts of one offset at their place; unchanged if there are none, or that offset is in it."""
    after = put(history.entries, offset, new)
    return (
        history if after is history.entries else replace(history, entries=after, through=max(history.through, offset))
    )
