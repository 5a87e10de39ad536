"""Labels from event to event, through the kernel: what an agent was told stays what it is in other words (A42)."""

from dataclasses import replace
from typing import Any

import pytest

from lawful.policies.crosscheck import Panel
from lawful.policies.judge import At
from lawful.policies.labels.flowing import INHERITED
from lawful.policies.labels.model import Declassification, Labels, WithoutPlace
from lawful.policies.model import LegalBasis, Policy, PurposeRule
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    ConsentGiven,
    ConsentWithdrawn,
    Identifier,
    IdentityLinked,
    MemoryRead,
    MemoryWrite,
    Payload,
    PayloadKind,
    ToolCall,
    UserMessage,
)
from lawful.schemas.flowing import CAUSES, DECLASSIFY, DECLASSIFY_BY, MOST_CAUSES
from lawful.schemas.history import History
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import Provenance, SourcePosition, View
from lawful.streams.kernel import SourceRecord, Tables, annotate, follow
from lawful.streams.linking import SubjectRow
from tests.streams.kit import ADA, ADA_ID, BOB, KERNEL, POLICY, OnePolicy, make_event, pseudonym

PHONE = "user.contact.phone_number"
TOLD = "call her under +4912345678"
OTHER_WORDS = "reach her the way I told you"
LIFT = Declassification("summary", "a summary names no number", frozenset({"b"}), ("order",), (PHONE,))


def policy(**labels: Any) -> Policy:
    """Messages are for care, which needs phone numbers; orders need none."""
    care = PurposeRule("care", LegalBasis.CONTRACT, frozenset({"user.contact"}))
    return replace(
        POLICY, purposes={**POLICY.purposes, "care": care}, message_purposes=(), channels=None, labels=Labels(**labels)
    )


class Wire:
    """A kernel with its tables; every event has the next id."""

    def __init__(self, rules: Policy | None = None) -> None:
        self.kernel = replace(KERNEL, policies=OnePolicy(rules or policy()))
        self.tables = Tables()
        self.offset = 0
        self.audited: dict[str, View] = {}

    def put(self, payload: Payload, *subjects: Identifier, number: int = 0, **fields: Any) -> tuple[str, Verdict]:
        """Publishes an event and gives its id and verdict."""
        number = number or self.offset + 1
        event = make_event(payload, *(subjects or (ADA,)), number=number, **{"agent_id": "b", **fields})
        return event.event_id, self.again(event)

    def again(self, event: AgentEvent) -> Verdict:
        """Publishes an event, perhaps once more."""
        self.offset += 1
        record = SourceRecord(SourcePosition("lawful.events", 0, self.offset), 1_700_000_000_000_000 + self.offset)
        answers = follow(event, record, self.kernel, self.tables)
        self.audited[event.event_id] = answers[-1].audit.view
        return answers[-1].verdict

    def tell(self, text: str = TOLD, *subjects: Identifier, **fields: Any) -> tuple[str, Verdict]:
        """An agent says something to another, for care."""
        return self.put(AgentMessage(text), *subjects, **{"purposes": ("care",), **fields})

    def order(self, cause: str | None, *subjects: Identifier, **fields: Any) -> tuple[str, Verdict]:
        """B passes something on in other words, for an order, which needs no number."""
        return self.put(AgentMessage(OTHER_WORDS), *subjects, purposes=("order",), causation_id=cause, **fields)

    def history(self, who: Identifier = ADA) -> History:
        """What is known of a person."""
        return self.tables.rows.get(pseudonym(who), SubjectRow()).history


def reasons(verdict: Verdict) -> set[tuple[str, str, str | None]]:
    """Rule, reason and category of what is violated."""
    return {(each.rule, each.reason, each.category) for each in verdict.violations}


BLOCKED = {("P3", "redaction_would_break_arguments", PHONE)}


def test_what_was_told_stays_what_it_is_in_other_words() -> None:
    """The category comes along the cause, with the event it was found in as evidence; without a cause it does not."""
    wire = Wire()
    told, first = wire.tell()
    forwarded, verdict = wire.order(told)
    _, unrelated = wire.order(None)
    assert (first.decision, verdict.decision, unrelated.decision) == (
        Decision.FORWARD,
        Decision.BLOCK,
        Decision.FORWARD,
    )
    assert reasons(verdict) == BLOCKED
    assert verdict.violations[0].evidence == (told,)
    judged = wire.audited[forwarded]
    assert [(each.category, each.detector, each.source) for each in judged.findings] == [(PHONE, INHERITED, told)]
    assert [each.purpose for each in judged.purposes if each.provenance is Provenance.INHERITED] == ["care"]


def test_labels_go_on_from_event_to_event() -> None:
    """Whatever kind lies between, and whoever sent it; the evidence stays the first event."""
    wire = Wire()
    told, _ = wire.tell()
    passed, verdict = wire.tell(OTHER_WORDS, causation_id=told, agent_id="c")
    called, call = wire.put(ToolCall("find_order", "x", '{"which": "hers"}'), purposes=("care",), causation_id=passed)
    assert (verdict.decision, call.decision) == (Decision.FORWARD, Decision.FORWARD)
    _, last = wire.order(called)
    assert (reasons(last), last.violations[0].evidence) == (BLOCKED, (told,))


def test_a_blocked_event_gives_nothing_and_a_redacted_one_only_what_was_left() -> None:
    """What did not reach the agent cannot be passed on by it."""
    wire = Wire()
    blocked, first = wire.tell("crash, and call +4912345678")
    redacted, second = wire.put(AgentMessage(f"{TOLD} or ada@example.com"), purposes=("order",))
    assert (first.decision, second.decision) == (Decision.BLOCK, Decision.REDACT)
    assert wire.order(blocked)[1].decision is Decision.FORWARD
    assert wire.order(redacted)[1].decision is Decision.FORWARD
    labels = {label.category for entry in wire.history().labels for label in entry.fact.labels}
    assert labels == {"user.contact.email"}


def test_memory_gives_back_what_went_into_it() -> None:
    """By its name, in whatever words it comes out; what was overwritten is not read."""
    wire = Wire()
    wire.put(MemoryWrite("note", TOLD), purposes=("care",))
    read, _ = wire.put(MemoryRead("note", "hers"), purposes=("care",))
    assert reasons(wire.order(read)[1]) == BLOCKED
    assert wire.put(MemoryRead("other", "hers"), purposes=("order",))[1].decision is Decision.FORWARD
    wire.put(MemoryWrite("note", "nothing"), purposes=("care",))
    assert wire.put(MemoryRead("note", "nothing"), purposes=("order",))[1].decision is Decision.FORWARD


def test_a_place_that_is_known_is_redacted() -> None:
    """What the event itself holds goes where it stands; nothing is inherited twice."""
    wire = Wire()
    told, _ = wire.tell()
    _, verdict = wire.put(AgentMessage(TOLD), purposes=("order",), causation_id=told)
    assert (verdict.decision, [each.path for each in verdict.obligations]) == (Decision.REDACT, ["/text"])


def test_the_whole_content_can_be_withheld_instead_of_blocking() -> None:
    """By the policy; the obligation covers all of it."""
    wire = Wire(policy(without_place=WithoutPlace.WITHHOLD))
    told, _ = wire.tell()
    _, verdict = wire.order(told)
    assert [(each.path, each.start, each.end, each.category) for each in verdict.obligations] == [
        ("/text", 0, 0, PHONE)
    ]


def test_a_withdrawal_reaches_what_was_passed_on() -> None:
    """An inherited purpose by consent asks for it again."""
    rules = policy()
    by_consent = PurposeRule("care", LegalBasis.CONSENT, frozenset({"user.contact"}))
    wire = Wire(replace(rules, purposes={**rules.purposes, "care": by_consent}))
    assert wire.order(None)[1].decision is Decision.FORWARD
    wire.put(_consent())
    told, first = wire.tell()
    assert first.decision is Decision.FORWARD
    wire.put(ConsentWithdrawn(("care",)))
    _, verdict = wire.put(AgentMessage(OTHER_WORDS), purposes=("tax",), causation_id=told)
    assert ("P1", "consent_withdrawn", None) in reasons(verdict)


def _consent() -> Payload:
    return ConsentGiven(("care",))


def test_lifting_labels_is_a_step_that_the_policy_allows_and_the_verdict_tells() -> None:
    """Only who may, for what it may, of the event it names; what it causes has them no more."""
    wire = Wire(policy(declassify={"summary": LIFT}))
    told, _ = wire.tell()
    asked = ((DECLASSIFY, told), (DECLASSIFY_BY, "summary"))
    lifted, verdict = wire.order(told, attributes=asked)
    assert (verdict.decision, reasons(verdict)) == (Decision.WARN, {("labels", "declassified", PHONE)})
    assert LIFT.why in verdict.violations[0].message
    assert verdict.violations[0].evidence == (told,)
    assert wire.order(lifted)[1].decision is Decision.FORWARD
    for refused in (
        wire.order(told, attributes=asked, agent_id="c"),
        wire.order(told, attributes=((DECLASSIFY, told), (DECLASSIFY_BY, "none"))),
        wire.order(told, attributes=((DECLASSIFY, told),)),
    ):
        assert ("labels", "declassification_not_allowed", PHONE) in reasons(refused[1])
        assert refused[1].decision is Decision.BLOCK
    elsewhere = wire.order(told, attributes=((DECLASSIFY, "another"), (DECLASSIFY_BY, "summary")))
    assert reasons(elsewhere[1]) == BLOCKED


def test_several_causes_are_named_by_an_attribute_and_too_many_are_refused() -> None:
    """Each counts."""
    wire = Wire()
    told, _ = wire.tell()
    assert reasons(wire.order(None, attributes=((CAUSES, f"unknown {told}"),))[1]) == BLOCKED
    many = " ".join(f"c{number}" for number in range(MOST_CAUSES + 1))
    _, verdict = wire.order(None, attributes=((CAUSES, many),))
    assert reasons(verdict) == {("error", "too_many_causes", None)}


def test_labels_are_of_one_person_and_go_with_them_when_identifiers_turn_out_to_be_one() -> None:
    """Another person's event inherits nothing; a link brings what the alias had."""
    wire = Wire()
    told, _ = wire.tell(TOLD, ADA_ID)
    assert wire.order(told, BOB)[1].decision is Decision.FORWARD
    wire.put(IdentityLinked((ADA_ID,)), ADA)
    for who in (ADA, ADA_ID):
        assert reasons(wire.order(told, who)[1]) == BLOCKED


def test_an_event_that_comes_again_gets_the_very_verdict_it_got() -> None:
    """Also once its cause has been overwritten, and more has come in; and it is remembered once."""
    wire = Wire()
    told, _ = wire.tell()
    event = make_event(AgentMessage(OTHER_WORDS), ADA, number=77, agent_id="b", causation_id=told, purposes=("care",))
    first = wire.again(event)
    wire.tell("and write to bob@example.com", causation_id=told)
    before = wire.history().labels
    assert encode(wire.again(event)) == encode(first)
    assert wire.history().labels == before


def test_labels_end_with_their_time() -> None:
    """A day, unless the policy says otherwise."""
    wire = Wire(policy(keep=2))
    told, _ = wire.tell()
    assert wire.order(told)[1].decision is Decision.BLOCK
    assert wire.order(told)[1].decision is Decision.BLOCK
    assert wire.order(told)[1].decision is Decision.FORWARD


def test_all_judges_see_what_was_inherited() -> None:
    """The view that the audit has is the one that was judged: Python, Rego and temporal logic agree on it."""
    wire, panel = Wire(), Panel()
    told, _ = wire.tell()
    for purposes in (("order",), ("care",), ()):
        before = wire.history()
        event_id, verdict = wire.put(AgentMessage(OTHER_WORDS), purposes=purposes, causation_id=told)
        at = verdict.decided_on[0]
        place = At(at.topic, at.partition, at.offset, verdict.recorded_at)
        agreement = panel.compare(wire.audited[event_id], place, before, wire.kernel.policies.get(None), verdict)  # type: ignore[arg-type]
        assert agreement.agrees, agreement.faults


def test_history_and_view_survive_the_wire() -> None:
    """With labels in them."""
    wire = Wire()
    told, _ = wire.tell()
    _, _ = wire.tell(causation_id=told, attributes=((CAUSES, "x"), (DECLASSIFY, "y")))
    assert decode(encode(wire.history()), History) == wire.history()
    event = make_event(MemoryWrite("note of ada@example.com", "x"), ADA, attributes=((CAUSES, "a b"),))
    (view,) = annotate(event, SourceRecord(SourcePosition("e", 0, 1), 7), wire.kernel)
    assert decode(encode(view), View) == view
    assert b"ada@" not in encode(view)


@pytest.mark.parametrize("length", [3, 200])
def test_a_long_chain_costs_the_same_at_every_link(length: int) -> None:
    """One label per category: each fact is as large as the first, and a link's cause is the last fact there is."""
    wire = Wire()
    cause, _ = wire.tell()
    first = cause
    for _ in range(length):
        cause, verdict = wire.tell(OTHER_WORDS, causation_id=cause)
        assert verdict.decision is Decision.FORWARD
    sizes = {len(entry.fact.labels) for entry in wire.history().labels}
    assert sizes == {1}
    assert {label.source for entry in wire.history().labels for label in entry.fact.labels} == {first}


def test_users_words_give_nothing_unless_the_policy_says_so() -> None:
    """By default what agents tell each other and what they remember is passed on."""
    for givers, decision in ((None, Decision.FORWARD), ({PayloadKind.USER_MESSAGE}, Decision.BLOCK)):
        wire = Wire(policy() if givers is None else policy(givers=frozenset(givers)))
        said, _ = wire.put(UserMessage(TOLD), purposes=("care",))
        assert wire.order(said)[1].decision is decision
