"""How long a worker takes to have its tables back, and how much they take, for many people.

The rows are written to the changelog as a worker writes them; then real workers start: one whose tables are
empty, one that keeps them in memory, one that keeps them on disk, and that one again with its disk.
"""

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from confluent_kafka import Producer

from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.processes import on_disk, resident
from lawful.infra.chaos.place import Place
from lawful.infra.chaos.suite import engines
from lawful.infra.settings import Store
from lawful.schemas.codec import encode
from lawful.schemas.event import Identifier
from lawful.schemas.history import ConsentFact, Entry, History, SeenFact
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.streams.steps import HISTORY

_TENANT, _KEY = "bench", "the key of a benchmark, not a secret"
_WORKER = "worker-1"
_EVERY = 10_000
_RESTORED = re.compile(r"table history: \d+ partitions restored from \d+ records in ([0-9.]+) s")
_TALKING = ("--log-level", "info")
Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Start:
    """One start of a worker.

    Attributes:
        seconds: until it takes events.
        restoring: seconds of it in which the table of histories was read back.
        resident_mb: what it holds in memory then.
        disk_mb: what its tables take on disk.
    """

    seconds: float
    restoring: float
    resident_mb: float
    disk_mb: float


def bench_recovery(subjects: int, broker: str, partitions: int, progress: Progress) -> dict[str, Any]:
    """Writes histories of so many people, and starts workers.

    Args:
        subjects: people.
        broker: `embedded` or `kafka`.
        partitions: of the topics; one worker has them all.
        progress: told what is done, and how many rows are written.
    """
    with ExitStack() as last:
        folder = Path(last.enter_context(tempfile.TemporaryDirectory(prefix="lawful-recovery-")))
        kafka, clickhouse = last.enter_context(engines(broker))
        place = last.enter_context(Place(kafka, clickhouse, folder, _KEY, partitions, options=_TALKING))
        progress("starting with empty tables", 0)
        starts = {"empty": _start(place, Store.MEMORY)}
        size = _write(place, subjects, progress)
        for name, store in (("memory", Store.MEMORY), ("disk", Store.ROCKSDB), ("disk, again", Store.ROCKSDB)):
            progress(f"restoring: {name}", subjects)
            starts[name] = _start(place, store)
    return _document(subjects, size, kafka.traits.name, partitions, starts)


def _start(place: Place, store: Store) -> Start:
    place.more = {"store": store.value}
    began = time.monotonic()
    place.start(_WORKER)
    seconds = time.monotonic() - began
    child = place.processes[_WORKER]
    found = Start(seconds, _restoring(child.tail(500)), resident(child.pid), on_disk(place.folder / _WORKER))
    place.stop(_WORKER)
    return found


def _restoring(said: str) -> float:
    """What the worker says about it."""
    return max((float(each) for each in _RESTORED.findall(said)), default=0.0)


def _write(place: Place, subjects: int, progress: Progress) -> int:
    """Writes the rows; gives how many bytes their keys and values have."""
    settings = place.settings()
    topic = settings.topics.changelog("history")
    producer = Producer({**settings.kafka.librdkafka(), "linger.ms": 50, "acks": "all"})
    size = 0
    for number, (key, value) in enumerate(_rows(settings.pseudonymiser(), subjects)):
        size += len(key) + len(value)
        while True:
            try:
                producer.produce(topic, value, key, partition=number % place.partitions)
            except BufferError:
                producer.poll(0.1)
            else:
                break
        if number % _EVERY == 0:
            producer.poll(0)
            progress("writing histories", number)
    producer.flush(60)
    return size


def _rows(people: Pseudonymiser, subjects: int) -> Iterator[tuple[bytes, bytes]]:
    """Everybody was seen once and has agreed to something."""
    for number in range(subjects):
        entries = (
            Entry(2 * number, 1_700_000_000_000_000 + number, SeenFact(f"seen-{number}")),
            Entry(2 * number + 1, 1_700_000_000_000_001 + number, _consent(number)),
        )
        who = people.of(_TENANT, Identifier("customer_id", str(number)))
        yield HISTORY + who.encode(), encode(History(entries))


def _consent(number: int) -> ConsentFact:
    return ConsentFact(f"consent-{number}", ("marketing.communications",), None, None, re_enrols=False)


def _document(subjects: int, size: int, broker: str, partitions: int, starts: dict[str, Start]) -> dict[str, Any]:
    empty = starts["empty"]
    return {
        "machine": machine(),
        "versions": versions(),
        "broker": broker,
        "subjects": subjects,
        "partitions": partitions,
        "bytes_per_subject_in_changelog": round(size / subjects),
        "starts": {
            name: {
                "seconds": round(start.seconds, 1),
                "restoring_seconds": round(start.restoring, 1),
                "resident_mb": round(start.resident_mb),
                "bytes_per_subject_in_memory": round((start.resident_mb - empty.resident_mb) * (1 << 20) / subjects),
                "disk_mb": round(start.disk_mb),
                "bytes_per_subject_on_disk": round(start.disk_mb * (1 << 20) / subjects),
            }
            for name, start in starts.items()
        },
    }
