"""Laws of a policy's own rules: they obey the history's laws, and keeping monitors changes nothing."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.policies.mfotl.monitor import Monitor
from lawful.policies.rules.model import Slice
from lawful.policies.rules.trace import Point, rows_of
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import (
    AgentEvent,
    ConsentGiven,
    ConsentWithdrawn,
    Identifier,
    IdentityLinked,
    Payload,
    ToolCall,
    UserMessage,
)
from lawful.schemas.history import EMPTY, Act, History
from lawful.schemas.verdict import Decision
from lawful.schemas.view import SourcePosition
from lawful.streams.kernel import Kernel, SourceRecord, SubjectRow
from lawful.streams.replay import Replayed, replay
from tests.policies.rules.samples import HOUR, OUTREACH, World, act, clinic, rule
from tests.streams.kit import ADA, ADA_ID, BOB, PEOPLE, OnePolicy, PlainExtractor, make_event

LIMIT = rule("NOT (ship(r) AND ONCE(0,1h] ship(r))", name="limit")
MASK = rule("send_outreach(p, f) IMPLIES ONCE[0,2h] said()", name="masked", on_violation="{mask: [phone]}")
TWICE = rule("NOT EXISTS q. send_outreach(p, f) AND PREV[0,3h] send_outreach(q, f)", name="twice", on_violation="warn")
SESSION = rule("ship(r) IMPLIES NOT ONCE[0,1h] said()", name="quiet", slice="session")
AGREED = rule('said() IMPLIES NOT ONCE[0,2h] withdrawn("marketing")', name="agreed", on_violation="warn")
ALL = OUTREACH + LIMIT + MASK + SESSION + AGREED
KERNEL = Kernel(OnePolicy(clinic(ALL)), PlainExtractor(), PEOPLE)

Log = list[tuple[AgentEvent, SourceRecord]]


def call(tool: str, **arguments: str) -> Payload:
    """A tool call."""
    return ToolCall(tool, "call", json.dumps(arguments))


PAYLOADS = [
    call("query_record", patient_id="P-1"),
    call("query_record", patient_id="P-2"),
    call("query_record", patient_id="P-1", note="ask bob@example.com"),
    call("send_outreach", patient="P-1", phone="1"),
    call("send_outreach", patient="P-1", phone="2"),
    call("send_outreach", patient="P-2", phone="2"),
    call("ship", region="eu"),
    call("ship", region="us"),
    call("ship", region="mars"),
    call("unheard"),
    UserMessage("hello"),
    ConsentGiven(("marketing",)),
    ConsentWithdrawn(("marketing",)),
    IdentityLinked((ADA_ID,)),
]
"""What agents do: what the rules speak of, and what they don't; one mentions another person."""

STEP = st.tuples(
    st.sampled_from(PAYLOADS),
    st.sampled_from([ADA, ADA, ADA_ID, BOB]),
    st.sampled_from(["one", "two"]),
    st.sampled_from([0, 1, HOUR // 2, HOUR]),
    st.integers(0, 40),
)


def as_log(steps: list[tuple[Payload, Identifier, str, int, int]]) -> Log:
    """A log of a few people's events, in order of time; some events arrive again."""
    time = 1_700_000_000_000_000
    log: Log = []
    for number, (payload, who, session, after, again) in enumerate(steps):
        event = make_event(payload, who, number=number, session_id=session)
        time += after
        event = log[again][0] if again < len(log) // 3 else event
        log.append((event, SourceRecord(SourcePosition("lawful.events", 0, len(log)), time)))
    return log


LOGS = st.lists(STEP, max_size=14).map(as_log)


def run(log: Log, *, remembering: bool = True, kernel: Kernel = KERNEL, onto: Replayed | None = None) -> Replayed:
    """A replay, with or without monitors kept."""
    result = onto or Replayed()
    if not remembering:
        result.tables.memory = None
    return replay(log, kernel, result)


@given(LOGS)
@settings(deadline=None, max_examples=60)
def test_keeping_monitors_changes_nothing(log: Log) -> None:
    """Verdicts and rows are those of walking through the past at every event."""
    kept, walked = run(log), run(log, remembering=False)
    assert kept.verdicts == walked.verdicts
    assert kept.rows == walked.rows
    assert not kept.contradictions | walked.contradictions


@given(LOGS, st.integers(0, 14))
@settings(deadline=None, max_examples=40)
def test_a_log_replayed_in_two_parts_is_the_log(log: Log, cut: int) -> None:
    """Rows are stored and read back in between, and monitors are gone."""
    whole, half = run(log), run(log[:cut])
    stored = {key: SubjectRow(decode(encode(row.history), History), row.link) for key, row in half.tables.rows.items()}
    half.tables.rows = stored
    half.tables.memory = None
    second = run(log[cut:], onto=half)
    assert second.verdicts == whole.verdicts
    assert second.rows == whole.rows


@given(LOGS)
@settings(deadline=None, max_examples=40)
def test_an_event_that_arrives_again_is_answered_as_before(log: Log) -> None:
    """Even after all that came later; and the rows stay as they are."""
    once = run(log)
    verdicts, rows = dict(once.verdicts), dict(once.rows)
    again = [(event, replace(record, recorded_at=log[-1][1].recorded_at)) for event, record in log]
    twice = run(again, onto=once)
    assert not twice.contradictions
    assert (twice.verdicts, twice.rows) == (verdicts, rows)


@given(LOGS)
@settings(deadline=None, max_examples=40)
def test_rules_never_loosen_a_verdict(log: Log) -> None:
    """With them, every decision is at least as strict... of what both worlds let happen before."""
    bare = Kernel(OnePolicy(clinic(rule("NOT FALSE", name="nothing"))), PlainExtractor(), PEOPLE)
    for event, record in log:
        if isinstance(event.payload, ConsentGiven | ConsentWithdrawn | IdentityLinked):
            continue
        single = [(event, record)]
        ours, theirs = run(single).verdicts[event.event_id], run(single, kernel=bare).verdicts[event.event_id]
        assert ours.decision >= theirs.decision


@given(LOGS)
@settings(deadline=None, max_examples=40)
def test_no_row_holds_what_was_said(log: Log) -> None:
    """State knows digests and the policy's own words."""
    rows = b"".join(encode(row.history) for row in run(log).tables.rows.values())
    for text in (b"P-1", b"P-2", b"example.com", b"mars"):
        assert text not in rows


STEPS = st.lists(
    st.tuples(
        st.sampled_from([0, 1, HOUR // 2, HOUR - 1, HOUR]),
        st.sampled_from(
            [
                (act("query_record", "a"),),
                (act("query_record", "b"),),
                (act("send_outreach", "a", "x"),),
                (act("send_outreach", "b", "x"), act("send_outreach", "a", "y")),
                (act("ship", "eu"),),
                (act("said"),),
                (),
            ]
        ),
        st.booleans(),
    ),
    max_size=20,
)


@given(STEPS, st.sampled_from([OUTREACH, LIMIT, TWICE, OUTREACH + LIMIT + TWICE]))
@settings(deadline=None, max_examples=80)
def test_verdicts_are_those_of_the_formula_over_the_enforced_trace(
    steps: list[tuple[int, tuple[Act, ...], bool]], rules: str
) -> None:
    """A monitor that starts afresh at each event, over all that passed, finds the same violations."""
    policy = clinic(rules)
    assert policy.rules is not None
    world = World(policy)
    passed: list[Point] = []
    for after, acts, undeclared in steps:
        done = world.happens(*acts, after=after, tool="unheard" if undeclared else "ship")
        point = (world.time, rows_of(acts, policy.rules.predicates, f"event-{world.offset}"))
        expected = set()
        for each in policy.rules.slices[Slice.SUBJECT].rules:
            monitor = Monitor(each.program)
            for stamp, facts in passed:
                monitor.step(stamp, facts)
            if monitor.step(*point):
                expected.add(each.name)
        assert {each.rule for each in done.verdict.violations} - {"P2"} == expected
        if done.verdict.decision is not Decision.BLOCK:
            passed.append(point)


@given(STEPS)
@settings(deadline=None, max_examples=30)
def test_the_order_of_rules_does_not_matter(steps: list[tuple[int, tuple[Act, ...], bool]]) -> None:
    """Independent rules, the other way round."""
    one, two = World(clinic(OUTREACH + LIMIT + MASK)), World(clinic(MASK + LIMIT + OUTREACH))
    for after, acts, _ in steps:
        ours, theirs = one.happens(*acts, after=after), two.happens(*acts, after=after)
        assert ours.verdict.violations == theirs.verdict.violations
        assert ours.verdict.obligations == theirs.verdict.obligations
    assert one.history == two.history


def test_the_generated_logs_break_and_keep_rules() -> None:
    """The laws above are about something: a hand-made log does all of it."""
    texts = [("query_record", {"patient_id": "P-1"}), ("send_outreach", {"patient": "P-1", "phone": "1"})]
    log: Log = [
        (
            make_event(ToolCall(tool, "call", json.dumps(body)), ADA, number=number),
            SourceRecord(SourcePosition("lawful.events", 0, number), 1_700_000_000_000_000 + number),
        )
        for number, (tool, body) in enumerate([texts[1], texts[0], texts[1]])
    ]
    decisions = [each.decision for each in run(log).verdicts.values()]
    assert decisions == [Decision.BLOCK, Decision.FORWARD, Decision.REDACT]
    assert run([]).tables.rows.get("nobody", SubjectRow()).history is EMPTY
