"""How one leaf of a payload loses what must not pass.

A string keeps everything outside the spans, byte for byte. Whatever is not a string goes whole
and keeps its JSON type, so that a tool's schema still holds where it can. What cannot be
generalised or tagged is replaced: nothing stays because it was not understood.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from lawful.client.blocked import Unredactable
from lawful.client.tags import Tags
from lawful.schemas.generalising import generalise, generalise_number
from lawful.schemas.verdict import Action, Obligation

GONE: Final = object()
"""The member is to be removed from its object."""

_STRENGTH: Final = (
    Action.GENERALISE, Action.HASH, Action.PLACEHOLDER, Action.REPLACE, Action.MASK, Action.REMOVE
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Means:
    """What some actions need to be done.

    Attributes:
        tags: the session's, for `hash` and `placeholder`; without them, both replace.
        typed: whether what is generalised keeps the form that a schema may ask for.
    """

    tags: Tags | None = None
    typed: bool = False


PLAIN: Final = Means()


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of text that goes, and what comes instead."""

    start: int
    end: int
    action: Action
    categories: tuple[str, ...]
    detail: str = ""

    def filler(self, text: str, means: Means = PLAIN) -> str:
        """What stands in the place of the stretch of this text."""
        gone = text[self.start : self.end]
        match self.action:
            case Action.REMOVE:
                return ""
            case Action.MASK:
                return "*" * len(gone)
            case Action.GENERALISE:
                coarser = generalise(gone, self.detail, typed=means.typed)
                return placeholder(self.categories) if coarser is None else coarser
            case Action.HASH | Action.PLACEHOLDER if means.tags is not None:
                name = "|".join(dict.fromkeys(self.categories))
                return f"[{name}#{means.tags.of(self.action, name, gone)}]"
            case _:
                return placeholder(self.categories)


def placeholder(categories: Iterable[str]) -> str:
    """What a reader sees instead: `[user.contact.email]`."""
    return f"[{'|'.join(dict.fromkeys(categories))}]"


def redact_text(text: str, obligations: Sequence[Obligation], means: Means = PLAIN) -> str:
    """The text without the obligations' spans. Overlapping spans go as one, the strongest action wins.

    Raises:
        Unredactable: a span lies outside of the text: this is not the text that was judged.
    """
    cuts = merge([_cut(text, obligation) for obligation in obligations])
    edges = [0, *(edge for cut in cuts for edge in (cut.start, cut.end)), len(text)]
    kept = [text[start:end] for start, end in pairwise(edges)][::2]
    return kept[0] + "".join(cut.filler(text, means) + rest for cut, rest in zip(cuts, kept[1:], strict=True))


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


def redact_whole(value: Any, obligations: Sequence[Obligation], means: Means = PLAIN) -> Any:
    """What stands in the place of a whole value of the same JSON type; `GONE` if nothing may."""
    if isinstance(value, str):
        whole = [replace(each, start=0, end=len(value)) for each in obligations]
        return redact_text(value, whole, means)
    action = strongest(obligations)
    if action is Action.REMOVE:
        return GONE
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return _redact_number(value, obligations)
    return type(value)() if isinstance(value, dict | list) else None


def _redact_number(value: float, obligations: Sequence[Obligation]) -> float:
    """Zero, unless all agree on how to generalise it."""
    ways = {(each.action, each.detail) for each in obligations}
    action, detail = ways.pop()
    coarser = generalise_number(value, detail) if action is Action.GENERALISE and not ways else None
    return 0 if coarser is None else coarser


def strongest(obligations: Iterable[Obligation]) -> Action:
    """The action that leaves least."""
    return max((obligation.action for obligation in obligations), key=_STRENGTH.index)


def _cut(text: str, obligation: Obligation) -> Cut:
    start, end = obligation.start, obligation.end
    if start == end == 0:
        end = len(text)
    if not 0 <= start <= end <= len(text):
        raise Unredactable("obligation_misses_payload")
    return Cut(start, end, obligation.action, (obligation.category,), obligation.detail)


def _joined(one: Cut, other: Cut) -> Cut:
    action = max(one.action, other.action, key=_STRENGTH.index)
    is_same = (one.start, one.end, one.detail) == (other.start, other.end, other.detail)
    if action is Action.GENERALISE and not is_same:  # there is no one way to generalise it
        action = Action.REPLACE
    categories = (*one.categories, *other.categories)
    return Cut(one.start, max(one.end, other.end), action, categories, one.detail if is_same else "")
