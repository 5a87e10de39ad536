"""How one leaf of a payload loses what must not pass.

A string keeps everything outside the spans, byte for byte. Whatever is not a string goes whole
and keeps its JSON type, so that a tool's schema still holds where it can.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from lawful.client.blocked import Unredactable
from lawful.schemas.verdict import Action, Obligation

GONE: Final = object()
"""The member is to be removed from its object."""

_STRENGTH: Final = (Action.GENERALISE, Action.REPLACE, Action.MASK, Action.REMOVE)


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of text that goes, and what comes instead."""

    start: int
    end: int
    action: Action
    categories: tuple[str, ...]

    def filler(self) -> str:
        """What stands in the place of the stretch."""
        match self.action:
            case Action.REMOVE:
                return ""
            case Action.MASK:
                return "*" * (self.end - self.start)
            case Action.REPLACE | Action.GENERALISE:  # no generaliser is known here
                return placeholder(self.categories)


def placeholder(categories: Iterable[str]) -> str:
    """What a reader sees instead: `[user.contact.email]`."""
    return f"[{'|'.join(dict.fromkeys(categories))}]"


def redact_text(text: str, obligations: Sequence[Obligation]) -> str:
    """The text without the obligations' spans. Overlapping spans go as one, the strongest action wins.

    Raises:
        Unredactable: a span lies outside of the text: this is not the text that was judged.
    """
    cuts = merge([_cut(text, obligation) for obligation in obligations])
    edges = [0, *(edge for cut in cuts for edge in (cut.start, cut.end)), len(text)]
    kept = [text[start:end] for start, end in pairwise(edges)][::2]
    return kept[0] + "".join(cut.filler() + rest for cut, rest in zip(cuts, kept[1:], strict=True))


def merge(cuts: Iterable[Cut]) -> list[Cut]:
    """Cuts in order, no two of them overlapping."""
    merged: list[Cut] = []
    for cut in sorted(cuts, key=lambda cut: (cut.start, cut.end, cut.categories)):
        last = merged[-1] if merged else None
        if last and (cut.start < last.end or (cut.start, cut.end) == (last.start, last.end)):
            merged[-1] = _joined(last, cut)
        else:
            merged.append(cut)
    return merged


def redact_whole(value: Any, action: Action, categories: Iterable[str]) -> Any:
    """What stands in the place of a whole value of the same JSON type; `GONE` if nothing may."""
    if isinstance(value, str):
        return Cut(0, len(value), action, tuple(categories)).filler()
    if action is Action.REMOVE:
        return GONE
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return 0
    return type(value)() if isinstance(value, dict | list) else None


def strongest(obligations: Iterable[Obligation]) -> Action:
    """The action that leaves least."""
    return max((obligation.action for obligation in obligations), key=_STRENGTH.index)


def _cut(text: str, obligation: Obligation) -> Cut:
    start, end = obligation.start, obligation.end
    if start == end == 0:
        end = len(text)
    if not 0 <= start <= end <= len(text):
        raise Unredactable("obligation_misses_payload")
    return Cut(start, end, obligation.action, (obligation.category,))


def _joined(one: Cut, other: Cut) -> Cut:
    action = max(one.action, other.action, key=_STRENGTH.index)
    return Cut(one.start, max(one.end, other.end), action, (*one.categories, *other.categories))
