"""What was done, remembered for the rules that look back: added at its offset, dropped when out of sight.

It obeys the laws of all of a history: only what stands before an offset counts there, adding at an
offset twice is adding once, and what is dropped is so old that no event still to be judged, or
judged again, could see it.
"""

from dataclasses import replace
from typing import Final

from lawful.policies.offsets import before, place_of, put
from lawful.schemas.event import Micros
from lawful.schemas.history import ActedEntry, ActedFact, History

Acts = tuple[ActedEntry, ...]

MARGIN: Final[Micros] = 600_000_000
"""For so long beyond the longest look-back a fact is kept: times from several partitions are not quite in order."""

AGAIN: Final = 8_192
"""So far back in the log an event may be judged again: what it saw then must still be there."""

_SWEEP_EVERY: Final = 64
_SLACK: Final = 8
"""Leading facts may overstay by this part of their time, so that sweeping stays rare."""


def acts_before(history: History, offset: int) -> Acts:
    """What was done before an offset; the very same tuple if that is all."""
    return before(history.acts, offset)


def learn(history: History, offset: int, recorded_at: Micros, fact: ActedFact) -> History:
    """The history with what an event did; unchanged if that offset is in it already."""
    after = put(history.acts, offset, (ActedEntry(offset, recorded_at, fact),))
    if after is history.acts:
        return history
    return replace(history, through=max(history.through, offset), acts=_swept(after))


def moved_in(history: History, acts: Acts, offset: int) -> History:
    """The history with an alias's acts, which keep their times and get this offset."""
    after = put(history.acts, offset, tuple(replace(each, offset=offset) for each in acts))
    return history if after is history.acts else replace(history, through=max(history.through, offset), acts=after)


def unexpired(acts: Acts, now: Micros) -> Acts:
    """Those that some event from `now` on may still ask for; the very same tuple if that is all."""
    kept = tuple([each for each in acts if each.fact.until is None or each.fact.until >= now])
    return acts if len(kept) == len(acts) else kept


def _swept(acts: Acts) -> Acts:
    """Without what no event can ask for any more, not even one that is judged again."""
    settled = place_of(acts, acts[-1].offset - AGAIN)
    if not settled:
        return acts
    # INVARIANT: whatever is still to be judged stands behind this act, and is not earlier.
    cut, first, until = acts[settled - 1].recorded_at, acts[0], acts[0].fact.until
    overstays = until is not None and cut > until + (until - first.recorded_at) // _SLACK
    return unexpired(acts, cut) if overstays or len(acts) % _SWEEP_EVERY == 0 else acts
