"""Measures on this machine what the model is made of: the three stages on an everyday mix of events, without Kafka.

Processor time, not wall time: a busy machine makes it larger, not meaningless. What Faust, disks and
ClickHouse add is not measured here, and keeps its default.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from lawful.infra.capacity.model import Figures
from lawful.schemas.codec import encode
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    Identifier,
    Payload,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.topics import Topics
from lawful.streams.effects import Effects, Record, Send, Step
from lawful.streams.kernel import Kernel
from lawful.streams.rows import PartitionRows
from lawful.streams.steps import AnnotateStep, CombineStep, JudgeStep, StepDeps
from lawful.streams.store import MemoryStore

BEGIN: Final = 1_700_000_000_000_000
_PEOPLE: Final = 200
_NAMES: Final = ("Anna Berg", "Tom Weber", "Mia Rossi", "Jan Novak")


@dataclass(slots=True)
class Stage:
    """One stage with a table of its own, and what it has taken."""

    topic: str
    step: Step
    rows: PartitionRows = field(default_factory=lambda: PartitionRows(MemoryStore()))
    records: int = 0
    spent_ns: int = 0

    def take(self, value: bytes, clock: Callable[[], int]) -> tuple[Send, ...]:
        """One record; its outputs."""
        record = Record(self.topic, 0, self.records, BEGIN + self.records, b"key", value)
        began = clock()
        effects: Effects = self.step(record, self.rows)
        for put in effects.puts:
            self.rows.put(put.key, put.value)
        self.spent_ns += clock() - began
        self.records += 1
        return effects.sends

    @property
    def us(self) -> float:
        """Microseconds per record."""
        return self.spent_ns / max(1, self.records) / 1_000


def measure(kernel: Kernel, events: int, clock: Callable[[], int] = time.process_time_ns) -> Figures:
    """Takes so many events through all stages; gives the figures, with defaults for what is not measured.

    Args:
        kernel: with the extractor that is to be measured; warm.
        events: how many; the first tenth is not counted.
        clock: processor time in nanoseconds.
    """
    topics = Topics()
    deps = StepDeps(kernel=kernel, topics=topics, reply_prefix=topics.reply_prefix)
    steps: Sequence[tuple[str, Step]] = (
        (topics.events, AnnotateStep(deps)),
        (topics.annotated, JudgeStep(deps)),
        (topics.partials, CombineStep(deps)),
    )
    stages = {topic: Stage(topic, step) for topic, step in steps}
    sizes: dict[str, list[int]] = {}
    for number, event in enumerate(everyday(events)):
        if number == events // 10:
            for stage in stages.values():
                stage.spent_ns = stage.records = 0
            sizes.clear()
        _follow(Send(topics.events, b"key", encode(event)), stages, sizes, clock)
    return _figures(stages, sizes, topics)


def _follow(first: Send, stages: dict[str, Stage], sizes: dict[str, list[int]], clock: Callable[[], int]) -> None:
    waiting = [first]
    while waiting:
        send = waiting.pop(0)
        sizes.setdefault(send.topic, []).append(len(send.value))
        if send.topic in stages:
            waiting += stages[send.topic].take(send.value, clock)


def _figures(stages: dict[str, Stage], sizes: dict[str, list[int]], topics: Topics) -> Figures:
    annotate, judge, combine = (stages[topic] for topic in (topics.events, topics.annotated, topics.partials))

    def mean(topic: str, default: float) -> float:
        found = sizes.get(topic)
        return sum(found) / len(found) if found else default

    plain = Figures()
    return replace(
        plain,
        annotate_us=annotate.us,
        judge_us=judge.us,
        combine_us=combine.us if combine.records else plain.combine_us,
        views=judge.records / annotate.records,
        shares=combine.records / annotate.records,
        event_bytes=mean(topics.events, plain.event_bytes),
        view_bytes=mean(topics.annotated, plain.view_bytes),
        share_bytes=mean(topics.partials, plain.share_bytes),
        verdict_bytes=mean(topics.verdicts, plain.verdict_bytes),
        audit_bytes=mean(topics.audit, plain.audit_bytes),
    )


def everyday(count: int, seed: int = 1) -> Iterator[AgentEvent]:
    """A support agent's day: what people write, tools, answers, hand-overs, in equal parts."""
    dice = Random(seed)  # noqa: S311 - reproducible, and no secret
    for number in range(count):
        person = dice.randrange(_PEOPLE)
        yield AgentEvent(
            event_id=f"0190a000-0000-7000-8000-{number:012x}",
            occurred_at=BEGIN + number,
            tenant_id="capacity",
            source="urn:lawful:capacity",
            agent_id="support-1",
            session_id=f"session-{person}-{number // 20}",
            payload=_payload(number, person, dice),
            subjects=(Identifier("customer_id", f"C-{person}"),),
            purposes=("order",),
        )


def _payload(number: int, person: int, dice: Random) -> Payload:
    order = dice.randrange(10**6)
    match number % 5:
        case 0:
            who = dice.choice(_NAMES)
            phone = f"+44207183{dice.randrange(10_000):04}"
            text = f"Hello, this is {who}, my order {order} is late; write to c{person}@example.com or call {phone}."
            return UserMessage(text)
        case 1:
            return ToolCall("find_order", f"call-{number}", json.dumps({"customer_id": f"C-{person}", "order": order}))
        case 2:
            address = f"{dice.randrange(200)} High Street, Leeds"
            return ToolResult("find_order", f"call-{number}", json.dumps({"status": "shipped", "address": address}))
        case 3:
            return AssistantMessage("Your order left our warehouse yesterday and arrives within two days.")
        case _:
            return AgentMessage(json.dumps({"task": "follow up", "customer": f"C-{person}", "when": "tomorrow"}))
