"""Rows a second into ClickHouse through the audit writer's own code, and what officers' questions take then.

The records lie in the broker before the clock starts; then one writer reads, decodes, links and inserts them as it
always does. More rows to ask about are copies that ClickHouse makes of these, under other ids and for other people.
"""

import cProfile
import io
import pstats
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from confluent_kafka import Producer

from lawful.infra.audit_writer.run import Watch, build
from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.pipeline import spread, target
from lawful.infra.bench.workload import BEGIN, TOPIC, agreement, event, policies
from lawful.infra.chaos.place import Place
from lawful.infra.chaos.suite import engines
from lawful.infra.clickhouse.client import connect
from lawful.infra.clickhouse.query import Officer
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.clickhouse_config import OFFICER, WRITER
from lawful.infra.engines.traits import Broker
from lawful.policies.judge import At, judge
from lawful.policies.model import Policy
from lawful.schemas.audit import AuditKind, AuditRecord, SubjectMention
from lawful.schemas.codec import encode
from lawful.schemas.errors import MustStop
from lawful.schemas.history import EMPTY
from lawful.schemas.view import SourcePosition, SubjectRole

Progress = Callable[[str, float], None]
ROWS_PER_SECOND: Final = 100_000
_KEY: Final = "the key of a benchmark, not a secret"
_PATIENCE: Final = 120.0
_TEMPLATES: Final = 200
_PEOPLE: Final = 1_000
_SHOWN: Final = 15
_QUESTIONS: Final = {
    "what was decided": "SELECT decision, count() FROM verdicts GROUP BY decision ORDER BY decision",
    "why blocked": (
        "SELECT arrayJoin(reasons) AS reason, count() AS events FROM blocked GROUP BY reason ORDER BY events DESC"
    ),
    "who touched health data": (
        "SELECT agent_id, purpose, count() AS events FROM per_purpose "
        "WHERE arrayExists(c -> startsWith(c, 'user.health_and_medical'), categories) "
        "GROUP BY agent_id, purpose ORDER BY events DESC"
    ),
    "which tools collect too much": (
        "SELECT tool, arrayJoin(obligations.category) AS category, count() AS times "
        "FROM verdicts WHERE decision = 'redact' GROUP BY tool, category ORDER BY times DESC"
    ),
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        rows: that the writer moves, in each round.
        rounds: each with rows of its own.
        millions: rows to ask about, in millions; no fewer than were written.
        asks: how often each question is asked.
        partitions: of the audit topic.
        profile: whether to say where the writer's time goes, in a round of its own.
    """

    rows: int = 50_000
    rounds: int = 3
    millions: float = 0.5
    asks: int = 5
    partitions: int = 4
    profile: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """What one writer did: rows, seconds by the clock, and seconds of CPU of its process."""

    rows: int
    seconds: float
    cpu: float


def bench_audit(size: Size, broker: str, progress: Progress) -> dict[str, Any]:
    """Starts engines, writes and asks.

    Args:
        size: how much.
        broker: `embedded` or `kafka`.
        progress: told what is done, and how many rounds.
    """
    with ExitStack() as last:
        scratch = tempfile.TemporaryDirectory(prefix="lawful-bench-", ignore_cleanup_errors=True)
        folder = Path(last.enter_context(scratch))
        kafka, clickhouse = last.enter_context(engines(broker))
        return measured(size, kafka, clickhouse, folder, progress)


def measured(
    size: Size, broker: Broker, clickhouse: EmbeddedClickHouse, folder: Path, progress: Progress
) -> dict[str, Any]:
    """Writes and asks, on engines that run."""
    with Place(broker, clickhouse, folder, _KEY, size.partitions, more={"audit.batch_ms": "1000"}) as place:
        rounds = []
        for number in range(size.rounds):
            progress("writing", number)
            rounds.append(written(place, records(size.rows, number)))
        profile = _profiled(place, size) if size.profile else []
        progress("filling", size.rounds)
        held = _fill(place, round(size.millions * 1_000_000))
        progress("asking", size.rounds)
        asked = _asked(place, size.asks)
    rates = [one.rows / one.seconds for one in rounds]
    return {
        "machine": machine(),
        "versions": versions(),
        "broker": broker.traits.name,
        "rows": size.rows,
        "rounds": size.rounds,
        "rows_per_second": spread(rates, 0),
        "rows_per_cpu_second_of_the_writer": spread([one.rows / max(one.cpu, 1e-9) for one in rounds], 0),
        "profile": profile,
        "queries": {"rows": held, "ms": asked},
        "targets": [target("rows/s of one writer", statistics.median(rates), at_least=ROWS_PER_SECOND)],
    }


def records(count: int, seed: int) -> Iterator[tuple[bytes, bytes]]:
    """Keys and audit records, as workers publish them: different events of many people."""
    dice, packs = Random(seed), policies()  # noqa: S311 - reproducible, and no secret
    templates = [_template(packs[number % len(packs)], dice, number) for number in range(_TEMPLATES)]
    for number in range(count):
        made = templates[number % _TEMPLATES]
        event_id, subject = f"{seed & 0xFFFFFFFF:08x}-aaaa-7000-8000-{number:012x}", f"{dice.randrange(_PEOPLE):064x}"
        position = SourcePosition(TOPIC, 0, number)
        view = replace(made.view, event_id=event_id, key=subject, subject=subject, position=position)
        mention = SubjectMention(subject, SubjectRole.PRINCIPAL)
        verdict = replace(made.verdict, event_id=event_id)
        yield event_id.encode(), encode(replace(made, view=view, verdict=verdict, subjects=(mention,)))


def _template(policy: Policy, dice: Random, offset: int) -> AuditRecord:
    """One everyday event of somebody who has agreed, and what was decided."""
    first, at = At(TOPIC, 0, 0, BEGIN), At(TOPIC, 0, offset + 1, BEGIN + offset + 1)
    history = judge(agreement(policy, "person", first), first, EMPTY, policy).history
    view = event(policy, dice, "person", at)
    verdict = judge(view, at, history, policy).verdict
    return AuditRecord(kind=AuditKind.VERDICT, view=view, subjects=(), verdict=verdict)


def written(place: Place, found: Iterator[tuple[bytes, bytes]], profile: cProfile.Profile | None = None) -> Round:
    """Has one writer move records to ClickHouse; timed from when it knows where to begin until the last row is in.

    Raises:
        MustStop: some rows do not arrive.
    """
    total, watch = _publish(place, found), Watch()
    writer = build(place.settings(WRITER), watch=watch)
    try:
        while not writer.placed:
            writer.step()
        before, begun, cpu, moved = watch.counters.rows, time.perf_counter(), time.process_time(), time.monotonic()
        if profile:
            profile.enable()
        while (rows := watch.counters.rows) < before + total:
            writer.step()
            if watch.counters.rows > rows:
                moved = time.monotonic()
            if time.monotonic() - moved > _PATIENCE:
                raise MustStop(f"the audit writer moved {rows} rows of {total}, and no more: {watch.counters}")
        return Round(total, time.perf_counter() - begun, time.process_time() - cpu)
    finally:
        if profile:
            profile.disable()
        writer.finish()


def _publish(place: Place, found: Iterator[tuple[bytes, bytes]]) -> int:
    settings = place.settings()
    producer = Producer({**settings.kafka.librdkafka(), "acks": "all", "linger.ms": 50})
    total = 0
    for key, value in found:
        while True:
            with suppress(BufferError):
                producer.produce(settings.topics.audit, value, key)
                break
            producer.poll(0.1)
        total += 1
    producer.flush(120)
    return total


def _profiled(place: Place, size: Size) -> list[str]:
    """Where the time of a round goes: functions by their own time."""
    profile = cProfile.Profile()
    written(place, records(size.rows, size.rounds), profile)
    text = io.StringIO()
    pstats.Stats(profile, stream=text).strip_dirs().sort_stats("tottime").print_stats(_SHOWN)
    return [line.rstrip() for line in text.getvalue().splitlines() if line.strip()][1:]


def _fill(place: Place, wanted: int) -> int:
    """Doubles the rows until there are so many; gives how many there are."""
    client = connect(place.settings().clickhouse)
    try:
        columns = [str(row[0]) for row in client.query("DESCRIBE TABLE audit").result_rows]
        while (held := int(client.query("SELECT count() FROM audit").result_rows[0][0])) < wanted:
            changed = {
                "event_id": f"concat(event_id, '-{held}')",
                "subject": f"lower(hex(sipHash128(subject, {held})))",
                "subjects": f"arrayMap(s -> lower(hex(sipHash128(s, {held}))), subjects)",
            }
            names = ", ".join(f"`{name}`" for name in columns)
            values = ", ".join(changed.get(name, f"`{name}`") for name in columns)
            most = min(held, wanted - held)
            client.command(f"INSERT INTO audit ({names}) SELECT {values} FROM audit LIMIT {most}")  # noqa: S608 - ours
        return held
    finally:
        client.close()


def _asked(place: Place, times: int) -> dict[str, Any]:
    officer = Officer(place.settings(OFFICER).clickhouse, seconds=120)
    questions: dict[str, Callable[[], object]] = {name: _question(officer, sql) for name, sql in _QUESTIONS.items()}
    questions["one person's history"] = lambda: officer.about([f"{1:064x}"])
    found = {}
    for name, ask in questions.items():
        took = []
        for _ in range(times):
            begun = time.perf_counter()
            ask()
            took.append((time.perf_counter() - begun) * 1_000)
        found[name] = spread(took)
    return found


def _question(officer: Officer, sql: str) -> Callable[[], object]:
    return lambda: officer.ask(sql)
