"""What a policy's temporal rules are once they are read: programs, and all that is known of them beforehand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from lawful.policies.mfotl.monitor import Program
from lawful.schemas.event import Micros, PayloadKind
from lawful.schemas.verdict import Decision
from lawful.schemas.view import View


class Slice(StrEnum):
    """Whose trace a rule is about."""

    SUBJECT = "subject"
    SESSION = "session"
    AGENT = "agent"
    TENANT = "tenant"


class Kind(StrEnum):
    """What a predicate's argument holds.

    `string` is anything a person may be found by, so only its keyed digest is known; `symbol` is
    one of a few words of the policy, in clear; `purpose`, `category` and `tool` are names.
    """

    STRING = "string"
    SYMBOL = "symbol"
    INT = "int"
    PURPOSE = "purpose"
    CATEGORY = "category"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a predicate.

    Attributes:
        path: reference tokens of the place in the payload; empty for built-in predicates.
        scheme: how strings are normalised before they are compared (`phone`, `email`, ...).
        values: the words of a symbol.
    """

    name: str
    kind: Kind
    path: tuple[str, ...] = ()
    scheme: str = "text"
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Predicate:
    """Something that events do or are.

    Attributes:
        payload: the kind of payload that does it; `None` for built-in predicates.
        tool: the tool that is called, or answers; of a message between agents, its structured action.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    payload: PayloadKind | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far a rule looks back at a predicate; `reach=None`: for ever."""

    reach: Micros | None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        formula: as it is written.
        decision: what a violation leads to.
        masks: argument names to be masked instead of blocking, by predicate.
        program: gives the witnesses of a violation.
        causes: predicates without any fact of which now there is no violation; `None`: there may be
            one at any event.
        looks_at: every predicate it speaks of.
        remembers: how far it looks back at which predicate.
        every: set if it also depends on events of which it asks nothing, as PREV does.
        compared: which arguments of which predicate it compares or joins, by place.
    """

    name: str
    formula: str
    slice: Slice
    decision: Decision
    message: str
    masks: Mapping[str, frozenset[str]]
    program: Program = field(compare=False, repr=False)
    causes: frozenset[str] | None
    looks_at: frozenset[str]
    remembers: Mapping[str, Horizon]
    every: Horizon | None = None
    article: str = ""
    compared: Mapping[str, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SliceRules:
    """The rules over one kind of slice.

    Attributes:
        looks_at: every predicate they speak of.
        remembers: how far any of them looks back at which predicate.
        every: how far back any of them depends on every event.
        always: one of them may be broken, or must be told, by an event that does nothing in their words.
    """

    rules: tuple[Rule, ...]
    looks_at: frozenset[str]
    remembers: Mapping[str, Horizon]
    every: Horizon | None
    always: bool


NONE: Final = SliceRules((), frozenset(), {}, None, always=False)


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of a policy, and the words they are written in.

    Attributes:
        predicates: the policy's own; by name.
        slices: the rules, by what they are about.
        warnings: what is not as the author may think, in sentences.
        at_facts: some rule speaks of consents, withdrawals or erasures at the moment they happen.
    """

    predicates: Mapping[str, Predicate]
    slices: Mapping[Slice, SliceRules]
    warnings: tuple[str, ...] = ()
    at_facts: bool = False

    def over(self, view: View) -> SliceRules:
        """The rules that a view is to be judged by."""
        if view.slice is not None:
            return self.slices.get(Slice(view.slice), NONE)
        # One view of each event tells the subject's rules what happened: its principal's.
        return self.slices.get(Slice.SUBJECT, NONE) if view.part == 0 else NONE

    def concern(self, view: View) -> bool:
        """Whether any rule could have something to say on a view. Quick; asked for every event."""
        if view.acts or view.slice is not None:
            return True
        return (view.fact is not None and self.at_facts) or self.over(view).always
