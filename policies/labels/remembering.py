"""Labels in a history: added at their offset, found by event or by memory's name, dropped when out of sight.

The laws are those of acts (`lawful.policies.rules.remembering`): only what stands before an offset
counts there, adding at an offset twice is adding once, and what is dropped no event that is still to
be judged, or judged again, could see.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from lawful.policies.offsets import before, place_of, put
from lawful.policies.rules.remembering import AGAIN, MARGIN
from lawful.schemas.event import Micros
from lawful.schemas.history import History, Label, LabelEntry, LabelFact

Entries = tuple[LabelEntry, ...]

_SWEEP_EVERY: Final = 64


def labels_before(history: History, offset: int) -> Entries:
    """What was carried before an offset; the very same tuple if that is all."""
    return before(history.labels, offset)


def found(entries: Entries, ids: Iterable[str], memory: str | None, now: Micros) -> Iterator[LabelFact]:
    """What these events carry, and the latest that went into memory under a name, unless that is over.

    Costs a walk back to the earliest of them: for a cause that is recent, a step or two.
    """
    wanted = set(ids)
    for entry in reversed(entries):
        if not wanted and memory is None:
            return
        fact = entry.fact
        is_memory = memory is not None and fact.memory == memory
        if fact.event_id in wanted or is_memory:
            wanted.discard(fact.event_id)
            memory = None if is_memory else memory
            if fact.until is None or now <= fact.until:
                yield fact


def carried_on(history: History, offset: int, recorded_at: Micros, fact: LabelFact) -> History:
    """The history with what an event carries; unchanged if that offset is in it already."""
    after = put(history.labels, offset, (LabelEntry(offset, recorded_at, fact),))
    if after is history.labels:
        return history
    return replace(history, through=max(history.through, offset), labels=_swept(after))


def moved_in(history: History, theirs: Entries, offset: int) -> History:
    """The history with an alias's labels, which keep their times and get this offset.

    An event that both sides know carries what either side says.
    """
    known = {entry.fact.event_id: entry.fact for entry in labels_before(history, offset)}
    moved = tuple(
        LabelEntry(offset, each.recorded_at, both(each.fact, known.get(each.fact.event_id))) for each in theirs
    )
    after = put(history.labels, offset, moved)
    return history if after is history.labels else replace(history, through=max(history.through, offset), labels=after)


def both(one: LabelFact, other: LabelFact | None) -> LabelFact:
    """One event's labels as two rows know them, together."""
    if other is None:
        return one
    until = None if one.until is None or other.until is None else max(one.until, other.until)
    labels = united((*other.labels, *one.labels))
    purposes = tuple(sorted({*one.purposes, *other.purposes}))
    return replace(one, labels=labels, purposes=purposes, memory=one.memory or other.memory, until=until)


def united(labels: Iterable[Label]) -> tuple[Label, ...]:
    """One label per category, sorted; of several sources the first in order of their ids, which is that of time."""
    best: dict[str, str] = {}
    for each in labels:
        best[each.category] = min(best.get(each.category, each.source), each.source)
    return tuple(Label(category, best[category]) for category in sorted(best))


def unexpired(labels: Entries, now: Micros) -> Entries:
    """Those that some event from `now` on may still inherit; the very same tuple if that is all."""
    latest: set[str] = set()
    kept: list[LabelEntry] = []
    for entry in reversed(labels):
        memory, until = entry.fact.memory, entry.fact.until
        # Of what went into memory under one name, the latest is what is read.
        if (until is None or until >= now) and (until is not None or memory not in latest):
            kept.append(entry)
        if memory is not None and until is None:
            latest.add(memory)
    return labels if len(kept) == len(labels) else tuple(reversed(kept))


def _swept(labels: Entries) -> Entries:
    """Without what no event can inherit any more, not even one that is judged again."""
    if len(labels) % _SWEEP_EVERY:
        return labels
    settled = place_of(labels, labels[-1].offset - AGAIN)
    if not settled:
        return labels
    # INVARIANT: whatever is still to be judged stands behind these, and is not earlier.
    kept = unexpired(labels[:settled], labels[settled - 1].recorded_at - MARGIN)
    return labels if len(kept) == settled else (*kept, *labels[settled:])
