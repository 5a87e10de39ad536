"""A small clinic whose policy has rules of every kind, for tests of rules."""

from typing import Any

from lawful.policies.judge import At, Judgement, judge
from lawful.policies.load import parse_policy
from lawful.policies.model import Policy
from lawful.policies.rules.memory import RuleMemory
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import EMPTY, Act, ActArgument, History
from lawful.schemas.view import View
from tests.policies.samples import view

SECOND = 1_000_000
HOUR = 3_600 * SECOND

TEXT = """
id: clinic
version: "1"
controller: {name: Clinic}
purposes:
  care: {legal_basis: contract, necessary: [user.contact, user.health_and_medical], article9: health_care}
  marketing: {legal_basis: consent, necessary: [user.contact]}
tools:
  query_record: {purposes: [care], schema: {type: object, properties: {patient_id: {type: string}}}}
  send_outreach: {purposes: [care]}
  pay: {purposes: [care]}
  ship: {purposes: [care]}
messages: {purposes: [care]}
predicates:
  query_record: {tool: query_record, args: {patient: {path: /arguments/patient_id}}}
  send_outreach:
    tool: send_outreach
    args: {patient: {path: /arguments/patient}, phone: {path: /arguments/phone, scheme: phone}}
  paid: {tool: pay, on: result, args: {amount: {path: /content/amount, type: int}}}
  ship: {tool: ship, args: {region: {path: /arguments/region, type: symbol, values: [eu, us]}}}
  said: {message: user}
rules:
"""

OUTREACH = """
  - name: outreach
    formula: send_outreach(p, f) IMPLIES ONCE[0,1h] query_record(p)
    message: query the record first
"""


def rule(formula: str, **fields: str) -> str:
    """One rule as YAML."""
    lines = "".join(f"\n    {key}: {value}" for key, value in {"name": "rule", **fields}.items())
    return f"\n  - formula: |\n      {formula}{lines}\n"


def clinic(rules: str = OUTREACH, **changes: str) -> Policy:
    """The policy with these rules."""
    text = TEXT + rules
    for old, new in changes.items():
        text = text.replace(old, new)
    return parse_policy(text, "clinic.yaml")


def act(name: str, *values: str | int | None) -> Act:
    """Something done with these values."""
    numbers = [
        ActArgument(
            f"/arguments/{at}", None if isinstance(each, int) else each, each if isinstance(each, int) else None
        )
        for at, each in enumerate(values)
    ]
    return Act(name, tuple(numbers))


def doing(*acts: Act, event_id: str = "event", **more: Any) -> View:
    """An event that does this, and nothing that P1 to P4 mind."""
    return view(**({"event_id": event_id, "kind": PayloadKind.TOOL_CALL, "tool": "ship", "acts": acts} | more))


class World:
    """One slice's events, one after the other.

    Args:
        policy: with rules.
        remembering: keep monitors between events.
    """

    def __init__(self, policy: Policy, *, remembering: bool = True) -> None:
        self.policy = policy
        self.memory = RuleMemory() if remembering else None
        self.history: History = EMPTY
        self.offset = 0
        self.time = 1_000 * HOUR

    def happens(self, *acts: Act, after: int = SECOND, **more: Any) -> Judgement:
        """One more event."""
        self.offset += 1
        self.time += after
        fields: dict[str, Any] = {"event_id": f"event-{self.offset}", "recorded_at": self.time}
        seen = doing(*acts, **(fields | more))
        place = At("lawful.annotated", 0, self.offset, self.time)
        done = judge(seen, place, self.history, self.policy, self.memory)
        self.history = done.history
        return done


def rules_of(judgement: Judgement) -> list[str]:
    """Decision, and which rules are broken."""
    broken = [each.rule for each in judgement.verdict.violations]
    return [judgement.verdict.decision.word, *broken]
