"""Traces: what became of an event, as spans that hang together over processes, topics and restarts.

    the agent's span (traceparent) > lawful.verdict > lawful.annotate, lawful.judge ..., lawful.combine
                                                    > lawful.audit

Nothing travels with the records for it: trace and span ids follow from the event's id and its
`traceparent`, so every process names the same spans, and a record that is done again gives the same
span again. An event without a `traceparent` has a trace of its own. Attributes hold ids, places,
decisions and names of the configuration; no pseudonym and nothing of the payload.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from lawful import __version__
from lawful.infra.clickhouse.rows import AUDIT_COLUMNS, Row
from lawful.infra.telemetry.words import WITHHELD, word
from lawful.schemas.audit import AuditKind
from lawful.schemas.event import Micros
from lawful.schemas.verdict import Predicate, Verdict
from lawful.schemas.view import View
from lawful.streams.observing import Done, Note, Standing

Attributes = Mapping[str, str | int | Sequence[str]]

_PARENT: Final = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?")
_ID: Final = re.compile(r"[0-9a-fA-F-]{1,64}")
_SCOPE: Final = InstrumentationScope("lawful", __version__)
_RANGE: Final = 1 << 64
_SAMPLED: Final = TraceFlags(TraceFlags.SAMPLED)
_VERDICT: Final = "lawful.verdict"
_AUDIT: Final = {name: AUDIT_COLUMNS.index(name) for name in ("kind", "event_id", "traceparent", "payload_kind")}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an event's spans belong.

    Attributes:
        trace: the trace's id.
        parent: the agent's span; `None` if it named none.
        wanted: what the agent said about sampling; `None` if it said nothing.
    """

    event_id: str
    trace: int
    parent: int | None
    wanted: bool | None

    @classmethod
    def of(cls, event_id: str, traceparent: str | None) -> "Origin":
        """From what the event brings; what is no W3C `traceparent` counts as none."""
        match = _PARENT.fullmatch(traceparent or "")
        if match is None:
            return cls(event_id, _number(f"trace {event_id}", 16), None, None)
        return cls(event_id, int(match[1], 16), int(match[2], 16), bool(int(match[3], 16) & 1))

    def sampled(self, share: float) -> bool:
        """Whether its spans are told: as the agent said, else for this share of traces."""
        return self.trace % _RANGE < share * _RANGE if self.wanted is None else self.wanted

    def context(self, name: str) -> SpanContext:
        """One span of ours, by its name."""
        return SpanContext(self.trace, _number(f"{name} {self.event_id}", 8), is_remote=False, trace_flags=_SAMPLED)

    @property
    def agent(self) -> SpanContext | None:
        """The agent's span."""
        return None if self.parent is None else SpanContext(self.trace, self.parent, True, _SAMPLED)


class Spans:
    """Tells spans to a processor; implements `lawful.streams.observing.Observer`.

    Args:
        processor: takes finished spans; exports them in its own time.
        resource: which process this is.
        share: of the events whose agents say nothing about sampling.
        now_ns: this process's clock.
    """

    def __init__(
        self, processor: SpanProcessor, resource: Resource, share: float, now_ns: Callable[[], int] = time.time_ns
    ) -> None:
        self._processor = processor
        self._resource = resource
        self._share = share
        self._now_ns = now_ns

    def done(self, done: Done) -> None:
        """See `Observer`."""
        for note in done.notes:
            origin = Origin.of(note.view.event_id, note.view.traceparent)
            if origin.sampled(self._share):
                self._stage(origin, done, note)

    def stands(self, standings: Sequence[Standing]) -> None:
        """Nothing: that is what metrics are for."""

    def written(self, rows: Sequence[Row], seconds: float) -> None:
        """Audit rows that ClickHouse has confirmed, after an insert of so many seconds."""
        ended = self._now_ns() // 1_000
        for row in rows:
            kind, event_id, traceparent, payload = (row.values[place] for place in _AUDIT.values())
            origin = Origin.of(event_id, traceparent)
            if kind == AuditKind.VERDICT.value and origin.sampled(self._share):
                attributes = {**_event(event_id, payload), "lawful.insert_ms": round(seconds * 1_000)}
                attributes |= {"messaging.destination.name": row.place.topic, "lawful.partition": row.place.partition}
                self._tell(origin, ("lawful.audit", "", attributes), (row.place.logged_at * 1_000, ended))

    def _stage(self, origin: Origin, done: Done, note: Note) -> None:
        view, name = note.view, f"lawful.{done.stage}"
        attributes = {**_event(view.event_id, view.kind.value), "lawful.role": view.role.value}
        attributes |= {"lawful.partition": done.partition, "lawful.offset": done.offset, "lawful.parts": view.parts}
        # One for each person whom the event concerns, unless it is the event as a whole.
        part = str(view.part) if done.stage == "judge" else ""
        self._tell(origin, (name, part, attributes), (done.began, done.ended))
        if note.verdict is not None:
            self._verdict(origin, view, note.verdict, done.ended)

    def _verdict(self, origin: Origin, view: View, verdict: Verdict, ended: Micros) -> None:
        failed = any(violation.rule == Predicate.ERROR for violation in verdict.violations)
        attributes = {
            **_event(view.event_id, view.kind.value),
            "lawful.decision": verdict.decision.word,
            "lawful.rules": sorted({word(violation.rule) for violation in verdict.violations}),
            "lawful.policy": word(verdict.policy_id),
            "lawful.policy_version": word(verdict.policy_version),
            "messaging.destination.name": view.position.topic,
        }
        self._tell(origin, (_VERDICT, "", attributes), (view.recorded_at, ended), failed=failed)

    def _tell(
        self, origin: Origin, span: tuple[str, str, Attributes], times: tuple[Micros, Micros], *, failed: bool = False
    ) -> None:
        name, part, attributes = span
        began, ended = times
        self._processor.on_end(
            ReadableSpan(
                name,
                context=origin.context(f"{name} {part}"),
                parent=origin.agent if name == _VERDICT else origin.context(f"{_VERDICT} "),
                resource=self._resource,
                attributes=attributes,
                kind=SpanKind.CONSUMER if name == _VERDICT else SpanKind.INTERNAL,
                status=Status(StatusCode.ERROR if failed else StatusCode.UNSET),
                start_time=min(began, ended) * 1_000,
                end_time=ended * 1_000,
                instrumentation_scope=_SCOPE,
            )
        )


def _event(event_id: str, kind: str) -> dict[str, str | int | Sequence[str]]:
    shown = event_id if _ID.fullmatch(event_id) else WITHHELD
    return {"messaging.system": "kafka", "lawful.event_id": shown, "lawful.payload_kind": word(kind)}


def _number(text: str, size: int) -> int:
    """An id of so many bytes, never zero."""
    return int.from_bytes(sha256(text.encode(errors="surrogatepass")).digest()[:size], "big") or 1
