"""What a policy's own Rego rules deny, as violations.

The rules run elsewhere, behind the port `Denier`: this module asks it, and reads what comes back as
data that an author, not we, has written. Whatever is wrong with the answer, the event is blocked.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from lawful.policies.answering import At
from lawful.policies.judge import FACT_KINDS
from lawful.policies.model import Policy, RegoRules
from lawful.policies.rego.document import document_text
from lawful.schemas.errors import MustBlock
from lawful.schemas.history import History
from lawful.schemas.taxonomy import categories
from lawful.schemas.verdict import Decision, Predicate, Violation
from lawful.schemas.view import View

PREFIX: Final = "rego:"
MOST_DENIALS: Final = 64
LONGEST_MESSAGE: Final = 500
_REASON: Final = re.compile(r"[a-z][a-z0-9_]{0,62}")

TIMEOUT: Final = "rego_timeout"
CRASHED: Final = "rego_crashed"
MALFORMED: Final = "rego_malformed"
UNAVAILABLE: Final = "rego_unavailable"
FAILED: Final = "rego_failed"

_MESSAGES: Final = {
    TIMEOUT: "the policy's Rego rules took longer than rego.limit_ms; make them cheaper, or raise it",
    CRASHED: "the process of the policy's Rego rules ended; if they need more memory, raise rego.memory_mb",
    MALFORMED: "the policy's Rego rules gave something that is no set of denials; run `lawful policy test`",
    UNAVAILABLE: "the policy has Rego rules and nothing here runs them",
    FAILED: "the policy's Rego rules failed; run `lawful policy test`",
}


@dataclass(frozen=True, slots=True)
class Denial:
    """One thing that a rule denies, in its author's words."""

    reason: str
    message: str
    category: str | None = None


class DenierFailed(MustBlock):
    """The rules gave no answer.

    Args:
        reason: one of this module's codes.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(_MESSAGES[reason])


class Denier(Protocol):
    """Runs a policy's Rego rules, within their limits."""

    def deny(self, rules: RegoRules, document: str, /) -> tuple[Denial, ...]:
        """What the rules deny.

        Args:
            rules: the policy's.
            document: their input, JSON on one line.

        Raises:
            DenierFailed: there is no answer, so nothing may pass.
        """
        ...

    def close(self) -> None:
        """Ends what runs them. May be called again."""
        ...


def denials(view: View, at: At, history: History, policy: Policy, denier: Denier | None) -> tuple[Violation, ...]:
    """What the policy's own Rego rules say against an event; nothing if it has none. Total.

    Only ordinary events are shown to them: a consent, a withdrawal or a request always counts.
    """
    rules = policy.rego
    if rules is None or view.kind in FACT_KINDS or view.slice is not None or view.acted is not None:
        return ()
    if denier is None:
        return (_error(view, UNAVAILABLE),)
    try:
        found = denier.deny(rules, document_text(view, at, history, policy))
        return tuple(_violation(view, each, rules.decision) for each in found)
    except DenierFailed as error:
        return (_error(view, error.reason),)
    except Exception:  # noqa: BLE001 - fail closed: whatever went wrong, the rules have not agreed
        return (_error(view, FAILED),)


def read_denials(value: object) -> tuple[Denial, ...]:
    """The denials in what Rego gave for `deny`.

    Raises:
        DenierFailed: it is no set of denials.
    """
    if not isinstance(value, list) or len(value) > MOST_DENIALS:
        raise DenierFailed(MALFORMED)
    return tuple(_denial(each) for each in value)


def _denial(value: object) -> Denial:
    if not isinstance(value, Mapping) or not {"reason", "message"} <= value.keys() <= {"reason", "message", "category"}:
        raise DenierFailed(MALFORMED)
    reason, message, category = value["reason"], value["message"], value.get("category")
    if not isinstance(reason, str) or not _REASON.fullmatch(reason) or not isinstance(message, str):
        raise DenierFailed(MALFORMED)
    if category is not None and (not isinstance(category, str) or category not in categories()):
        raise DenierFailed(MALFORMED)
    words = "".join(each if each.isprintable() else " " for each in message)
    return Denial(reason, words[:LONGEST_MESSAGE], category)


def _violation(view: View, denial: Denial, decision: Decision) -> Violation:
    return Violation(
        rule=PREFIX + denial.reason,
        reason=denial.reason,
        decision=decision,
        message=denial.message,
        subject=view.subject,
        category=denial.category,
        evidence=(view.event_id,),
    )


def _error(view: View, reason: str) -> Violation:
    return Violation(
        Predicate.ERROR.value, reason, Decision.BLOCK, _MESSAGES[reason], view.subject, article="GDPR Art. 25(2)"
    )
