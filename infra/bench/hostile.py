"""What the worst texts cost: payloads of a bounded size that are made to be slow to read.

Costs are CPU time of one event, the smaller of two tries, since a busy machine only ever adds to it.
"""

import json
import statistics
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from time import thread_time
from typing import Any, Final

from lawful.extractors.pipeline import Pipeline
from lawful.extractors.port import ExtractionSpec, Extractor, Limits
from lawful.infra.bench.hostile_texts import Hostile, hostile
from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.timing import quiet
from lawful.infra.scoring.readers import event_of
from lawful.policies.load import load_pack
from lawful.schemas.event import AgentEvent, ToolResult, UserMessage
from lawful.schemas.view import ExtractionStatus
from lawful.streams.specs import make_spec

Progress = Callable[[str], None]

TARGET_MS: Final = 50.0
_STRUCTURED: Final = {"nesting", "rows"}  # results of tools; the others are messages
_PATIENT: Final = ExtractionSpec(limits=Limits(max_bytes=1 << 20, extraction_ms=120_000))


def bench_hostile(size: int, mixtures: int, seed: int, extractor: Extractor, progress: Progress) -> dict[str, Any]:
    """CPU time of one event with each hostile text, in the forms in which a text can come.

    Args:
        size: bytes of each text.
        mixtures: random texts besides the families.
        seed: of the random texts.
        extractor: as it ships.
        progress: told what is measured.
    """
    _measure(extractor, Hostile("", "", "warm up, Marcus Thorne: a@b.co 4111 1111 1111 1111 call +1 212-555-0100 %41"))
    rows = []
    with quiet():
        for whole in hostile(size, mixtures, seed):
            progress(f"{whole.family}: {whole.name}")
            parts = [_largest_that_is_read(extractor, whole)] if whole.family == "rows" else []
            rows += [(_measure(extractor, one), one) for one in (whole, *parts)]
    rows.sort(key=lambda row: -row[0][0])
    costs = [cost for (cost, _), _ in rows]
    return {
        "machine": machine(),
        "versions": versions(),
        "bytes": size,
        "texts": len(rows),
        "reference_ms": _reference(),
        "ms": {"max": round(max(costs), 1), "median": round(statistics.median(costs), 1)},
        "over": sum(cost > TARGET_MS for cost in costs),
        "slowest": [
            {"family": one.family, "text": one.name, "ms": round(cost, 1), "answer": answer}
            for (cost, answer), one in rows[:20]
        ],
        "target": {"name": "slowest event", "at_most": TARGET_MS, "measured": round(max(costs), 1)},
    }


def _measure(extractor: Extractor, one: Hostile) -> tuple[float, str]:
    """Milliseconds, and what came of it."""
    return min(_once(extractor, _event(one), _spec(one.pack)) for _ in range(2))


def _largest_that_is_read(extractor: Extractor, one: Hostile) -> Hostile:
    """As many of a result's members as are read to the end: more are refused at once, and fewer cost less."""
    rows = json.loads(one.text)

    def part(count: int) -> Hostile:
        return replace(
            one, name=f"{one.name}, {count:,}", text=json.dumps(rows[:count], ensure_ascii=False, separators=(",", ":"))
        )

    def is_refused(count: int) -> bool:
        return extractor.extract(_event(part(count)), _spec(one.pack)).status is not ExtractionStatus.COMPLETE

    return part(bisect_left(range(len(rows) + 1), True, key=is_refused) - 1)


def _event(one: Hostile) -> AgentEvent:
    payload = ToolResult("t", "c", one.text) if one.family in _STRUCTURED else UserMessage(one.text)
    return replace(event_of(payload), subjects=one.subjects)


@cache
def _spec(pack: str) -> ExtractionSpec:
    """What a policy pack looks for besides, within the same limits; a policy that looks for nothing of its own."""
    return replace(make_spec(load_pack(pack)), limits=_PATIENT.limits) if pack else _PATIENT


def _once(extractor: Extractor, event: AgentEvent, spec: ExtractionSpec) -> tuple[float, str]:
    if isinstance(extractor, Pipeline):
        extractor.forget()  # a text that was never seen before: the second try is as new as the first
    start = thread_time()
    extraction = extractor.extract(event, spec)
    cost = (thread_time() - start) * 1_000
    return cost, extraction.status_reason or f"{len(extraction.findings)} findings"


def _reference() -> float:
    """Milliseconds that 100,000 additions take here and now, to set other machines' figures beside."""
    costs = []
    for _ in range(5):
        start = thread_time()
        total = 0
        for number in range(100_000):
            total += number
        costs.append((thread_time() - start) * 1_000)
    return round(min(costs), 2)
