"""Holding a policy against its golden cases: `lawful policy test`.

Cases run through the very judge that decides in production, with the purposes that the policy binds
to tools and messages, and on the channels that their recipient has; only extraction is left out, since a
case says what was found.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from lawful.policies.channels.matching import channels_of
from lawful.policies.durations import micros
from lawful.policies.goldenfile import (
    CaseDocument,
    EventDocument,
    ExpectDocument,
    FindingDocument,
    load_golden,
)
from lawful.policies.judge import At
from lawful.policies.labels.judging import judge_labelled
from lawful.policies.load import load_pack, pack_folder
from lawful.policies.model import Policy, Treatment
from lawful.policies.rego.denying import Denier, denials
from lawful.policies.rules.acts import acts_of
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    IdentityLinked,
    MemoryRead,
    MemoryWrite,
    Payload,
    PayloadKind,
    Recipient,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.history import EMPTY, Act, ConsentFact, Fact, History, MergeFact, RequestFact, WithdrawalFact
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import Finding, Provenance, PurposeClaim, SourcePosition, SubjectRole, View

SUBJECT = "subject"
ALIAS = "alias"
_TOPIC = "lawful.annotated"
_START = 1_750_000_000_000_000
_PEOPLE = Pseudonymiser(master=b"no secret: nobody real is in a golden case")
_MESSAGES = {
    "user": PayloadKind.USER_MESSAGE,
    "assistant": PayloadKind.ASSISTANT_MESSAGE,
    "agent": PayloadKind.AGENT_MESSAGE,
}


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How one case went.

    Attributes:
        differences: one line per thing that is not as expected; empty if all is.
    """

    name: str
    differences: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the policy answered as expected."""
        return not self.differences


@dataclass(slots=True)
class _World:
    """One subject's log while a case runs."""

    policy: Policy
    history: History = EMPTY
    offset: int = 0
    now: int = _START
    name: str = "event"
    denier: Denier | None = None

    def happen(self, event: EventDocument) -> Verdict:
        self.offset += 1
        self.now += micros(event.after)
        at = At(_TOPIC, 0, self.offset, self.now)
        event_id = f"{self.name}-{self.offset}"
        fact = self._merge(event, event_id) or _fact(event, event_id, self.now)
        view = _view(event, event_id, at, self.policy, fact)
        denied = partial(denials, at=at, history=self.history, policy=self.policy, denier=self.denier)
        _, judgement = judge_labelled(view, at, self.history, self.policy, denials=denied)
        self.history = judgement.history
        return judgement.verdict

    def _merge(self, event: EventDocument, event_id: str) -> MergeFact | None:
        """What another pseudonym brings along, lived through in a world of its own."""
        if event.links is None:
            return None
        other = _World(self.policy, name=f"{self.name}-{self.offset}-of-alias", denier=self.denier)
        for each in event.links:
            other.happen(each)
        return MergeFact(event_id, ALIAS, other.history.entries, told=other.history.told)


def run_golden(policy: Policy, cases: Iterable[CaseDocument], denier: Denier | None = None) -> list[CaseResult]:
    """Runs the cases, each in a world of its own. A failing case is a result, never an exception.

    Without a denier, a policy with Rego rules blocks, so that no case passes for want of them.
    """
    return [_run(policy, case, denier) for case in cases]


def run_pack(name: str) -> list[CaseResult]:
    """Runs a pack's own cases.

    Raises:
        ConfigurationError: there is no such pack, or one of its files is wrong.
    """
    return run_golden(load_pack(name), load_golden(pack_folder(name)))


def play(policy: Policy, case: CaseDocument, denier: Denier | None = None) -> list[Verdict]:
    """What a policy answers at each step of a case."""
    world = _World(policy, denier=denier)
    for event in case.given:
        world.happen(event)
    return [world.happen(step.event) for step in case.steps]


def _run(policy: Policy, case: CaseDocument, denier: Denier | None) -> CaseResult:
    differences: list[str] = []
    for number, (step, verdict) in enumerate(zip(case.steps, play(policy, case, denier), strict=True), 1):
        prefix = f"step {number}: " if len(case.steps) > 1 else ""
        differences += [f"{prefix}{line}" for line in _compare(step.expect, verdict)]
    return CaseResult(case.name, tuple(differences))


def _compare(expected: ExpectDocument, verdict: Verdict) -> list[str]:
    violations = sorted({f"{each.rule} {each.reason}" for each in verdict.violations})
    pairs = [
        ("decision", [expected.decision.value], [verdict.decision.word]),
        ("violations", sorted(expected.violations), violations),
        ("redact", sorted(expected.redact), sorted({each.category for each in verdict.obligations})),
        ("treated", _treatments(expected.treated.items()), _treatments(_treated(expected, verdict))),
        ("outcome", _listed(expected.outcome), _listed(verdict.outcome)),
        ("exceptions", sorted(expected.exceptions), list(verdict.exceptions)),
    ]
    return [line for name, wanted, got in pairs if (line := _difference(name, wanted, got))]


def _treated(expected: ExpectDocument, verdict: Verdict) -> Iterable[tuple[str, str]]:
    """What is done to the categories that the case asks about."""
    for each in verdict.obligations:
        if each.category in expected.treated:
            yield each.category, str(Treatment(each.action, each.detail))


def _treatments(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return sorted({f"{category}: {treatment}" for category, treatment in pairs})


def _listed(value: str | None) -> list[str]:
    return [] if value is None else [str(value)]


def _difference(name: str, wanted: Sequence[str], got: Sequence[str]) -> str:
    if list(wanted) == list(got):
        return ""
    return f"{name}: expected {', '.join(wanted) or 'none'}; got {', '.join(got) or 'none'}"


def _view(event: EventDocument, event_id: str, at: At, policy: Policy, fact: Fact | None) -> View:
    nobody = event.role is SubjectRole.NOBODY
    return View(
        event_id=event_id,
        tenant_id="golden",
        key="session" if nobody else SUBJECT,
        subject=None if nobody else SUBJECT,
        role=event.role,
        part=0,
        parts=1,
        kind=_kind(event),
        source="golden",
        agent_id=event.agent,
        session_id="session",
        recorded_at=at.recorded_at,
        occurred_at=at.recorded_at,
        position=SourcePosition("lawful.events", 0, at.offset),
        digest="",
        tool=event.tool,
        policy_id=policy.id,
        purposes=_claims(event, policy),
        findings=tuple(_finding(each) for each in event.finds),
        fact=fact,
        status=event.extraction,
        acts=_acts(event, policy),
        recipient=_recipient(event),
        channels=channels_of(_travelling(event, event_id), policy),
    )


def _recipient(event: EventDocument) -> Recipient | None:
    return None if event.to is None else Recipient(event.to.kind, event.to.id, event.to.region)


def _travelling(event: EventDocument, event_id: str) -> AgentEvent:
    """The event as far as channels ask about it: who sends what kind of thing to whom."""
    return AgentEvent(
        event_id=event_id,
        occurred_at=_START,
        tenant_id="golden",
        source="golden",
        agent_id=event.agent,
        session_id="session",
        payload=_payload(_kind(event), event.tool or ""),
        recipient=_recipient(event),
    )


def _payload(kind: PayloadKind, tool: str) -> Payload:
    match kind:
        case PayloadKind.USER_MESSAGE:
            return UserMessage("")
        case PayloadKind.ASSISTANT_MESSAGE:
            return AssistantMessage("")
        case PayloadKind.AGENT_MESSAGE:
            return AgentMessage("")
        case PayloadKind.TOOL_CALL:
            return ToolCall(tool, "", "")
        case PayloadKind.TOOL_RESULT:
            return ToolResult(tool, "", "")
        case PayloadKind.MEMORY_READ:
            return MemoryRead("", "")
        case PayloadKind.MEMORY_WRITE:
            return MemoryWrite("", "")
        case _:  # what concerns a subject's standing travels no channel
            return IdentityLinked(())


def _acts(event: EventDocument, policy: Policy) -> tuple[Act, ...]:
    """What the event does, in the words of the policy's own rules."""
    if policy.rules is None:
        return ()
    payload = {"arguments": event.arguments, "content": event.content}
    predicates = policy.rules.predicates.values()
    return acts_of(_kind(event), event.tool, payload, predicates, partial(_PEOPLE.of_argument, "golden"))


def _kind(event: EventDocument) -> PayloadKind:
    if event.tool is not None:
        return PayloadKind.TOOL_RESULT if event.result else PayloadKind.TOOL_CALL
    if event.consent is not None:
        return PayloadKind.CONSENT_GIVEN
    if event.withdrawal is not None:
        return PayloadKind.CONSENT_WITHDRAWN
    if event.request is not None:
        return PayloadKind.DATA_SUBJECT_REQUEST
    if event.links is not None:
        return PayloadKind.IDENTITY_LINKED
    if event.memory is not None:
        return PayloadKind.MEMORY_READ if event.memory == "read" else PayloadKind.MEMORY_WRITE
    return _MESSAGES[event.message or "user"]


def _claims(event: EventDocument, policy: Policy) -> tuple[PurposeClaim, ...]:
    bound = policy.purposes_of_tool(event.tool) if event.tool else (() if event.purposes else policy.message_purposes)
    return (
        *(PurposeClaim(purpose, Provenance.DECLARED) for purpose in event.purposes),
        *(PurposeClaim(purpose, Provenance.TOOL) for purpose in bound),
        *(PurposeClaim(purpose, Provenance.INFERRED) for purpose in event.inferred),
    )


def _finding(found: str | FindingDocument) -> Finding:
    each = FindingDocument(category=found) if isinstance(found, str) else found
    return Finding(each.at, 0, 1, each.category, "golden", "1", 1.0, each.essential)


def _fact(event: EventDocument, event_id: str, now: int) -> Fact | None:
    if event.consent is not None:
        given = event.consent
        categories = None if given.categories is None else tuple(given.categories)
        ends = now + micros(given.lasts) if given.lasts else None
        return ConsentFact(event_id, tuple(given.purposes), categories, ends, given.re_enrols)
    if event.withdrawal is not None:
        ended = event.withdrawal.purposes
        return WithdrawalFact(event_id, None if ended is None else tuple(ended))
    if event.request is not None:
        return RequestFact(event_id, event.request, event_id)
    return None
