"""What `lawful extract` shows: findings with their reasons, and default Presidio beside them."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from lawful.extractors.explain import Explained
from lawful.extractors.fields import Field, read
from lawful.extractors.pipeline import Pipeline
from lawful.extractors.port import Extraction, ExtractionSpec
from lawful.schemas.event import Payload, ToolResult, UserMessage, unsent
from lawful.schemas.view import ExtractionStatus

if TYPE_CHECKING:
    from lawful.extractors.presidio.default import DefaultHit

T = TypeVar("T")
Hits = dict[str, tuple[tuple[str, int, int, float], ...]]
_ROUNDS = 5
_ANY = "Please ask Marcus Thorne, who lives in Berlin, about 4111 1111 1111 1111 or me@example.com."


@dataclass(frozen=True, slots=True)
class Place:
    """A text of the payload that something was found in.

    Attributes:
        hits: findings, and hits that are none.
        presidio: what default Presidio finds: entity, start, end, score.
    """

    path: str
    text: str = field(repr=False)
    hits: tuple[Explained, ...] = ()
    presidio: tuple[tuple[str, int, int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """All that there is to show.

    Attributes:
        ours_ms: an extraction's time: warm, and of a text that was never seen before.
        presidio_ms: default Presidio's, likewise.
    """

    extraction: Extraction
    places: tuple[Place, ...]
    ours_ms: float
    presidio_ms: float | None = None

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "status": self.extraction.status.value,
            "reason": self.extraction.status_reason,
            "findings": [
                {**asdict(hit), "text": place.text[hit.start : hit.end]} for place in self.places for hit in place.hits
            ],
            "presidio": [
                {"path": place.path, "entity": entity, "start": start, "end": end, "score": score}
                for place in self.places
                for entity, start, end, score in place.presidio
            ],
            "ms": {"lawful": self.ours_ms, "presidio": self.presidio_ms},
        }


def payload_of(text: str) -> Payload:
    """A JSON container as a tool's result, other text as a message."""
    return ToolResult("extract", "extract", text) if text.lstrip()[:1] in {"{", "["} else UserMessage(text)


def show(build: Callable[[], Pipeline], text: str, spec: ExtractionSpec, *, compare: bool = False) -> Shown:
    """Extracts, explains, and if wanted compares.

    Args:
        build: builds a warm extractor.
        text: a message, or a JSON document.
        spec: of the policy.
        compare: whether to ask default Presidio as well (takes some seconds to load).
    """
    event = unsent(payload_of(text), "extract")
    pipeline = build()
    extraction, ours = _timed(lambda: pipeline.extract(event, spec), pipeline.forget)
    if extraction.status is not ExtractionStatus.COMPLETE:
        return Shown(extraction, (), ours)
    told = pipeline.explain(event, spec)
    fields = read(event.payload, spec.limits).fields
    hits, theirs = _presidio(fields) if compare else ({}, None)
    places = (_place(one, told, hits) for one in fields if not one.is_key)
    return Shown(extraction, tuple(place for place in places if place.hits or place.presidio), ours, theirs)


def _place(one: Field, told: Sequence[Explained], hits: Hits) -> Place:
    here = sorted((hit for hit in told if hit.path == one.path), key=lambda hit: (hit.start, hit.end, not hit.is_kept))
    return Place(one.path, one.text, tuple(here), hits.get(one.path, ()))


def _presidio(fields: Sequence[Field]) -> tuple[Hits, float]:
    """Default Presidio, leaf by leaf, with the fields' names as context."""
    from lawful.extractors.presidio.default import DefaultPresidio  # noqa: PLC0415 - seconds, only where it is wanted

    presidio = DefaultPresidio()
    presidio.hits(_ANY)  # loads what it needs
    leaves = [one for one in fields if not one.is_key]
    return _timed(lambda: {one.path: _found(presidio.hits(one.text, one.keys[-1:])) for one in leaves})


def _found(hits: "Iterable[DefaultHit]") -> tuple[tuple[str, int, int, float], ...]:
    return tuple((hit.entity, hit.start, hit.end, hit.score) for hit in hits)


def _timed(ask: Callable[[], T], before: Callable[[], None] = lambda: None) -> tuple[T, float]:
    """What it gives, and the milliseconds that it took at best."""
    answers, times = [], []
    for _ in range(_ROUNDS):
        before()
        began = time.perf_counter()
        answers.append(ask())
        times.append(time.perf_counter() - began)
    return answers[-1], round(min(times) * 1_000, 3)
