"""What events do, on its way from payloads to the slices that remember it."""

import json
from typing import Any

import pytest

from lawful.policies.rules.acts import MOST
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import AgentMessage, Payload, ToolCall, ToolResult, UserMessage
from lawful.schemas.history import History
from lawful.schemas.topics import TOPICS
from lawful.schemas.verdict import Decision
from lawful.schemas.view import ExtractionStatus, SourcePosition, SubjectRole, View
from lawful.streams.effects import Effects, Record, Send
from lawful.streams.kernel import Kernel, SourceRecord, annotate
from lawful.streams.steps import CombineStep, JudgeStep, StepDeps
from tests.policies.rules.samples import OUTREACH, clinic, rule
from tests.streams.kit import ADA, BOB, PEOPLE, TENANT, Log, OnePolicy, PlainExtractor, make_event

SESSION = rule("NOT (ship(r) AND ONCE(0,1h] ship(r))", name="once", slice="session")
AGENT = rule("NOT (ship(r) AND ONCE(0,1h] ship(r))", name="once", slice="agent")


def kernel(rules: str = OUTREACH, **changes: str) -> Kernel:
    """A kernel for the clinic."""
    return Kernel(OnePolicy(clinic(rules, **changes)), PlainExtractor(), PEOPLE)


def views(payload: Payload, *subjects: Any, using: Kernel | None = None, **fields: Any) -> tuple[View, ...]:
    """The views of an event."""
    record = SourceRecord(SourcePosition("lawful.events", 0, 1), 1_700_000_000_000_000)
    return annotate(make_event(payload, *(subjects or (ADA,)), **fields), record, using or kernel())


def call(tool: str, arguments: Any) -> ToolCall:
    """A tool call."""
    return ToolCall(tool, "call", arguments if isinstance(arguments, str) else json.dumps(arguments))


def values(view: View) -> list[str | int | None]:
    """The arguments of the only act."""
    (act,) = view.acts
    return [each.text if each.number is None else each.number for each in act.arguments]


def test_strings_are_keyed_digests_of_normal_forms() -> None:
    """Equal patients are equal however they are written, and nobody can read who they are."""
    (one,) = views(call("query_record", {"patient_id": "P-1"}))
    (two,) = views(call("query_record", {"patient_id": " p-1 "}))
    (three,) = views(call("query_record", {"patient_id": "P-2"}))
    assert values(one) == values(two) == [PEOPLE.of_argument(TENANT, "text", "P-1")]
    assert values(one) != values(three)
    assert "P-1" not in repr(one)
    assert one.acts[0].arguments[0].path == "/arguments/patient_id"


def test_a_phone_number_is_one_however_it_is_written() -> None:
    """The scheme says how."""
    (one,) = views(call("send_outreach", {"patient": "P-1", "phone": "0049 30 123"}))
    (two,) = views(call("send_outreach", {"patient": "P-1", "phone": "+49-30-123"}))
    assert values(one) == values(two)


@pytest.mark.parametrize(
    "arguments", ["{}", '{"patient_id": null}', '{"patient_id": ["P-1"]}', "[]", "no JSON", '{"patient_id": {"a": 1}}']
)
def test_a_call_is_a_call_whatever_its_arguments(arguments: str) -> None:
    """What cannot be read equals nothing, but it was done."""
    (view,) = views(call("query_record", arguments))
    assert values(view) == [None]


def test_a_document_that_two_readers_may_read_differently_has_no_arguments() -> None:
    """Doubled keys."""
    (view,) = views(call("query_record", '{"patient_id": "P-1", "patient_id": "P-2"}'))
    assert values(view) == [None]


def test_numbers_stay_and_words_of_the_policy_stay() -> None:
    """In clear, as far as they are what is declared."""
    both = kernel(rule("paid(a) IMPLIES a < 100") + rule('NOT ship("us")', name="ship"))

    def paid(content: str) -> list[str | int | None]:
        return values(views(ToolResult("pay", "call", content), using=both)[0])

    assert paid('{"amount": 7}') == paid('{"amount": "7"}') == paid('{"amount": 7.0}') == [7]
    assert paid('{"amount": "7a"}') == paid('{"amount": true}') == paid('{"amount": 7.5}') == paid("7") == [None]
    assert paid('{"amount": 99999999999999999999}') == [2**63 - 1]
    assert values(views(call("ship", {"region": "EU "}), using=both)[0]) == ["eu"]
    assert values(views(call("ship", {"region": "mars"}), using=both)[0]) == [None]


def test_an_array_does_it_for_each_item() -> None:
    """Up to a number beyond which the event is withheld."""
    each = kernel(**{"/arguments/patient}": "/arguments/to/*/patient}"})
    some = {"to": [{"patient": "P-1"}, {"patient": "P-2"}, {}], "phone": "1"}
    (view,) = views(call("send_outreach", some), using=each)
    assert [act.arguments[0].path for act in view.acts] == ["/arguments/to/0/patient", "/arguments/to/1/patient"]
    (none,) = views(call("send_outreach", {"to": []}), using=each)
    assert [act.arguments[0].text for act in none.acts] == [None]
    (many,) = views(call("send_outreach", {"to": [{"patient": "x"}] * (MOST + 1)}), using=each)
    assert many.status is ExtractionStatus.FAILED


def test_only_what_rules_speak_of_is_read() -> None:
    """And only from events of the kind."""
    assert views(call("ship", {"region": "eu"}))[0].acts == ()
    assert views(UserMessage("hello"))[0].acts == ()
    said = kernel(rule("said() IMPLIES FALSE"))
    assert len(views(UserMessage("hello"), using=said)[0].acts) == 1
    assert views(AgentMessage("hello"), using=said)[0].acts == ()


def test_the_principals_view_tells_what_was_done() -> None:
    """Others are mentioned; it is not their trace."""
    one, two = views(call("query_record", {"patient_id": "P-1", "note": BOB.value}))
    assert one.acts
    assert two.acts == ()


def test_a_session_has_a_view_of_its_own_if_a_rule_speaks_of_what_is_done() -> None:
    """Keyed by the session, with nobody in it."""
    using = kernel(SESSION)
    person, session = views(call("ship", {"region": "eu", "note": "a@example.com"}), BOB, using=using)[::2]
    assert (session.slice, session.role, session.subject) == ("session", SubjectRole.NOBODY, None)
    assert session.acts == person.acts
    assert session.findings == ()
    assert (session.part, session.parts) == (2, 3)
    assert session.key == PEOPLE.of_slice(TENANT, "session", "session-1") != person.key
    (other,) = views(UserMessage("hello"), using=using)
    assert other.slice is None


def shipping(log: Log, region: str, who: Any = ADA, **fields: Any) -> Decision:
    """Ships to a region."""
    return log.add(call("ship", {"region": region}), who, **fields).decision


def test_a_rule_over_a_session_sees_all_of_its_people() -> None:
    """And nothing of other sessions."""
    log = Log(kernel(SESSION))
    assert shipping(log, "eu", ADA) is Decision.FORWARD
    log.time += 1
    assert shipping(log, "eu", BOB) is Decision.BLOCK
    assert shipping(log, "eu", BOB, session_id="session-2") is Decision.FORWARD
    assert shipping(log, "us", BOB) is Decision.FORWARD


def test_a_rule_over_an_agent_sees_all_of_its_sessions() -> None:
    """Whomever they serve."""
    log = Log(kernel(AGENT))
    assert shipping(log, "eu") is Decision.FORWARD
    log.time += 1
    assert shipping(log, "eu", BOB, session_id="session-2") is Decision.BLOCK
    assert shipping(log, "eu", BOB, agent_id="agent-2") is Decision.FORWARD


def test_what_another_share_blocks_did_not_happen() -> None:
    """The query mentions an erased person: it is blocked, and allows nothing later."""
    for erased in (False, True):
        log = Log(kernel())
        log.say("hello", BOB)
        if erased:
            log.erase(BOB)
        query = log.add(call("query_record", {"patient_id": "P-1", "note": BOB.value}), ADA)
        assert (query.decision is Decision.BLOCK) is erased
        invite = log.add(call("send_outreach", {"patient": "P-1", "phone": "1"}), ADA)
        assert (invite.decision is Decision.BLOCK) is erased


def test_what_was_done_under_an_alias_counts_for_the_person() -> None:
    """Before the link and after it."""
    log = Log(kernel())
    log.add(call("query_record", {"patient_id": "P-1"}), ADA)
    log.add(call("query_record", {"patient_id": "P-2"}), BOB)
    log.link(ADA, BOB)
    for patient in ("P-1", "P-2"):
        invite = call("send_outreach", {"patient": patient, "phone": "1"})
        assert log.add(invite, ADA).decision is Decision.FORWARD
        assert log.add(invite, BOB).decision is Decision.FORWARD


def test_an_old_act_is_no_younger_for_being_merged() -> None:
    """It keeps its own time."""
    log = Log(kernel())
    log.add(call("query_record", {"patient_id": "P-1"}), ADA)
    log.say("hello", BOB)
    log.time += 3_600_000_000
    log.link(ADA, BOB)
    log.time += 1
    for who in (ADA, BOB):
        assert log.add(call("send_outreach", {"patient": "P-1", "phone": "1"}), who).decision is Decision.BLOCK


def test_without_a_subject_the_session_is_whose_trace_it_is() -> None:
    """No subject is no way around a rule."""
    log = Log(kernel())
    assert log.add(call("send_outreach", {"patient": "P-1", "phone": "1"})).decision is Decision.BLOCK
    assert log.add(call("query_record", {"patient_id": "P-1"})).decision is Decision.FORWARD
    assert log.add(call("send_outreach", {"patient": "P-1", "phone": "1"})).decision is Decision.FORWARD


def shares_of(payload: Payload, deps: StepDeps) -> list[Send]:
    """What the judge stage sends to the combine stage."""
    record = SourceRecord(SourcePosition("lawful.events", 0, 1), 1_700_000_000_000_000)
    views_ = annotate(make_event(payload, ADA), record, deps.kernel)
    judge = JudgeStep(deps)
    topic = deps.topics.annotated
    sent = [judge(Record(topic, 0, at, 1, b"", encode(view)), {}).sends for at, view in enumerate(views_)]
    return [send for sends in sent for send in sends]


def test_what_was_done_is_published_before_the_answer_and_learnt_once() -> None:
    """To the slice's partition; a second copy of it changes nothing, and is answered to nobody."""
    deps = StepDeps(kernel=kernel(), topics=TOPICS, reply_prefix="lawful.reply.")
    shares = shares_of(call("query_record", {"patient_id": "P-1", "note": BOB.value}), deps)
    assert [send.topic for send in shares] == [TOPICS.partials] * 2
    combine, rows, effects = CombineStep(deps), dict[bytes, bytes](), Effects()
    for at, share in enumerate(shares):
        effects = combine(Record(TOPICS.partials, 0, at, 1, b"", share.value), rows)
        rows |= {put.key: put.value for put in effects.puts if put.value}
    assert [send.topic for send in effects.sends] == [TOPICS.annotated, TOPICS.verdicts, TOPICS.audit]
    judge, histories = JudgeStep(deps), dict[bytes, bytes]()
    for at in (10, 11):
        learnt = judge(Record(TOPICS.annotated, 0, at, 1, b"", effects.sends[0].value), histories)
        assert learnt.sends == ()
        histories |= {put.key: put.value for put in learnt.puts if put.value}
    (row,) = histories.values()
    (entry,) = decode(row, History).acts
    assert entry.offset == 10
    assert entry.fact.acts[0].arguments[0].text == PEOPLE.of_argument(TENANT, "text", "P-1")
