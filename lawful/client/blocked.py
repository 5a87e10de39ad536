"""What an agent sees when something must not happen: who said so and why, and nothing personal."""

from typing import Final

from lawful.schemas.errors import LawfulError, MustBlock
from lawful.schemas.verdict import Decision, Predicate, Verdict, Violation

UNKNOWN_POLICY: Final = "unknown_policy"
"""The reason of workers that have no policy of the name that an event bears."""


class Unredactable(MustBlock):
    """The obligations cannot be met without breaking the payload, so it may not pass.

    Args:
        reason: stable snake_case code.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class Blocked(LawfulError):
    """An action was stopped. The text is fit to be shown to an agent, a user or a log.

    Args:
        verdict: what was answered, or what the guard put in the place of an answer.
        policy: the policy that was asked for, where it is what is wrong.

    Attributes:
        verdict: as given.
        reasons: stable codes, strictest first.
    """

    def __init__(self, verdict: Verdict, policy: str = "") -> None:
        self.verdict = verdict
        strictest = sorted(verdict.violations, key=lambda violation: -violation.decision)
        self.reasons = tuple(dict.fromkeys(violation.reason for violation in strictest))
        said = "; ".join(dict.fromkeys(_sentence(violation) for violation in strictest))
        where = f"policy {policy!r}, event" if policy else "event"
        super().__init__(f"blocked by policy: {said or 'no reason given'} ({where} {verdict.event_id})")

    @property
    def reason(self) -> str:
        """The first reason, e.g. `consent_missing` or `no_verdict`."""
        return self.reasons[0] if self.reasons else ""


def local_block(event_id: str, tenant_id: str, reason: str, message: str, recorded_at: int) -> Verdict:
    """The block that a guard gives on its own: no policy was asked, so none is named."""
    return Verdict(
        event_id=event_id,
        tenant_id=tenant_id,
        decision=Decision.BLOCK,
        violations=(Violation(Predicate.ERROR.value, reason, Decision.BLOCK, message),),
        policy_id="",
        policy_version="",
        policy_digest="",
        recorded_at=recorded_at,
    )


def _sentence(violation: Violation) -> str:
    """One violation in words: rule, code, what it concerns, and the article."""
    about = [f"purpose {violation.purpose}"] if violation.purpose else []
    about += [f"category {violation.category}"] if violation.category else []
    about += [violation.article] if violation.article else []
    detail = f" ({', '.join(about)})" if about else ""
    return f"{violation.rule} {violation.reason}{detail}: {violation.message}"
