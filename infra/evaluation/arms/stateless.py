"""What people would pick instead: nothing, chance, regular expressions, Presidio as it comes.

They look at one text at a time, take out what they find, and know no purpose, consent or past.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

from lawful.infra.evaluation.trial import Act, TrialStep
from lawful.schemas.event import Payload

Find = Callable[[str], list[tuple[int, int]]]

# The patterns that everybody writes first.
_USUAL: Final = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]+"  # addresses
    r"|\b(?:\d[ -]?){13,16}\b"  # cards
    r"|\b\d{3}-\d{2}-\d{4}\b"  # social security numbers
    r"|\+?\d{1,2}[ -]?\(?\d{3}\)?[ -]\d{3}[ -]\d{4}"  # telephone numbers
    r"|\b\d{1,3}(?:\.\d{1,3}){3}\b"  # IP addresses
    r"|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b"  # IBANs
)


def usual(text: str) -> list[tuple[int, int]]:
    """Where the usual patterns match."""
    return [match.span() for match in _USUAL.finditer(text)]


class Everything:
    """No monitor: all of it is delivered."""

    def pass_on(self, step: TrialStep) -> Payload | None:
        """See `Monitor`."""
        return step.event.payload


class Coin:
    """Blocks every other ordinary event, by chance."""

    def __init__(self, name: str, seed: int) -> None:
        self._dice = Random(f"{seed}/{name}")  # noqa: S311 - reproducible, and no secret

    def pass_on(self, step: TrialStep) -> Payload | None:
        """See `Monitor`."""
        heads = self._dice.random() < 0.5  # noqa: PLR2004 - a fair coin
        return step.event.payload if heads or not isinstance(step.truth, Act) else None


class Patterns:
    """Takes what it finds out of every text.

    Args:
        find: where to look; the usual patterns otherwise.
    """

    def __init__(self, find: Find = usual) -> None:
        self._find = find

    def pass_on(self, step: TrialStep) -> Payload | None:
        """See `Monitor`."""
        payload: Any = step.event.payload
        if not isinstance(step.truth, Act):
            return step.event.payload
        name = next(each for each in ("text", "arguments", "content") if hasattr(payload, each))
        text = getattr(payload, name)
        spans = merged(self._find(text))
        if not spans:
            return step.event.payload
        clean: Payload = replace(payload, **{name: _cut(text, spans)})
        return clean


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without overlaps, in order."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = f"{text[:start]}[redacted]{text[end:]}"
    return text
