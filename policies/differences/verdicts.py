"""Golden cases before and after: which of them get another verdict."""

from collections.abc import Iterable
from dataclasses import dataclass

from lawful.policies.change import Direction
from lawful.policies.golden import play
from lawful.policies.goldenfile import CaseDocument
from lawful.policies.model import Policy
from lawful.policies.rego.denying import Denier
from lawful.schemas.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A step of a case whose verdict changes.

    Attributes:
        step: counted from 1.
        was: decision and violations, as people read them.
    """

    direction: Direction
    case: str
    step: int
    was: str
    now: str


def golden_changes(
    old: Policy, new: Policy, cases: Iterable[CaseDocument], denier: Denier | None = None
) -> tuple[CaseChange, ...]:
    """The steps that the two policies answer differently; what was expected does not matter here."""
    found: list[CaseChange] = []
    for case in cases:
        pairs = zip(play(old, case, denier), play(new, case, denier), strict=True)
        for step, (was, now) in enumerate(pairs, 1):
            if _said(was) != _said(now):
                found.append(CaseChange(_direction(was, now), case.name, step, _said(was), _said(now)))
    return tuple(found)


def _direction(was: Verdict, now: Verdict) -> Direction:
    if was.decision == now.decision:
        return Direction.NEUTRAL
    return Direction.STRICTER if now.decision > was.decision else Direction.LOOSER


def _said(verdict: Verdict) -> str:
    reasons = sorted({f"{each.rule} {each.reason}" for each in verdict.violations})
    redacted = sorted({each.category for each in verdict.obligations})
    parts = [verdict.decision.word, *reasons, *(f"redact {category}" for category in redacted)]
    parts += [str(verdict.outcome)] if verdict.outcome is not None else []
    return ", ".join((*parts, *(f"spared {name}" for name in verdict.exceptions)))
