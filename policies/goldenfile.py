"""Golden cases as they are written: what happened to a subject, and what the policy must answer.

A case is a list of steps over one subject. A step is an event, how long after the last one it comes,
and (unless it only sets the scene) the whole expected answer: what is not listed must not be there.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from lawful.policies.document import Document, Name
from lawful.policies.load import GOLDEN_FILE
from lawful.policies.shape import check_shape
from lawful.schemas.event import RecipientKind, RequestKind
from lawful.schemas.textfile import read_text
from lawful.schemas.verdict import Outcome
from lawful.schemas.view import ExtractionStatus, SubjectRole
from lawful.schemas.yamltree import Tree, read_yaml

Duration = Annotated[str, Field(pattern=r"^[0-9]{1,6}[smhdwy]$")]


class DecisionWord(StrEnum):
    """A decision as it is written."""

    FORWARD = "forward"
    WARN = "warn"
    REDACT = "redact"
    BLOCK = "block"


class FindingDocument(Document):
    """A category that was found; written as the bare category where nothing else matters."""

    category: Name
    at: str = "/text"
    essential: bool = False


class ConsentDocument(Document):
    """A consent that the subject gives."""

    purposes: Annotated[list[Name], Field(min_length=1)]
    categories: list[Name] | None = None
    lasts: Duration | None = None
    re_enrols: bool = False


class WithdrawalDocument(Document):
    """A withdrawal; without purposes, of everything."""

    purposes: list[Name] | None = None


class RecipientDocument(Document):
    """To whom an event goes."""

    kind: Annotated[RecipientKind, Field(strict=False)]
    id: Name = ""
    region: Name | None = None


class EventDocument(Document):
    """An event: a tool call (`tool`), a consent, a withdrawal, a request, a link or a message.

    Attributes:
        result: the tool's result, not its call.
        purposes: declared by the agent, beside those of the tool or of messages.
        inferred: concluded by an extractor.
        arguments: of the tool call, as far as the policy's own rules ask for them.
        content: of the tool's result, likewise.
        links: facts of another pseudonym that turns out to be the same person's.
        to: its recipient; without one it travels every channel on which its like could go.
        agent: who acts.
    """

    tool: Name | None = None
    result: bool = False
    message: Literal["user", "assistant", "agent"] | None = None
    memory: Literal["read", "write"] | None = None
    consent: ConsentDocument | None = None
    withdrawal: WithdrawalDocument | None = None
    request: Annotated[RequestKind, Field(strict=False)] | None = None
    links: list["EventDocument"] | None = None
    purposes: list[Name] = Field(default_factory=list)
    inferred: list[Name] = Field(default_factory=list)
    finds: list[Name | FindingDocument] = Field(default_factory=list)
    arguments: dict[str, Any] = Field(default_factory=dict)
    content: Any = None
    role: Annotated[SubjectRole, Field(strict=False)] = SubjectRole.PRINCIPAL
    extraction: Annotated[ExtractionStatus, Field(strict=False)] = ExtractionStatus.COMPLETE
    after: Duration = "1s"
    to: RecipientDocument | None = None
    agent: Name = "golden"


class ExpectDocument(Document):
    """The whole expected answer.

    Attributes:
        violations: `P1 consent_missing`, and so on.
        redact: the categories that obligations name.
        treated: what is done to some of them, as a policy says it: `mask`, `generalise year`.
    """

    decision: Annotated[DecisionWord, Field(strict=False)]
    violations: list[Name] = Field(default_factory=list)
    redact: list[Name] = Field(default_factory=list)
    treated: dict[str, Name] = Field(default_factory=dict)
    outcome: Annotated[Outcome, Field(strict=False)] | None = None
    exceptions: list[Name] = Field(default_factory=list)


class StepDocument(Document):
    """An event and its expected answer."""

    event: EventDocument
    expect: ExpectDocument


class CaseDocument(Document):
    """A golden case.

    Attributes:
        given: events that set the scene.
    """

    name: Name
    given: list[EventDocument] = Field(default_factory=list)
    steps: Annotated[list[StepDocument], Field(min_length=1)]


class GoldenDocument(Document):
    """A file of golden cases."""

    cases: Annotated[list[CaseDocument], Field(min_length=1)]


def load_golden(path: str | Path) -> tuple[CaseDocument, ...]:
    """The cases in a YAML file, or in the `golden.yaml` of a folder.

    Raises:
        ConfigurationError: it cannot be read, or is wrong; says where.
    """
    path = Path(path)
    file = path / GOLDEN_FILE if path.is_dir() else path
    return parse_golden(read_text(file), str(file))


def parse_golden(text: str, file: str = GOLDEN_FILE) -> tuple[CaseDocument, ...]:
    """The cases that a text describes.

    Raises:
        InvalidPolicy: it is wrong; says where.
    """
    tree: Tree = read_yaml(text, file)
    return tuple(check_shape(tree, GoldenDocument).cases)
