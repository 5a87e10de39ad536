"""Everyday events of the packs' fleets: mostly in order, now and then something wrong.

Fleets repeat themselves: the same tools with the same purposes and the same kinds of data, for
many people. Everybody has agreed to what needs consent; one event in ten holds a category too many
or claims a purpose that nobody declared.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

from lawful.policies.judge import At, judge
from lawful.policies.load import load_pack, pack_names
from lawful.policies.model import Policy, ToolRule
from lawful.schemas.event import Micros, PayloadKind
from lawful.schemas.history import EMPTY, ConsentFact, History
from lawful.schemas.view import Finding, Provenance, PurposeClaim, SourcePosition, SubjectRole, View

TOPIC: Final = "lawful.annotated"
BEGIN: Final[Micros] = 1_700_000_000_000_000
SECOND: Final[Micros] = 1_000_000
_MOST_FINDINGS = 3


@dataclass(frozen=True, slots=True)
class Given:
    """One event with all that its decision depends on."""

    view: View
    at: At
    history: History
    policy: Policy
    before: tuple["Given", ...] = ()  # its subject's trace so far


@cache
def policies() -> tuple[Policy, ...]:
    """The packs."""
    return tuple(load_pack(name) for name in pack_names())


def everyday(people: int, events_each: int, seed: int = 1) -> list[Given]:
    """Events of so many people, in turns; each person's first event is a consent."""
    dice, packs = Random(seed), policies()  # noqa: S311 - reproducible, and no secret
    states: list[tuple[History, tuple[Given, ...]]] = [(EMPTY, ())] * people
    found: list[Given] = []
    for offset in range(people * events_each):
        person = offset % people
        policy = packs[person % len(packs)]
        history, trace = states[person]
        at = At(TOPIC, 0, offset, BEGIN + offset * SECOND)
        view = event(policy, dice, f"person-{person}", at) if trace else agreement(policy, f"person-{person}", at)
        given = Given(view, at, history, policy, trace)
        states[person] = (judge(view, at, history, policy).history, (*trace, given))
        found.append(given)
    return [each for each in found if each.view.fact is None]


def agreement(policy: Policy, subject: str, at: At) -> View:
    """A consent to everything that needs one, with every category named."""
    asked = [rule for rule in policy.purposes.values() if rule.by_consent or rule.by_explicit_consent]
    categories = sorted({category for rule in asked for category in rule.necessary})
    fact = ConsentFact(f"consent-{subject}", tuple(rule.key for rule in asked), tuple(categories))
    return _view(PayloadKind.CONSENT_GIVEN, subject, at, fact=fact)


def event(policy: Policy, dice: Random, subject: str, at: At) -> View:
    """A tool call or a message."""
    tools = sorted(policy.tools.values(), key=lambda tool: tool.name)
    tool = dice.choice(tools) if tools and dice.random() < 0.7 else None  # noqa: PLR2004 - mostly tools
    purposes = tool.purposes if tool else policy.message_purposes
    return _view(
        PayloadKind.TOOL_CALL if tool else PayloadKind.USER_MESSAGE,
        subject,
        at,
        tool=tool.name if tool else None,
        purposes=tuple(_claims(policy, purposes, tool, dice)),
        findings=tuple(_findings(policy, purposes, dice)),
    )


def _claims(policy: Policy, purposes: Sequence[str], tool: ToolRule | None, dice: Random) -> Iterator[PurposeClaim]:
    provenance = Provenance.TOOL if tool else Provenance.DECLARED
    yield from (PurposeClaim(purpose, provenance) for purpose in purposes or list(policy.purposes)[:1])
    if dice.random() < 0.05:  # noqa: PLR2004 - one in twenty
        yield PurposeClaim("never.declared", Provenance.DECLARED)


def _findings(policy: Policy, purposes: Sequence[str], dice: Random) -> Iterator[Finding]:
    needed = sorted({name for key in purposes if (rule := policy.rule(key)) for name in rule.necessary})
    categories = dice.sample(needed, min(len(needed), dice.randint(0, _MOST_FINDINGS)))
    if dice.random() < 0.05:  # noqa: PLR2004 - one in twenty
        categories.append("user.biometric")
    for place, category in enumerate(categories):
        yield Finding(f"/arguments/{place}", 0, 12, category, "bench", "1", 1.0)


def _view(kind: PayloadKind, subject: str, at: At, **more: Any) -> View:
    return View(
        event_id=f"event-{at.offset}",
        tenant_id="bench",
        key=subject,
        subject=subject,
        role=SubjectRole.PRINCIPAL,
        part=0,
        parts=1,
        kind=kind,
        source="bench",
        agent_id="agent",
        session_id="session",
        recorded_at=at.recorded_at,
        occurred_at=at.recorded_at,
        position=SourcePosition("lawful.events", 0, at.offset),
        digest="",
        **more,
    )
