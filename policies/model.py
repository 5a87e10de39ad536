"""What a policy is once it has been read: plain frozen data with look-ups for the hot path.

Nothing here checks anything; a `Policy` only ever comes out of `lawful.policies.load`, which does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from lawful.policies.labels.model import Labels
from lawful.schemas.event import Micros, RecipientKind
from lawful.schemas.generalising import natural
from lawful.schemas.taxonomy import line
from lawful.schemas.verdict import Action, Decision, Predicate

if TYPE_CHECKING:
    from lawful.policies.channels.model import Channels
    from lawful.policies.rules.model import Rules


class LegalBasis(StrEnum):
    """GDPR Art. 6(1)(a) to (f), in that order."""

    CONSENT = "consent"
    CONTRACT = "contract"
    LEGAL_OBLIGATION = "legal_obligation"
    VITAL_INTERESTS = "vital_interests"
    PUBLIC_TASK = "public_task"
    LEGITIMATE_INTERESTS = "legitimate_interests"


class Article9(StrEnum):
    """GDPR Art. 9(2)(a) to (j), in that order: what allows special categories."""

    EXPLICIT_CONSENT = "explicit_consent"
    EMPLOYMENT = "employment"
    VITAL_INTERESTS = "vital_interests"
    NOT_FOR_PROFIT = "not_for_profit"
    MADE_PUBLIC = "made_public"
    LEGAL_CLAIMS = "legal_claims"
    SUBSTANTIAL_PUBLIC_INTEREST = "substantial_public_interest"
    HEALTH_CARE = "health_care"
    PUBLIC_HEALTH = "public_health"
    RESEARCH = "research"


class Article10(StrEnum):
    """GDPR Art. 10: what allows data on criminal convictions and offences."""

    OFFICIAL_AUTHORITY = "official_authority"
    AUTHORISED_BY_LAW = "authorised_by_law"


@dataclass(frozen=True, slots=True)
class Controller:
    """Who answers for the processing, GDPR Art. 4(7)."""

    name: str
    contact: str = ""


@dataclass(frozen=True, slots=True)
class PurposeRule:
    """What the policy says about one purpose.

    Attributes:
        necessary: categories it needs; each covers what is below it.
        retention: how long the data is kept; declared for the record, not judged.
        survives_erasure: a legal duty keeps it alive after an erasure (Art. 17(3)(b)).
    """

    key: str
    legal_basis: LegalBasis
    necessary: frozenset[str] = frozenset()
    article9: Article9 | None = None
    article10: Article10 | None = None
    retention: Micros | None = None
    survives_erasure: bool = False
    description: str = ""

    @property
    def by_consent(self) -> bool:
        """Whether each person has to agree."""
        return self.legal_basis is LegalBasis.CONSENT

    @property
    def by_explicit_consent(self) -> bool:
        """Whether special categories need a consent that names them."""
        return self.article9 is Article9.EXPLICIT_CONSENT or (self.by_consent and self.article9 is None)

    def needs(self, category: str) -> bool:
        """Whether the purpose needs this category."""
        return any(name in self.necessary for name in line(category))


@dataclass(frozen=True, slots=True)
class ToolRule:
    """What the policy says about one tool.

    Attributes:
        purposes: what a call of it is for, whatever the agent declares.
        schema: JSON Schema of its arguments, where known.
    """

    name: str
    purposes: tuple[str, ...]
    recipient: RecipientKind = RecipientKind.TOOL
    schema: Mapping[str, Any] | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class IdentifierRule:
    """How this company's own identifiers look.

    Attributes:
        pattern: regular expression of the whole identifier within running text.
        keys: JSON member names whose values are such identifiers.
        identifies: it points to a person (a customer number), not to a thing (an order number).
    """

    scheme: str
    category: str
    pattern: str
    keys: tuple[str, ...] = ()
    identifies: bool = True


@dataclass(frozen=True, slots=True)
class KeyHint:
    """JSON member names that tell what their values are.

    Attributes:
        scheme: set when the value identifies a person.
    """

    keys: tuple[str, ...]
    category: str
    scheme: str | None = None


@dataclass(frozen=True, slots=True)
class NotPersonal:
    """Values that look like personal data and are not: article numbers under these member names.

    Attributes:
        pattern: the whole value must match, so that the member name alone lets nothing slip by.
    """

    keys: tuple[str, ...]
    pattern: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What this policy adds to the extractors' own knowledge."""

    identifiers: tuple[IdentifierRule, ...] = ()
    hints: tuple[KeyHint, ...] = ()
    not_personal: tuple[NotPersonal, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an event may be before it is withheld whole."""

    max_bytes: int = 262_144
    max_depth: int = 32
    extraction_ms: int = 2_000
    extraction_steps: int = 45_000


@dataclass(frozen=True, slots=True)
class Treatment:
    """What is done to a text that may not pass.

    Attributes:
        how: how to generalise, one of `lawful.schemas.generalising.HOW`; empty for other actions, and
            where the category's own way is meant.
    """

    action: Action
    how: str = ""

    def __str__(self) -> str:
        return f"{self.action.value} {self.how}".strip()


@dataclass(frozen=True, slots=True)
class Redaction:
    """What an obligation does to text, by category (nearest name wins)."""

    default: Treatment = Treatment(Action.REPLACE)
    by_category: Mapping[str, Treatment] = field(default_factory=dict)

    def of(self, category: str) -> Treatment:
        """What is done to text of this category."""
        found = next((self.by_category[name] for name in line(category) if name in self.by_category), self.default)
        if found.action is Action.GENERALISE and not found.how:
            return Treatment(found.action, natural(category))
        return found


@dataclass(frozen=True, slots=True)
class RegoRules:
    """The policy's own rules in Rego, and the limits they run in.

    Attributes:
        modules: name and text of each file, by name.
        names: the full names of the `deny` rules.
        decision: what a denial leads to.
        limit_ms: how long one evaluation may last, by the wall clock.
        memory_mb: the address space of the process that runs them.
    """

    modules: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    decision: Decision = Decision.BLOCK
    limit_ms: int = 100
    memory_mb: int = 256


DEFAULT_ACTIONS: Mapping[Predicate, Decision] = {
    Predicate.CONSENT: Decision.BLOCK,
    Predicate.PURPOSE: Decision.BLOCK,
    Predicate.MINIMISATION: Decision.REDACT,
    Predicate.ERASURE: Decision.BLOCK,
    Predicate.ERROR: Decision.BLOCK,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A controller's rules, ready to be judged by.

    Attributes:
        digest: SHA-256 (hex) of what the policy says; comments, order and layout do not count.
        actions: what a violation of each predicate leads to (`error`: a failed extraction).
        undeclared_tool: what the use of a tool that `tools` does not name leads to.
        rules: the policy's own temporal rules, if it has any.
        rego: the policy's own rules in Rego, if it has any.
        channels: what it says about recipients, if anything.
        labels: what events carry on to those that they cause.
        message_purposes: what chat messages, agents' messages and memory are for by default.
    """

    id: str
    version: str
    digest: str
    controller: Controller
    purposes: Mapping[str, PurposeRule]
    tools: Mapping[str, ToolRule] = field(default_factory=dict)
    message_purposes: tuple[str, ...] = ()
    actions: Mapping[Predicate, Decision] = field(default_factory=lambda: DEFAULT_ACTIONS)
    undeclared_tool: Decision = Decision.BLOCK
    redaction: Redaction = Redaction()
    limits: Limits = Limits()
    extraction: Extraction = Extraction()
    description: str = ""
    rules: "Rules | None" = None
    rego: RegoRules | None = None
    channels: "Channels | None" = None
    labels: Labels = field(default_factory=Labels)
    # Remembered answers to the same questions; see lawful.policies.plan. They change no decision.
    plans: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def rule(self, purpose: str) -> PurposeRule | None:
        """The rule for a purpose: its own, else the nearest declared name above it."""
        return next((self.purposes[name] for name in line(purpose) if name in self.purposes), None)

    def purposes_of_tool(self, tool: str) -> tuple[str, ...]:
        """What a call of the tool is for; empty for a tool that the policy does not name."""
        rule = self.tools.get(tool)
        return rule.purposes if rule else ()
