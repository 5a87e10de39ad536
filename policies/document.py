"""The shape of a policy file, as pydantic checks it: which keys there are and what they hold.

Only the shape; whether the names in it mean anything is `lawful.policies.checks`. These models never
leave the loader.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from lawful.policies import model
from lawful.policies.model import Article9, Article10, LegalBasis
from lawful.schemas.event import RecipientKind
from lawful.schemas.generalising import HOW, parse_how
from lawful.schemas.verdict import Action, Decision


class ActionWord(StrEnum):
    """What a violation may lead to."""

    WARN = "warn"
    REDACT = "redact"
    BLOCK = "block"


# Strict everywhere else: `version: 1.10` must not quietly become 1.1.
Basis = Annotated[LegalBasis, Field(strict=False)]
Condition9 = Annotated[Article9, Field(strict=False)]
Condition10 = Annotated[Article10, Field(strict=False)]
Kind = Annotated[RecipientKind, Field(strict=False)]
Word = Annotated[ActionWord, Field(strict=False)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Size = Annotated[int, Field(ge=1)]


class Document(BaseModel):
    """A mapping with known keys and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ControllerDocument(Document):
    """`controller`."""

    name: Name
    contact: str = ""


class PurposeDocument(Document):
    """One of `purposes`."""

    legal_basis: Basis
    article9: Condition9 | None = None
    article10: Condition10 | None = None
    necessary: list[Name] = []
    retention: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,5}[smhdwy]$")] | None = None
    survives_erasure: bool = False
    description: str = ""


class ToolDocument(Document):
    """One of `tools`."""

    purposes: list[Name]
    recipient: Kind = RecipientKind.TOOL
    # `schema` would hide a method of pydantic's.
    arguments: Annotated[dict[str, Any] | None, Field(alias="schema")] = None
    description: str = ""


class MessagesDocument(Document):
    """`messages`: what chat, agents' messages and memory are for, unless an event says otherwise."""

    purposes: list[Name] = []


class ActionsDocument(Document):
    """`actions`: what violations lead to."""

    P1: Word = ActionWord.BLOCK
    P2: Word = ActionWord.BLOCK
    P3: Word = ActionWord.REDACT
    P4: Word = ActionWord.BLOCK
    undeclared_tool: Word | None = None


class GeneraliseDocument(Document):
    """`{generalise: year}`: how exactly text is generalised."""

    generalise: str


def _treatment(said: object) -> Action | GeneraliseDocument:
    """What is said of a category, read; one problem at its place where pydantic would tell one for each form."""
    if isinstance(said, str) and said in list(Action):
        return Action(said)
    how = said.get("generalise") if isinstance(said, dict) and len(said) == 1 else None
    try:
        parse_how(str(how))
    except ValueError:
        words = f"{', '.join(Action)}, or {{generalise: ...}} with {', '.join(HOW)}"
        raise PydanticCustomError("treatment", "no treatment; there are {words}", {"words": words}) from None
    return GeneraliseDocument(generalise=str(how))


Treatment = Annotated[Action | GeneraliseDocument, BeforeValidator(_treatment)]


def as_treatment(said: Action | GeneraliseDocument) -> model.Treatment:
    """A treatment as the judge reads it."""
    if isinstance(said, GeneraliseDocument):
        return model.Treatment(Action.GENERALISE, said.generalise)
    return model.Treatment(said)


class RedactionDocument(Document):
    """`redaction`: what happens to text that may not pass."""

    default: Annotated[Action, Field(strict=False)] = Action.REPLACE
    by_category: dict[str, Treatment] = {}


class LimitsDocument(Document):
    """`limits`: beyond these an event is withheld whole."""

    max_bytes: Size = 262_144
    max_depth: Size = 32
    extraction_ms: Size = 2_000
    # Some ten seconds of one core; beyond that, a limit is none.
    extraction_steps: Annotated[int, Field(ge=1, le=10_000_000)] = 45_000


class IdentifierDocument(Document):
    """One of `extraction.identifiers`."""

    scheme: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")]
    category: Name
    pattern: Name
    keys: list[Name] = []
    identifies: bool = True


class HintDocument(Document):
    """One of `extraction.hints`."""

    keys: Annotated[list[Name], Field(min_length=1)]
    category: Name
    scheme: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")] | None = None


class NotPersonalDocument(Document):
    """One of `extraction.not_personal`."""

    keys: Annotated[list[Name], Field(min_length=1)]
    pattern: Name


class ExtractionDocument(Document):
    """`extraction`: what the company's own identifiers look like."""

    identifiers: list[IdentifierDocument] = []
    hints: list[HintDocument] = []
    not_personal: list[NotPersonalDocument] = []


class ParameterDocument(Document):
    """One of a predicate's `args`: where its value stands, and what it is."""

    path: Annotated[str, Field(pattern=r"^(/[^/]+)+$", max_length=500)]
    type: Literal["string", "symbol", "int"] = "string"
    scheme: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")] = "text"
    values: list[Name] = []


class PredicateDocument(Document):
    """One of `predicates`: something that events do, in words that rules use."""

    tool: Name | None = None
    on: Literal["call", "result"] = "call"
    message: Literal["user", "assistant", "agent"] | None = None
    action: Name | None = None
    args: dict[str, ParameterDocument] = {}


class MaskDocument(Document):
    """`on_violation: {mask: [...]}`."""

    mask: Annotated[list[Name], Field(min_length=1)]


class RuleDocument(Document):
    """One of `rules`: what must hold at every event."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")]
    formula: Annotated[str, Field(min_length=1, max_length=20_000)]
    slice: Literal["subject", "session", "agent", "tenant"] = "subject"
    on_violation: Literal["block", "warn"] | MaskDocument = "block"
    message: Annotated[str, Field(max_length=500)] = ""
    article: Annotated[str, Field(max_length=100)] = ""

    @property
    def decision(self) -> Decision:
        """What a violation is to lead to."""
        if isinstance(self.on_violation, MaskDocument):
            return Decision.REDACT
        return Decision.BLOCK if self.on_violation == "block" else Decision.WARN

    @property
    def fields(self) -> tuple[str, ...]:
        """The arguments to mask."""
        return tuple(self.on_violation.mask) if isinstance(self.on_violation, MaskDocument) else ()


def _handling(said: object) -> str | GeneraliseDocument:
    """What becomes of something on a channel: a word, or how to generalise."""
    if isinstance(said, str) and said in HANDLINGS:
        return said
    try:
        treated = _treatment(said)
    except PydanticCustomError:
        words = f"{', '.join(HANDLINGS)}, or {{generalise: ...}} with {', '.join(HOW)}"
        raise PydanticCustomError("handling", "no way to handle it; there are {words}", {"words": words}) from None
    return treated.value if isinstance(treated, Action) else treated


HANDLINGS = ("pass", "warn", *(each.value for each in Action), "block")
Handling = Annotated[str | GeneraliseDocument, BeforeValidator(_handling)]
Slug = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")]


def _listed(said: object) -> object:
    return [said] if isinstance(said, str) else said


class WhoDocument(Document):
    """`to`, `from` and `except` of a channel: one or several of each; what is not said is any."""

    kind: Annotated[list[Kind], BeforeValidator(_listed)] = []
    id: Annotated[list[Name], BeforeValidator(_listed)] = []
    role: Annotated[list[Name], BeforeValidator(_listed)] = []
    region: Annotated[list[Name], BeforeValidator(_listed)] = []
    outside: Annotated[list[Name], BeforeValidator(_listed)] = []


class PatternDocument(Document):
    """One of a channel's `patterns`."""

    match: Annotated[str, Field(min_length=1, max_length=2_000)]
    do: Handling


class RecipientDocument(Document):
    """One of `recipients`: a channel."""

    name: Slug
    to: WhoDocument = WhoDocument()
    exempt: Annotated[WhoDocument | None, Field(alias="except")] = None
    sender: Annotated[WhoDocument, Field(alias="from")] = WhoDocument()
    categories: dict[str, Handling] = {}
    fields: dict[Annotated[str, Field(min_length=1, max_length=500)], Handling] = {}
    patterns: dict[Slug, PatternDocument] = {}
    otherwise: Handling = "pass"
    structured: list[Name] | None = None
    message: Annotated[str, Field(max_length=500)] = ""
    article: Annotated[str, Field(max_length=100)] = ""


class CombinationDocument(Document):
    """One of `combinations`: categories that one recipient may not learn together about one person."""

    name: Slug
    categories: Annotated[list[Name], Field(min_length=2, max_length=20)]
    most: Annotated[int | None, Field(ge=0)] = None
    to: WhoDocument = WhoDocument()
    exempt: Annotated[WhoDocument | None, Field(alias="except")] = None
    keep: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,5}[smhd]$")] = "1d"
    do: Handling = "block"
    message: Annotated[str, Field(max_length=500)] = ""
    article: Annotated[str, Field(max_length=100)] = ""


class StructuredDocument(Document):
    """One of `structured`: an action that agents may ask of each other, as JSON."""

    members: Annotated[dict[str, Any], Field(alias="schema")]
    description: str = ""


class RegoDocument(Document):
    """`rego`: rules in Rego, in files beside the policy."""

    modules: Annotated[
        list[Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]*\.rego$", max_length=100)]],
        Field(min_length=1, max_length=16),
    ]
    on_violation: Literal["block", "warn"] = "block"
    limit_ms: Annotated[int, Field(ge=1, le=10_000)] = 100
    memory_mb: Annotated[int, Field(ge=96, le=4_096)] = 256


class DeclassificationDocument(Document):
    """One of `labels.declassify`: who may lift which labels, what for, and why that is right."""

    name: Slug
    why: Annotated[str, Field(min_length=1, max_length=500)]
    agents: Annotated[list[Name], Field(min_length=1)]
    purposes: Annotated[list[Name], Field(min_length=1)]
    categories: Annotated[list[Name], Field(min_length=1)]


class LabelsDocument(Document):
    """`labels`: what events carry on to those that they cause."""

    givers: Annotated[list[Literal["user", "assistant", "agent", "call", "result", "memory"]], Field(alias="from")] = [
        "agent",
        "memory",
    ]
    keep: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,5}[smhd]$")] = "1d"
    without_place: Literal["block", "withhold"] = "block"
    declassify: list[DeclassificationDocument] = []


class PolicyDocument(Document):
    """A policy file."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,62}$")]
    version: Name
    description: str = ""
    controller: ControllerDocument
    purposes: Annotated[dict[str, PurposeDocument], Field(min_length=1)]
    tools: dict[str, ToolDocument] = {}
    messages: MessagesDocument = MessagesDocument()
    actions: ActionsDocument = ActionsDocument()
    on_extraction_failure: Literal["block", "warn"] = "block"
    redaction: RedactionDocument = RedactionDocument()
    limits: LimitsDocument = LimitsDocument()
    extraction: ExtractionDocument = ExtractionDocument()
    # Set by `lawful policy new`; while it is there, the policy is refused.
    draft: bool = False
    predicates: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")], PredicateDocument] = {}
    rules: list[RuleDocument] = []
    rego: RegoDocument | None = None
    labels: LabelsDocument | None = None
    structured: dict[Slug, StructuredDocument] = {}
    roles: dict[Name, Annotated[list[Name], BeforeValidator(_listed)]] = {}
    regions: dict[Name, Annotated[list[Name], BeforeValidator(_listed)]] = {}
    recipients: list[RecipientDocument] = []
    combinations: list[CombinationDocument] = []
