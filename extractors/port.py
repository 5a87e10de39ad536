"""What the pipeline asks of an extractor, and what it gets back.

Extractors and policies are siblings that do not know each other: whoever composes them builds an
`ExtractionSpec` from a policy and hands it over with each event. Everything here is plain data.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from lawful.schemas.event import AgentEvent
from lawful.schemas.view import ExtractionStatus, Finding, PurposeClaim


@dataclass(frozen=True, slots=True)
class Limits:
    """Beyond these an event is withheld whole; nothing is ever cut.

    Attributes:
        max_bytes: of the payload's text, as UTF-8.
        max_depth: of nested JSON containers.
        max_fields: of keys and leaves of the payload.
        max_findings: of the whole event.
        extraction_ms: time for all recognisers together.
        extraction_steps: work for all of them together, in steps of about a microsecond.
    """

    max_bytes: int = 262_144
    max_depth: int = 32
    max_fields: int = 5_000
    max_findings: int = 2_000
    extraction_ms: int = 2_000
    extraction_steps: int = 45_000


@dataclass(frozen=True, slots=True)
class IdentifierPattern:
    """A policy's own identifiers: what matches `regex` points to a person under `scheme`.

    Without a scheme it points to a thing (an order): a finding, but of nobody.
    """

    scheme: str | None
    category: str
    regex: str


@dataclass(frozen=True, slots=True)
class KeyHint:
    """A policy's own field name: its whole value is of `category`, and identifies under `scheme`."""

    key: str
    category: str
    scheme: str | None = None


@dataclass(frozen=True, slots=True)
class NotPersonal:
    """Under this key, a value that `regex` matches whole is no personal data (an article number)."""

    key: str
    regex: str


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What the policy binds to a tool: its purposes, and the JSON Schema of its arguments."""

    purposes: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class MarkSpec:
    """Something that the policy asks to have pointed out, by one of three.

    Attributes:
        category: under which it is found; below `system`, so that it counts as no personal data.
        member: a member's name, wherever it stands.
        path: the steps of a pointer into the payload, `*` for each item of an array.
        pattern: a regular expression.
    """

    category: str
    member: str = ""
    path: tuple[str, ...] = ()
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class ExtractionSpec:
    """What an extractor needs to know of a policy.

    Attributes:
        tools: by the tool's name.
        purposes: all that the policy declares.
        message_purposes: of messages and memory accesses that declare none.
        identifiers: patterns of the policy's own identifiers.
        key_hints: field names that the policy adds; they win over the built-in ones.
        not_personal: values that only look like personal data.
        names: whether anything in the policy depends on names of people and places; where nothing
            does, no model is asked for them.
        generalised: categories whose text is generalised rather than replaced, and how
            (`lawful.schemas.generalising.HOW`).
        marks: what is pointed out beside.
    """

    tools: Mapping[str, ToolSpec] = field(default_factory=dict)
    purposes: tuple[str, ...] = ()
    message_purposes: tuple[str, ...] = ()
    identifiers: tuple[IdentifierPattern, ...] = ()
    key_hints: tuple[KeyHint, ...] = ()
    not_personal: tuple[NotPersonal, ...] = ()
    names: bool = True
    generalised: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = Limits()
    marks: tuple[MarkSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found. Unless `status` is complete, the findings must not be relied on.

    Attributes:
        findings: sorted by place; places and categories, never text.
        status_reason: a stable code, with the detector's name and the exception's class where
            one failed (`detector_failed:presidio.UsSsnRecognizer:ValueError`).
    """

    findings: tuple[Finding, ...] = ()
    purposes: tuple[PurposeClaim, ...] = ()
    status: ExtractionStatus = ExtractionStatus.COMPLETE
    status_reason: str = ""


class Extractor(Protocol):
    """Finds personal data and purposes in one event. Implementations are safe to share by threads."""

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """Never raises for what an event holds: what cannot be read is a status, and fails closed."""
        ...


Job = tuple[AgentEvent, ExtractionSpec]


@runtime_checkable
class BatchExtractor(Protocol):
    """An extractor that is faster with many events at once."""

    def extract_each(self, jobs: Sequence[Job]) -> Iterator[Extraction]:
        """What `extract` gives for each, in order, as it is worked out; no answer depends on the other events."""
        ...


def extract_each(extractor: Extractor, jobs: Sequence[Job]) -> Iterator[Extraction]:
    """What an extractor finds in each of many events, faster than one by one if it can do that."""
    if isinstance(extractor, BatchExtractor):
        return extractor.extract_each(jobs)
    return (extractor.extract(event, spec) for event, spec in jobs)
