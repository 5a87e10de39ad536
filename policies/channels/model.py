"""What a policy says about who gets what, once it has been read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from lawful.policies.model import Treatment
from lawful.schemas.event import RecipientKind
from lawful.schemas.taxonomy import line
from lawful.schemas.verdict import Decision

if TYPE_CHECKING:
    from lawful.policies.combinations.model import Combination

FIELD: Final = "system.field"
PATTERN: Final = "system.pattern"
ACTION: Final = "system.action"
UNSTRUCTURED: Final = "system.unstructured"
"""Names of marks: findings of what a policy itself asks for. They are no personal data."""


@dataclass(frozen=True, slots=True)
class Handling:
    """What becomes of something on a channel.

    Attributes:
        treatment: set for `redact`, and only then.
    """

    decision: Decision = Decision.FORWARD
    treatment: Treatment | None = None

    def __str__(self) -> str:
        return str(self.treatment or {Decision.FORWARD: "pass"}.get(self.decision, self.decision.word))


PASS: Final = Handling()


@dataclass(frozen=True, slots=True)
class Who:
    """A kind of parties; what is empty is any.

    Attributes:
        ids: with `*`.
        roles, regions: names of the policy's.
        outside: regions; whoever is not known to be in one of them.
    """

    kinds: frozenset[RecipientKind] = frozenset()
    ids: tuple[str, ...] = ()
    roles: frozenset[str] = frozenset()
    regions: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Channel:
    """What may pass to some recipients.

    Attributes:
        to, sender: whose; both must fit.
        exempt: recipients for whom it does not hold.
        categories: what becomes of them, by the nearest name.
        marks: the same of the policy's own fields and patterns, by their marks' category.
        otherwise: of every other category of personal data.
        actions: the structured actions that an agent's message may be; `None`: anything.
    """

    name: str
    to: Who = Who()
    exempt: Who | None = None
    sender: Who = Who()
    categories: Mapping[str, Handling] = field(default_factory=dict)
    marks: Mapping[str, Handling] = field(default_factory=dict)
    otherwise: Handling = PASS
    actions: frozenset[str] | None = None
    message: str = ""
    article: str = ""

    def of(self, category: str) -> Handling:
        """What becomes of personal data of this category."""
        return next((self.categories[name] for name in line(category) if name in self.categories), self.otherwise)


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that extraction is to point out because a channel asks about it.

    Attributes:
        category: under which it is found.
        member: a member's name, wherever it stands; or
        path: the steps of a pointer into the payload, `*` for each item of an array; or
        pattern: a regular expression.
    """

    category: str
    member: str = ""
    path: tuple[str, ...] = ()
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class ActionRule:
    """A structured action: a message between agents as JSON, `{"action": name, ...}`.

    Attributes:
        schema: JSON Schema of the message without its `action`.
    """

    name: str
    schema: Mapping[str, Any]
    description: str = ""


@dataclass(frozen=True, slots=True)
class Channels:
    """All that a policy says about recipients.

    Attributes:
        rules: by name.
        roles, regions: who is in them: ids with `*`.
        marks: what they ask about.
        actions: the structured actions, by name.
        combinations: what no recipient may learn together, by name.
    """

    rules: Mapping[str, Channel] = field(default_factory=dict)
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    regions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    actions: Mapping[str, ActionRule] = field(default_factory=dict)
    combinations: "Mapping[str, Combination]" = field(default_factory=dict)
