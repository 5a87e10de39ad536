"""What extraction costs while it goes on and on: CPU per event and memory at the start, half-way and at the end.

Whatever grows with what was read before shows as a difference between these. Our corpus has a few
hundred names and templates, so every text gets words that no text before it had.
"""

import json
import os
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from time import perf_counter, process_time
from typing import Any, Final, TypeVar

from lawful.infra.bench.processes import resident
from lawful.infra.scoring.readers import event_of
from lawful.schemas.event import AgentEvent, AgentMessage, Payload, ToolCall, ToolResult, UserMessage
from lawful.schemas.strict_json import parse_container

T = TypeVar("T")
_BATCH: Final = 64
_TENTHS: Final = {"first": 0.0, "middle": 0.45, "last": 0.9}
_SYLLABLES: Final = tuple(one + other for one in "bdfgklmnprstvz" for other in "aeiou")
_SCATTERED: Final = 314_159  # shares no factor with the number of words of four syllables


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds for some events."""

    wall: float = 0.0
    cpu: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.wall + other.wall, self.cpu + other.cpu)


@dataclass(slots=True)
class _Tenth:
    """What was measured in a tenth of all events."""

    start: float
    events: int = 0
    spent: Spent = Spent()
    resident: list[float] = field(default_factory=list)

    def told(self) -> dict[str, Any]:
        return {
            "events": self.events,
            "cpu_ms_per_event": round(1_000 * self.spent.cpu / self.events, 3),
            "resident_mib": round(statistics.fmean(self.resident), 1),
        }


def lasting(payloads: Iterable[Payload], count: int, read: Callable[[Sequence[AgentEvent]], None]) -> dict[str, Any]:
    """CPU per event and memory held, over all events and in the first, middle and last tenth of them.

    Args:
        payloads: at least `count`.
        count: how many are read, at least one.
        read: what is measured.
    """
    before, total, done = resident(os.getpid()), Spent(), 0
    tenths = {name: _Tenth(start) for name, start in _TENTHS.items()}
    for portion in portions(_renewed(islice(payloads, count)), max(1, min(_BATCH, count // 10))):
        events = [event_of(payload) for payload in portion]
        spent, held = timed(read, events), resident(os.getpid())
        for tenth in tenths.values():
            if 0 <= done / count - tenth.start < 0.1:  # noqa: PLR2004
                tenth.events, tenth.spent = tenth.events + len(events), tenth.spent + spent
                tenth.resident.append(held)
        total += spent
        done += len(events)
    return {
        "events": done,
        "cpu_ms_per_event": round(1_000 * total.cpu / done, 3),
        "resident_mib": {"before": round(before, 1), "after": round(resident(os.getpid()), 1)},
        "tenths": {name: tenth.told() for name, tenth in tenths.items() if tenth.events},
        "note": "memory of this whole process, default Presidio and its model included; every text has new words",
    }


def timed(task: Callable[..., None], *arguments: object) -> Spent:
    """What a call takes."""
    wall, cpu = perf_counter(), process_time()
    task(*arguments)
    return Spent(perf_counter() - wall, process_time() - cpu)


def portions(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items, so many at a time."""
    rest = iter(items)
    while portion := list(islice(rest, size)):
        yield portion


def new_word(number: int) -> str:
    """A word that no other number gives, up to 24 million of them."""
    rest, word = number * _SCATTERED % len(_SYLLABLES) ** 4, ""
    for _ in range(4):
        rest, syllable = divmod(rest, len(_SYLLABLES))
        word += _SYLLABLES[syllable]
    return word.capitalize()


def _renewed(payloads: Iterable[Payload]) -> Iterator[Payload]:
    """The payloads, each with a sentence that has not been read before."""
    for number, payload in enumerate(payloads):
        first, last, place = (new_word(3 * number + index) for index in range(3))
        yield _with(payload, f"{first} {last} from {place} will look at it.")


def _with(payload: Payload, sentence: str) -> Payload:
    match payload:
        case ToolCall(arguments=text):
            return replace(payload, arguments=_longer(text, sentence))
        case ToolResult(content=text):
            return replace(payload, content=_longer(text, sentence))
        case UserMessage(text) | AgentMessage(text):
            return replace(payload, text=_longer(text, sentence))
        case _:
            return payload


def _longer(text: str, sentence: str) -> str:
    """A text, or the text of an object, with a sentence more."""
    is_json, value = parse_container(text)
    if not is_json:
        return f"{text} {sentence}"
    if not value:
        return text
    added = json.dumps({"note_added": sentence} if isinstance(value, dict) else [sentence])
    return f"{text.rstrip()[:-1]}, {added[1:]}"
