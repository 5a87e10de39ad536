"""A small world for tests of the stages and the guard: one policy, a transparent extractor, people."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from lawful.extractors.port import Extraction, ExtractionSpec
from lawful.policies.channels.model import Channel, Channels, Handling, Who
from lawful.policies.model import Controller, LegalBasis, Policy, PurposeRule, ToolRule, Treatment
from lawful.schemas.event import (
    AgentEvent,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    Payload,
    RecipientKind,
    RequestKind,
    ToolCall,
    UserMessage,
)
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.verdict import Action, Decision, Verdict
from lawful.schemas.view import Finding, Provenance, PurposeClaim, SourcePosition
from lawful.streams.kernel import Kernel, SourceRecord
from lawful.streams.replay import Replayed, replay

TENANT = "acme"
KEY = b"sixteen bytes or more"
PEOPLE = Pseudonymiser({TENANT: KEY})
ADA = Identifier("email", "ada@example.com")
BOB = Identifier("email", "bob@example.com")
ADA_ID = Identifier("customer_id", "C-1815")
MINUTE = 60_000_000

EMAIL = re.compile(r"[\w.]+@[\w.]+\w")
PHONE = re.compile(r"\+\d{6,}")

POLICY = Policy(
    id="shop",
    version="1",
    digest="d" * 64,
    controller=Controller("Acme"),
    purposes={
        "marketing": PurposeRule("marketing", LegalBasis.CONSENT, frozenset({"user.contact.email"})),
        "care": PurposeRule("care", LegalBasis.CONTRACT, frozenset({"user.contact"})),
        "order": PurposeRule("order", LegalBasis.CONTRACT, frozenset({"user.contact.email"})),
        "tax": PurposeRule(
            "tax", LegalBasis.LEGAL_OBLIGATION, frozenset({"user.contact.email"}), survives_erasure=True
        ),
    },
    tools={
        "send_mail": ToolRule("send_mail", ("marketing",)),
        "find_order": ToolRule("find_order", ("order",)),
        "file_tax": ToolRule("file_tax", ("tax",)),
    },
    message_purposes=("order",),
    channels=Channels(
        rules={
            "supervisors": Channel(
                "supervisors",
                to=Who(roles=frozenset({"supervisor"})),
                categories={"user.contact.phone_number": Handling(Decision.REDACT, Treatment(Action.MASK))},
            ),
            "models": Channel(
                "models",
                to=Who(frozenset({RecipientKind.LLM})),
                categories={"user.contact.phone_number": Handling(Decision.BLOCK)},
            ),
        },
        roles={"supervisor": ("supervisor", "boss@*")},
    ),
)


@dataclass(frozen=True, slots=True)
class OnePolicy:
    """A policy set of one."""

    policy: Policy = POLICY

    def get(self, policy_id: str | None, /) -> Policy | None:
        """The policy, by its id or as the default."""
        return self.policy if policy_id in (None, self.policy.id) else None


class PlainExtractor:
    """Finds e-mail addresses and phone numbers where they stand. Fails on the word `crash`."""

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """Findings of the payload's text or JSON leaves; purposes from the tool or the messages."""
        findings = tuple(found for path, text in leaves(event.payload) for found in self._find(event, path, text))
        tool: str = getattr(event.payload, "tool", "")
        bound = spec.tools[tool].purposes if tool in spec.tools else () if tool else spec.message_purposes
        return Extraction(findings, tuple(PurposeClaim(purpose, Provenance.TOOL) for purpose in bound))

    def _find(self, event: AgentEvent, path: str, text: str) -> Iterator[Finding]:
        if "crash" in text:
            raise ValueError("ada@example.com must not be quoted")
        for pattern, category, scheme in (
            (EMAIL, "user.contact.email", "email"),
            (PHONE, "user.contact.phone_number", None),
        ):
            for match in pattern.finditer(text):
                who = PEOPLE.of(event.tenant_id, Identifier(scheme, match.group())) if scheme else None
                yield Finding(path, *match.span(), category, "plain", "1", 1.0, subject=who)


KERNEL = Kernel(OnePolicy(), PlainExtractor(), PEOPLE)


def leaves(payload: Payload) -> Iterator[tuple[str, str]]:
    """Every text of a payload with its path; JSON is walked."""
    for name in ("text", "arguments", "content"):
        text = getattr(payload, name, None)
        if text is not None:
            try:
                document = json.loads(text)
            except ValueError:
                document = text
            yield from walk(document if isinstance(document, dict | list) else text, f"/{name}")


def walk(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """The string leaves of a JSON value with their paths."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from walk(item, f"{path}/{key}")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from walk(item, f"{path}/{place}")
    elif isinstance(value, str):
        yield path, value


@dataclass(slots=True)
class Log:
    """Writes events to an imaginary `lawful.events` and replays them."""

    kernel: Kernel = KERNEL
    entries: list[tuple[AgentEvent, SourceRecord]] = field(default_factory=list)
    replayed: Replayed = field(default_factory=Replayed)
    time: int = 1_700_000_000_000_000
    numbers: Iterator[int] = field(default_factory=count)

    def add(self, payload: Payload, *subjects: Identifier, **fields: Any) -> Verdict:
        """Publishes an event about these subjects, and gives the verdict."""
        event = make_event(payload, *subjects, number=next(self.numbers), **fields)
        return self.put(event)

    def put(self, event: AgentEvent) -> Verdict:
        """Publishes an event (again)."""
        record = SourceRecord(SourcePosition("lawful.events", 0, len(self.entries)), self.time)
        self.entries.append((event, record))
        replay([(event, record)], self.kernel, self.replayed)
        return self.replayed.verdicts[event.event_id]

    def mail(self, *subjects: Identifier, text: str = "hello ada@example.com", **fields: Any) -> Verdict:
        """Calls the marketing tool, which needs consent."""
        return self.add(ToolCall("send_mail", "call", json.dumps({"body": text})), *subjects, **fields)

    def say(self, text: str, *subjects: Identifier, **fields: Any) -> Verdict:
        """A user's message, for orders (contract)."""
        return self.add(UserMessage(text), *subjects, **fields)

    def consent(self, *subjects: Identifier, **details: Any) -> Verdict:
        """Consent to marketing."""
        return self.add(ConsentGiven(details.pop("purposes", ("marketing",)), **details), *subjects)

    def withdraw(self, *subjects: Identifier, purposes: tuple[str, ...] | None = ("marketing",)) -> Verdict:
        """Withdrawal of it."""
        return self.add(ConsentWithdrawn(purposes), *subjects)

    def erase(self, *subjects: Identifier, request_id: str = "r1") -> Verdict:
        """An erasure request."""
        return self.add(DataSubjectRequest(RequestKind.ERASURE, request_id), *subjects)

    def link(self, principal: Identifier, *others: Identifier) -> Verdict:
        """Two identifiers of one person."""
        return self.add(IdentityLinked(others), principal)

    def unlink(self, principal: Identifier, *others: Identifier) -> Verdict:
        """These identifiers are not the principal's."""
        return self.add(IdentityLinked((), others), principal)


def make_event(payload: Payload, *subjects: Identifier, number: int = 0, **fields: Any) -> AgentEvent:
    """An event with made-up surroundings."""
    values: dict[str, Any] = {
        "event_id": f"0190a000-0000-7000-8000-{number:012x}",
        "occurred_at": 1_700_000_000_000_000,
        "tenant_id": TENANT,
        "source": "urn:test",
        "agent_id": "agent-1",
        "session_id": "session-1",
    }
    return AgentEvent(payload=payload, subjects=subjects, **(values | fields))


def pseudonym(identifier: Identifier) -> str:
    """Whom an identifier points to."""
    return PEOPLE.of(TENANT, identifier)


def reasons(verdict: Verdict) -> set[str]:
    """The reason codes of a verdict."""
    return {violation.reason for violation in verdict.violations}
