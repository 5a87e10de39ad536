"""Two readers of one payload: our extractor, and default Presidio asked field by field."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from lawful.extractors import build_extractor
from lawful.extractors.fields import Field, read
from lawful.extractors.port import ExtractionSpec, Extractor, Limits
from lawful.extractors.presidio.default import DefaultPresidio
from lawful.schemas.errors import MustStop
from lawful.schemas.event import AgentEvent, Payload
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.taxonomy import is_personal
from lawful.schemas.view import ExtractionStatus

TENANT: Final = "evaluation"
# Accuracy is measured here, not time: a busy machine must not turn into a missed value.
SPEC: Final = ExtractionSpec(limits=Limits(extraction_ms=60_000))


@dataclass(frozen=True, slots=True)
class Found:
    """A hit of either reader.

    Attributes:
        what: a data category, or an entity of Presidio's.
    """

    path: str
    start: int
    end: int
    what: str
    detector: str


Reader = Callable[[Payload], list[Found]]


def event_of(payload: Payload) -> AgentEvent:
    """An event with nothing of interest but its payload."""
    return AgentEvent(
        event_id="0190b0c0-0000-7000-8000-000000000000",
        occurred_at=0,
        tenant_id=TENANT,
        source="urn:lawful:evaluation",
        agent_id="agent",
        session_id="session",
        payload=payload,
    )


def our_extractor() -> Extractor:
    """The extractor as it ships, under a key that is no secret."""
    return build_extractor(Pseudonymiser(master=b"evaluation-0123456789"))


def ours(extractor: Extractor) -> Reader:
    """What our extractor finds.

    Raises:
        MustStop: it did not complete, so that its findings say nothing.
    """

    def reader(payload: Payload) -> list[Found]:
        extraction = extractor.extract(event_of(payload), SPEC)
        if extraction.status is not ExtractionStatus.COMPLETE:
            raise MustStop(f"extraction did not complete: {extraction.status_reason}")
        lengths = _lengths(read(payload, SPEC.limits).fields)
        return [
            Found(one.path, one.start, one.end or lengths.get(one.path, 0), one.category, one.detector)
            for one in extraction.findings
            if is_personal(one.category)
        ]

    return reader


def presidio(stock: DefaultPresidio) -> Reader:
    """What default Presidio finds in every text and leaf, with the field's name as context."""

    def reader(payload: Payload) -> list[Found]:
        fields = read(payload, SPEC.limits).fields
        return [found for field in fields if not field.is_key for found in _asked(stock, field)]

    return reader


def whole(stock: DefaultPresidio) -> Callable[[Payload], object]:
    """Default Presidio asked once for the payload's whole JSON: quicker, but it gives no place in a document."""
    return lambda payload: stock.hits(text_of(payload))


def text_of(payload: Payload) -> str:
    """A payload as one text."""
    parts: Mapping[str, str] = {name: getattr(payload, name, "") for name in ("text", "arguments", "content")}
    return next((part for part in parts.values() if part), "")


def _asked(stock: DefaultPresidio, field: Field) -> list[Found]:
    words = field.key.split("_") if field.key else ()
    return [
        Found(field.path, hit.start, hit.end, hit.entity, "presidio") for hit in stock.hits(field.text, tuple(words))
    ]


def _lengths(fields: Iterable[Field]) -> dict[str, int]:
    return {field.path: len(field.text) for field in fields if not field.is_key}
