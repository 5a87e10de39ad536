"""Fills an audit with many linked rows, fast and the same for a seed, and measures what checking them costs.

The rows are everyday events of the packs, judged; each is used many times, at other places and
under other ids. They are linked and inserted as the audit writer does it, so what linking costs,
and the hash's share of it, is measured on the way.
"""

import hmac
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from clickhouse_connect.driver.client import Client

from lawful.infra.audit_chain.keys import ChainKeys
from lawful.infra.audit_chain.link import Head, Linker
from lawful.infra.audit_verify import Keys, verify
from lawful.infra.audit_writer.batch import linked
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.workload import BEGIN, everyday
from lawful.infra.clickhouse.client import Timeouts, connect
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.rows import AUDIT_COLUMNS, LogPlace, Partition, Row, process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import ClickHouseSettings
from lawful.policies.judge import judge
from lawful.schemas.audit import AuditKind, AuditRecord, SubjectMention

TOPIC = "bench.audit"
KEYS = ChainKeys(b"the chain key of the bench")
BATCH = 20_000
_EVENT, _RECORDED, _OCCURRED = (AUDIT_COLUMNS.index(name) for name in ("event_id", "recorded_at", "occurred_at"))
_MILLION = 1_000_000
_KB = 1_024
_PATIENT = Timeouts(request=600, query=590)

Tell = Callable[[str, int], None]
"""Told of what is being done, and how many rows of it are done."""


def templates(seed: int) -> list[Row]:
    """Some hundred rows as judged events make them."""
    found = []
    for given in everyday(16, 17, seed):
        view = given.view
        verdict = judge(view, given.at, given.history, given.policy).verdict
        mentions = (SubjectMention(view.subject, view.role),) if view.subject else ()
        record = AuditRecord(kind=AuditKind.VERDICT, view=view, subjects=mentions, verdict=verdict)
        found.append(process(record, LogPlace(TOPIC, 0, 0, 0)))
    return found


def rows(made_of: Sequence[Row], partition: int, first: int, count: int) -> list[Row]:
    """Rows at these offsets of a partition; each is its template at another place and time, under another id."""
    found = []
    for offset in range(first, first + count):
        template = made_of[offset % len(made_of)]
        at = BEGIN + offset * 1_000
        place = LogPlace(TOPIC, partition, offset, at // 1_000)
        event_id = f"{at:012x}-{partition:04x}-{offset:012x}"
        values = list(template.values)
        values[:4] = place.values
        values[_EVENT], values[_RECORDED], values[_OCCURRED] = event_id, at, at
        found.append(Row((template.key[0], event_id, template.key[2], template.key[3]), place, tuple(values)))
    return found


@dataclass(slots=True)
class Filled:
    """What filling cost.

    Attributes:
        link_seconds: encoding, hashing and joining, of one core.
        bytes: of the rows as they were sent.
    """

    rows: int = 0
    seconds: float = 0.0
    link_seconds: float = 0.0
    bytes: int = 0
    heads: dict[Partition, Head] = field(default_factory=dict)


def fill(store: ClickHouseStore, count: int, partitions: int, seed: int, tell: Tell) -> Filled:
    """Writes rows into chains of equal length; one batch is linked while the last one is inserted."""
    made_of, linker, filled = templates(seed), Linker(KEYS), Filled()
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: None)
        for partition, first, size in _batches(count, partitions):
            some = rows(made_of, partition, first, size)
            busy = time.thread_time()
            (batch,) = linked(some, filled.heads, linker)
            filled.link_seconds += time.thread_time() - busy
            if batch.after is not None:
                filled.heads[batch.partition] = batch.after
            waiting.result()
            waiting = pool.submit(store.insert, batch)
            filled.rows += size
            filled.bytes += len(batch.wire)
            tell("filling", size)
        waiting.result()
    filled.seconds = time.monotonic() - began
    return filled


def _batches(count: int, partitions: int) -> Iterator[tuple[int, int, int]]:
    each = -(-count // partitions)
    for first in range(0, each, BATCH):
        for partition in range(partitions):
            size = min(BATCH, each - first, count - partition * each - first)
            if size > 0:
                yield partition, first, size


def bench_verify(count: int, partitions: int, seed: int, tell: Tell = lambda _what, _rows: None) -> dict[str, Any]:
    """Fills an embedded ClickHouse of its own and verifies it.

    Returns:
        Rows a second, and what memory the check took besides what was there before.
    """
    with EmbeddedClickHouse() as engine:
        settings = ClickHouseSettings(
            host=engine.host, port=engine.port or 0, user="owner", password=engine.password(), database="bench"
        )
        migrate(settings)
        store = ClickHouseStore(settings, timeouts=_PATIENT)
        filled = fill(store, count, partitions, seed, tell)
        store.close()
        client = connect(settings, timeouts=_PATIENT)
        before, began, busy, engine_busy = _peak(), time.monotonic(), time.process_time(), _engine_us(client)
        report = verify(client, Keys(KEYS, None), tell=lambda done: tell("verifying", done))
        seconds, busy = time.monotonic() - began, time.process_time() - busy
        engine_busy = _engine_us(client) - engine_busy
        on_disk = client.query(
            "SELECT sum(bytes_on_disk) FROM system.parts WHERE database = 'bench' AND table = 'audit' AND active"
        ).result_rows[0][0]
        client.close()
    hashed = _hash_us(filled.bytes // filled.rows)
    return {
        "rows": report.rows,
        "ok": report.ok,
        "seconds": round(seconds, 2),
        "rows_per_second": round(report.rows / seconds),
        "us_per_row": round(seconds / report.rows * _MILLION, 2),
        "cpu_us_per_row": {
            "verify": round(busy / report.rows * _MILLION, 2),
            "clickhouse": round(engine_busy / report.rows, 2),
        },
        "peak_mb_before": before,
        "peak_mb_after": _peak(),
        "filling": {
            "rows_per_second": round(filled.rows / filled.seconds),
            "link_us_per_row": round(filled.link_seconds / filled.rows * _MILLION, 2),
            "hash_us_per_row": hashed,
            "sent_bytes_per_row": filled.bytes // filled.rows,
            "disk_bytes_per_row": int(on_disk) // filled.rows,
        },
        "machine": machine(),
        "versions": versions(),
    }


def _peak() -> int:
    """Megabytes that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // _KB


def _engine_us(client: Client) -> int:
    """Microseconds of CPU that ClickHouse's queries have taken so far."""
    found = client.query("SELECT value FROM system.events WHERE event = 'OSCPUVirtualTimeMicroseconds'").result_rows
    return int(found[0][0]) if found else 0


def _hash_us(size: int) -> float:
    """What the hash of one row costs by itself."""
    text, key, times = b"x" * size, KEYS.of("bench"), 20_000
    began = time.thread_time()
    for _ in range(times):
        hmac.digest(key, text, "sha256").hex()
    return round((time.thread_time() - began) / times * _MILLION, 2)
