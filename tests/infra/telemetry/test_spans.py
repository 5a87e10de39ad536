"""Traces: one tree for one event, over stages, processes and redelivery, with nobody in it."""

from collections.abc import Mapping

import pytest
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanContext, StatusCode

from lawful.infra.clickhouse.rows import LogPlace, process
from lawful.infra.settings import Settings, TracesSettings
from lawful.infra.settings_load import load_settings
from lawful.infra.telemetry.spans import Origin, Spans
from lawful.infra.telemetry.tracing import headers, tracing
from lawful.schemas.audit import AuditRecord
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentEvent, Identifier, ToolCall, UserMessage
from lawful.schemas.topics import Topics
from lawful.streams.effects import Effects, Record, Step
from lawful.streams.observing import Done
from lawful.streams.rows import PartitionRows
from lawful.streams.steps import AnnotateStep, CombineStep, JudgeStep, StepDeps
from lawful.streams.store import MemoryStore
from tests.otlp import collector
from tests.streams.kit import ADA, BOB, KERNEL, make_event

TOPICS = Topics()
DEPS = StepDeps(kernel=KERNEL, topics=TOPICS, reply_prefix=TOPICS.reply_prefix)
TRACE, AGENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{AGENT}-01"
AT = 1_700_000_000_000_000


class Pipeline:
    """The three stages and the audit writer's rows, each told to spans of a process of its own."""

    def __init__(self, share: float = 1.0) -> None:
        self.exporter = InMemorySpanExporter()
        self._share = share
        self._steps: Mapping[str, Step] = {
            TOPICS.events: AnnotateStep(DEPS),
            TOPICS.annotated: JudgeStep(DEPS),
            TOPICS.partials: CombineStep(DEPS),
        }
        self._stages = {TOPICS.events: "annotate", TOPICS.annotated: "judge", TOPICS.partials: "combine"}
        self._rows = {topic: PartitionRows(MemoryStore()) for topic in self._steps}
        self._ends = dict.fromkeys(self._steps, 0)

    def spans(self) -> Spans:
        """A process's own."""
        return Spans(SimpleSpanProcessor(self.exporter), Resource({}), self._share, lambda: (AT + 9_000) * 1_000)

    def publish(self, event: AgentEvent) -> list[ReadableSpan]:
        """Takes an event all the way; gives the spans that were told of it."""
        self.exporter.clear()
        waiting = [(TOPICS.events, encode(event))]
        while waiting:
            topic, value = waiting.pop(0)
            effects = self._do(topic, value)
            waiting += [(send.topic, send.value) for send in effects.sends if send.topic in self._steps]
            for send in effects.sends:
                if send.topic == TOPICS.audit:
                    place = LogPlace(send.topic, 0, 0, AT // 1_000 + 5)
                    self.spans().written([process(decode(send.value, AuditRecord), place)], 0.002)
        return list(self.exporter.get_finished_spans())

    def _do(self, topic: str, value: bytes) -> Effects:
        offset = self._ends[topic]
        self._ends[topic] += 1
        effects = self._steps[topic](Record(topic, 0, offset, AT, b"key", value), self._rows[topic])
        for put in effects.puts:
            self._rows[topic].put(put.key, put.value)
        done = Done(
            stage=self._stages[topic],
            partition=0,
            offset=offset,
            began=AT + 1_000,
            ended=AT + 3_000,
            letter=effects.letter,
            notes=effects.notes,
        )
        self.spans().done(done)
        return effects


def context_of(span: ReadableSpan) -> SpanContext:
    """A span's own ids."""
    context: SpanContext | None = span.context
    assert context is not None
    return context


def names(spans: list[ReadableSpan]) -> list[str]:
    """Their names, sorted."""
    return sorted(span.name for span in spans)


def test_all_spans_of_an_event_hang_below_the_agents_own() -> None:
    """From the event's traceparent over annotate, judge and the verdict to the audit row: one trace."""
    spans = Pipeline().publish(make_event(UserMessage("hello"), ADA, number=1, traceparent=PARENT))
    assert names(spans) == ["lawful.annotate", "lawful.audit", "lawful.judge", "lawful.verdict"]
    by_name = {span.name: span for span in spans}
    verdict = by_name.pop("lawful.verdict")
    assert {f"{context_of(span).trace_id:032x}" for span in spans} == {TRACE}
    assert verdict.parent is not None
    assert f"{verdict.parent.span_id:016x}" == AGENT
    assert {span.parent.span_id for span in by_name.values() if span.parent} == {context_of(verdict).span_id}
    assert len({context_of(span).span_id for span in spans}) == 4
    assert (verdict.start_time, verdict.end_time) == (AT * 1_000, (AT + 3_000) * 1_000)
    assert (by_name["lawful.audit"].start_time, by_name["lawful.audit"].end_time) == (
        (AT + 5_000) * 1_000,
        (AT + 9_000) * 1_000,
    )


def test_an_event_about_two_people_has_a_span_for_each_and_one_that_combines() -> None:
    """Both judgements are told apart, and there is one verdict."""
    spans = Pipeline().publish(make_event(UserMessage("hello"), ADA, BOB, number=2, traceparent=PARENT))
    assert names(spans).count("lawful.judge") == 2
    assert names(spans).count("lawful.verdict") == names(spans).count("lawful.audit") == 1
    assert "lawful.combine" in names(spans)
    assert len({context_of(span).span_id for span in spans if span.name == "lawful.judge"}) == 2


def test_what_is_done_again_gives_the_same_spans() -> None:
    """A redelivered event, seen by other processes, names the same trace and the same spans."""
    event = make_event(UserMessage("hello"), ADA, number=3)
    first, second = Pipeline().publish(event), Pipeline().publish(event)
    assert [(span.name, span.context) for span in first] == [(span.name, span.context) for span in second]


@pytest.mark.parametrize(
    "traceparent",
    [None, "", "ada@example.com", PARENT.upper(), PARENT[:-1], f"ff{PARENT[2:]}", f"00-{'0' * 32}-{AGENT}-01"],
)
def test_without_a_valid_traceparent_an_event_has_a_trace_of_its_own(traceparent: str | None) -> None:
    """What is no traceparent by the standard counts as none, and the spans still hang together."""
    event = make_event(UserMessage("hello"), ADA, number=4, traceparent=traceparent)
    spans = Pipeline().publish(event)
    (trace,) = {context_of(span).trace_id for span in spans}
    assert f"{trace:032x}" != TRACE
    assert [span.parent for span in spans if span.name == "lawful.verdict"] == [None]


@pytest.mark.parametrize(("flags", "share", "told"), [("01", 0.0, True), ("00", 1.0, False)])
def test_the_agent_says_whether_it_is_sampled(flags: str, share: float, told: bool) -> None:  # noqa: FBT001 - a case
    """The flag of its traceparent wins over our share."""
    event = make_event(UserMessage("hello"), ADA, number=5, traceparent=f"{PARENT[:-2]}{flags}")
    assert bool(Pipeline(share).publish(event)) is told


def test_else_a_share_of_traces_is_told() -> None:
    """About one in four, and for the same event always the same answer."""
    origins = [Origin.of(f"event-{number}", None) for number in range(2_000)]
    told = [origin.sampled(0.25) for origin in origins]
    assert 400 < sum(told) < 600
    assert not any(origin.sampled(0.0) for origin in origins)
    assert all(origin.sampled(1.0) for origin in origins)


def test_an_event_that_could_not_be_judged_is_an_error() -> None:
    """A block for want of an answer shows as failed; one by the policy does not."""
    crashed = Pipeline().publish(make_event(UserMessage("crash"), ADA, number=6))
    blocked = Pipeline().publish(make_event(ToolCall("send_mail", "c", '{"to": "ada@example.com"}'), ADA, number=7))
    statuses = [
        (span.status.status_code, (span.attributes or {})["lawful.decision"])
        for span in (*crashed, *blocked)
        if span.name == "lawful.verdict"
    ]
    assert statuses == [(StatusCode.ERROR, "block"), (StatusCode.UNSET, "block")]


def test_nobody_is_in_a_span() -> None:
    """A36: an event with somebody in each of its strings leaves no trace of them in its traces."""
    nasty = ADA.value
    event = make_event(
        ToolCall(nasty, nasty, f'{{"to": "{nasty}"}}'),
        ADA,
        Identifier("name", "Ada Lovelace"),
        event_id=f"e {nasty}",
        session_id=nasty,
        agent_id=nasty,
        source=nasty,
        task_id=nasty,
        traceparent=nasty,
        policy_id=nasty,
        purposes=(nasty,),
    )
    spans = Pipeline().publish(event)
    assert "lawful.verdict" in names(spans)
    told = " ".join(span.to_json() for span in spans)
    assert not [part for part in ("ada@example", "Lovelace") if part in told]


def test_spans_reach_a_collector_before_the_process_ends() -> None:
    """OTLP over HTTP, with the headers that the operator set; what waits is sent at the end."""
    event = encode(make_event(UserMessage("hello"), ADA, number=8, traceparent=PARENT))
    with collector() as collected:
        traces = TracesSettings(endpoint=collected.endpoint, headers="authorization=Bearer hidden")
        with tracing(Settings(traces=traces, instance_id="worker-1"), "lawful-worker") as spans:
            assert spans is not None
            effects = AnnotateStep(DEPS)(Record(TOPICS.events, 0, 0, AT, b"k", event), PartitionRows(MemoryStore()))
            spans.done(Done(stage="annotate", partition=0, offset=0, began=AT, ended=AT + 1, notes=effects.notes))
    assert collected.requests == [("/v1/traces", "Bearer hidden")]
    assert collected.spans == [("lawful-worker", "lawful.annotate", TRACE)]


def test_without_an_endpoint_nothing_is_told() -> None:
    """Traces are off unless somebody asks for them."""
    with tracing(Settings(), "lawful-worker") as spans:
        assert spans is None


def test_headers_are_a_secret() -> None:
    """They are in no repr and in no message about what is wrong with them."""
    assert headers(" a=1, b = 2,") == {"a": "1", "b": "2"}
    with pytest.raises(ConfigurationError) as caught:
        headers("Bearer hidden")
    assert "hidden" not in str(caught.value)
    assert "hidden" not in repr(load_settings({"LAWFUL_TRACES_HEADERS": "a=hidden"}))
