"""What an auditor is given, and what it answers: a decision of its own, and a word why."""

import re
from dataclasses import dataclass
from typing import Final, Protocol

from lawful.policies.answering import At
from lawful.policies.model import Policy
from lawful.schemas.history import History
from lawful.schemas.verdict import Decision, Obligation, Verdict
from lawful.schemas.view import View

REASON: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""What a reason code looks like; anything else is not written down, as it may quote content."""


@dataclass(frozen=True, slots=True)
class Brief:
    """One verdict before the auditors, with all that it was made of. Holds no content.

    Attributes:
        view: the event as it concerns the subject.
        at: where and when it was judged.
        history: what is known of the subject, possibly including later facts.
        policy: the event's policy.
        verdict: what the operational judge said.
    """

    view: View
    at: At
    history: History
    policy: Policy
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an auditor would have decided.

    Attributes:
        reason: a stable snake_case code (`REASON`); empty where the decision says it all.
        obligations: what a `redact` demands beyond what the verdict does.
    """

    decision: Decision
    reason: str = ""
    obligations: tuple[Obligation, ...] = ()


class Auditor(Protocol):
    """Whoever looks at verdicts. Asked on a thread of its own; one that raises or is late is a doubt."""

    @property
    def name(self) -> str:
        """Its id in the audit, unique in the pool."""
        ...

    @property
    def version(self) -> str:
        """Of its rules or model."""
        ...

    def ask(self, brief: Brief, /) -> Opinion:
        """What it would have decided. May raise whatever it likes."""
        ...
