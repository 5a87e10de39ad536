"""The embedded broker: noida-db, one small binary from a wheel that speaks Kafka's protocol.

It lets a laptop run the demo and the tests without Docker or Java. It is not Kafka, and it says so
(`NOIDA.…`): one node; whole-file snapshots about once a second, so what was acknowledged within
the last second is lost when the broker itself is killed; a killed member never leaves its group
(use static member ids; `leave_group` frees a dead one's partitions); an empty fetch is answered at
once; no compaction, no retention, no cooperative rebalance; a repeated header name keeps only its
last value. Offsets, transactions, LogAppendTime, key order and big messages are right. Measured
with 0.2.3, which the wheel's pin keeps; `tests/contracts/test_broker.py` re-measures.

At start its loader prints a warning that a weak symbol version of glibc is missing on older
systems; the binary runs without it.
"""

import importlib.util
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from lawful.infra.engines.ports import LOOPBACK, answers, on_free_ports
from lawful.infra.engines.process import ChildProcess, Command
from lawful.infra.engines.traits import BrokerTraits
from lawful.schemas.errors import ConfigurationError

START_SECONDS = 15.0

NOIDA = BrokerTraits(
    name="noida-db (embedded)",
    embedded=True,
    log_append_time=True,
    expires_dead_members=False,
    waits_on_empty_fetch=False,
    compacts=False,
    applies_retention=False,
    repeats_headers=False,
    cooperative_rebalance=False,
    keeps_acknowledged_on_kill=False,
    creates_topics_on_use=True,
    limits_message_bytes=True,
)


def binary() -> Path:
    """The broker's program inside its wheel.

    Raises:
        ConfigurationError: the wheel is not installed.
    """
    found = importlib.util.find_spec("noida_db")
    if found is None or found.origin is None:
        raise ConfigurationError("the embedded broker is not installed", hint="pip install 'lawful[embedded]'")
    return Path(found.origin).with_name("noida-db")


class EmbeddedBroker:
    """One embedded broker on a free loopback port.

    Args:
        data_dir: where its data lives; kept. None: a temporary folder, removed at `stop`.
        port: a fixed port; None: a free one.
        log: its log file; None: inside the data folder.
    """

    traits = NOIDA

    def __init__(self, data_dir: Path | None = None, *, port: int | None = None, log: Path | None = None) -> None:
        self._given_dir = data_dir
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._log = log
        self.port = port
        self._child: ChildProcess | None = None

    def start(self) -> Self:
        """Starts it; returns when it answers (about 0.2 s).

        Raises:
            EngineFailed: it did not start; the message holds the end of its log.
            ConfigurationError: the wheel is not installed.
        """
        if self._child and self._child.alive:
            return self
        if self.port is not None:
            self._child = self._run(self.port)
        else:
            self._child = on_free_ports(1, lambda ports: self._run(*ports))
        return self

    def _run(self, port: int) -> ChildProcess:
        folder = self.data_dir
        argv = [str(binary()), "start", "--only", "kafka", "--kafka-port", str(port), "--data-dir", str(folder / "data")]
        log = self._log or folder / "broker.log"
        command = Command("embedded broker", argv, log, healthy=lambda: is_up(port), start_seconds=START_SECONDS)
        child = ChildProcess(command).start()
        self.port = port
        return child

    @property
    def data_dir(self) -> Path:
        """Where its data lives."""
        if self._given_dir is not None:
            self._given_dir.mkdir(parents=True, exist_ok=True)
            return self._given_dir
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="lawful-broker-", ignore_cleanup_errors=True)
        return Path(self._temporary.name)

    @property
    def bootstrap(self) -> str:
        """`host:port`, for `bootstrap.servers`."""
        return f"{LOOPBACK}:{self.port}"

    @property
    def child(self) -> ChildProcess:
        """The process behind it."""
        if self._child is None:
            raise ConfigurationError("the embedded broker was not started")
        return self._child

    def kill(self) -> None:
        """Kills it as a crash would (-9); the data folder stays."""
        self.child.kill()

    def restart(self) -> None:
        """Stops it if it runs, and starts it again on the same port with the same data."""
        self.child.stop()
        self.start()

    def stop(self) -> None:
        """Stops it; a temporary data folder is removed. May be called again."""
        if self._child:
            self._child.stop()
        if self._temporary:
            self._temporary.cleanup()
            self._temporary = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def is_up(port: int) -> bool:
    """Whether a broker answers a metadata request on this loopback port."""
    if not answers(port):
        return False
    admin = AdminClient({"bootstrap.servers": f"{LOOPBACK}:{port}", "log_level": 0})
    try:
        return bool(admin.list_topics(timeout=2).brokers)
    except KafkaException:
        return False
