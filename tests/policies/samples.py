"""A small world for tests of the core: one policy with every kind of rule, and short ways to say what happened."""

from collections.abc import Iterable
from typing import Any

from lawful.policies.judge import At, Judgement, judge
from lawful.policies.load import parse_policy
from lawful.policies.model import Policy
from lawful.schemas.event import Micros, PayloadKind, RequestKind
from lawful.schemas.history import EMPTY, ConsentFact, Entry, Fact, History, RequestFact, SeenFact, WithdrawalFact
from lawful.schemas.view import Finding, Provenance, PurposeClaim, SourcePosition, SubjectRole, View

DAY: Micros = 86_400_000_000

TEXT = """
id: sample
version: "1"
controller: {name: Sample}
purposes:
  service: {legal_basis: contract, necessary: [user.contact, user.name, user.demographic]}
  care: {legal_basis: contract, article9: health_care, necessary: [user.health_and_medical, user.name]}
  aid: {legal_basis: contract, article9: explicit_consent, necessary: [user.health_and_medical, user.name]}
  law:
    legal_basis: legal_obligation
    article10: authorised_by_law
    necessary: [user.name, user.criminal_history]
    survives_erasure: true
  marketing: {legal_basis: consent, necessary: [user.contact.email, user.name, user.health_and_medical]}
  research: {legal_basis: consent, article9: research, necessary: [user.health_and_medical]}
tools:
  find: {purposes: [service]}
  mail: {purposes: [marketing.email]}
  archive: {purposes: [law]}
messages: {purposes: [service]}
"""


def policy(**changes: str) -> Policy:
    """The sample policy; `P3="warn"` and the like change its actions."""
    lines = "".join(f"  {name}: {word}\n" for name, word in changes.items())
    return parse_policy(TEXT + (f"actions:\n{lines}" if lines else ""))


def at(offset: int, recorded_at: Micros | None = None) -> At:
    """A place in the log; time is the offset unless given."""
    return At("lawful.annotated", 0, offset, offset if recorded_at is None else recorded_at)


def finding(category: str, place: str = "/text", **more: Any) -> Finding:
    """One found category."""
    return Finding(place, 0, 4, category, "sample", "1", 1.0, **more)


def view(*categories: str | Finding, purposes: Iterable[str] = (), inferred: Iterable[str] = (), **more: Any) -> View:
    """An ordinary event with these categories."""
    claims = (
        *(PurposeClaim(purpose, Provenance.DECLARED) for purpose in purposes),
        *(PurposeClaim(purpose, Provenance.INFERRED) for purpose in inferred),
    )
    found = tuple(finding(each) if isinstance(each, str) else each for each in categories)
    fields: dict[str, Any] = {
        "event_id": "event",
        "tenant_id": "tenant",
        "key": "subject",
        "subject": "subject",
        "role": SubjectRole.PRINCIPAL,
        "part": 0,
        "parts": 1,
        "kind": PayloadKind.USER_MESSAGE,
        "source": "test",
        "agent_id": "agent",
        "session_id": "session",
        "recorded_at": 0,
        "occurred_at": 0,
        "position": SourcePosition("lawful.events", 0, 0),
        "digest": "",
        "purposes": claims,
        "findings": found,
    }
    return View(**(fields | more))


_KINDS = {
    ConsentFact: PayloadKind.CONSENT_GIVEN,
    WithdrawalFact: PayloadKind.CONSENT_WITHDRAWN,
    RequestFact: PayloadKind.DATA_SUBJECT_REQUEST,
}


def telling(fact: Fact, **more: Any) -> View:
    """The event that brings a fact."""
    kind = _KINDS.get(type(fact), PayloadKind.IDENTITY_LINKED)
    return view(**({"event_id": fact.event_id, "kind": kind, "fact": fact} | more))


def consent(*purposes: str, event_id: str = "consent", **more: Any) -> ConsentFact:
    """A consent to these purposes."""
    return ConsentFact(event_id, purposes, **more)


def withdrawal(*purposes: str, event_id: str = "withdrawal") -> WithdrawalFact:
    """A withdrawal of these purposes; of none: of all."""
    return WithdrawalFact(event_id, purposes or None)


def erasure(event_id: str = "erasure") -> RequestFact:
    """A request for erasure."""
    return RequestFact(event_id, RequestKind.ERASURE, event_id)


SEEN = SeenFact("seen")


def history(*facts: Fact) -> History:
    """A history of these facts at offsets and times 1, 2, 3..."""
    entries = tuple(Entry(place, place, fact) for place, fact in enumerate(facts, 1))
    return History(entries, len(entries)) if entries else EMPTY


def decide(seen: View, past: History = EMPTY, rules: Policy | None = None, place: At | None = None) -> Judgement:
    """The judgement after the whole of a history."""
    return judge(seen, place or at(past.through + 100), past, rules or policy())


def reasons(judgement: Judgement) -> list[str]:
    """The violations as `P1 consent_missing`."""
    return [f"{each.rule} {each.reason}" for each in judgement.verdict.violations]
