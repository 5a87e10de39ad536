"""The shape of a policy file, as pydantic checks it: which keys there are and what they hold.

Only the shape; whether the names in it mean anything is `lawful.policies.checks`. These models never
leave the loader.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lawful.policies.model import Article9, Article10, LegalBasis
from lawful.schemas.event import RecipientKind
from lawful.schemas.verdict import Action

# Keys whose shape is not fixed yet. What they say would not be judged, so they must be empty.
DOORS = {
    "rules": "temporal rules are not supported by this version",
    "rego": "Rego is not supported by this version",
    "recipients": "rules about recipients are not supported by this version",
    "regions": "rules about regions are not supported by this version",
}


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
Treatment = Annotated[Action, Field(strict=False)]
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


class RedactionDocument(Document):
    """`redaction`: what happens to text that may not pass."""

    default: Treatment = Action.REPLACE
    by_category: dict[str, Treatment] = {}


class LimitsDocument(Document):
    """`limits`: beyond these an event is withheld whole."""

    max_bytes: Size = 262_144
    max_depth: Size = 32
    extraction_ms: Size = 2_000


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
    # See DOORS.
    rules: list[Any] | None = None
    rego: Any = None
    recipients: Any = None
    regions: Any = None
