"""One installation for one fault: topics, database, workers and audit writer of its own on shared engines.

Workers and writer are the product's own processes, started as `lawful up` starts them. They are
killed and frozen here; whoever does that says who starts them again.
"""

import os
import secrets
import signal
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.clickhouse_config import OWNER, WRITER
from lawful.infra.engines.leave_group import leave_group
from lawful.infra.engines.process import ChildProcess, Command, EngineFailed
from lawful.infra.engines.traits import Broker
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import Settings
from lawful.infra.settings_load import load_settings, variable
from lawful.schemas.errors import RetryLater

AUDIT = "audit-writer"
SESSION_MS = 6_000
LAWFUL = "lawful.cli.main"
STRANGE = "lawful.infra.chaos.worker"
_START_SECONDS, _GRACE_SECONDS, _STARTS = 90.0, 20.0, 3
_PROMPT = {
    "default_policy": "shopper",
    "audit.batch_ms": "100",
    "audit.anchor_ms": "1000",
    "session_ms": str(SESSION_MS),
    # An outage is longer than any wait for shares: what is to be seen is loss, not time running out.
    "combine_timeout_ms": "600000",
    "dead_letters.ratio": "1",
    "dead_letters.consecutive": "1000000",
}


@dataclass
class Place:
    """One installation; a context manager.

    Attributes:
        broker, clickhouse: engines, which may be killed.
        folder: data and logs.
        key: of pseudonyms.
        partitions: of the topics.
        module: what workers run.
        more: settings that differ, by dotted name.
        bootstrap, clickhouse_port: where workers find the broker and the writer finds ClickHouse, if not directly.
        options: of the workers' command.
        starts_again: processes that had to be started a second time.
    """

    broker: Broker
    clickhouse: EmbeddedClickHouse
    folder: Path
    key: str
    partitions: int = 4
    module: str = LAWFUL
    more: Mapping[str, str] = field(default_factory=dict)
    processes: dict[str, ChildProcess] = field(default_factory=dict)
    bootstrap: str = ""
    clickhouse_port: int = 0
    starts_again: int = 0
    options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.name = f"c{secrets.token_hex(5)}"
        self._pool = ThreadPoolExecutor(8)
        private = Ed25519PrivateKey.generate()
        self._signing_key = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

    def __enter__(self) -> Self:
        create_topics(self.settings())
        migrate(self.settings().clickhouse)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop(*self.processes)
        self._pool.shutdown()

    def values(self, user: str = OWNER) -> dict[str, str]:
        """Settings by dotted name, as this user of ClickHouse."""
        return {
            **_PROMPT,
            "kafka.bootstrap": self.broker.bootstrap,
            "clickhouse.host": self.clickhouse.host,
            "clickhouse.port": str(self.clickhouse.port),
            "clickhouse.user": user,
            "clickhouse.password": self.clickhouse.password(user),
            "clickhouse.database": self.name,
            "topic_prefix": self.name,
            "partitions": str(self.partitions),
            "pseudonym_key": self.key,
            "audit.chain_key": self.key[::-1],
            "audit.signing_key": self._signing_key,
            "audit.anchor_file": str(self.folder / "anchors.jsonl"),
            **self.more,
        }

    def settings(self, user: str = OWNER) -> Settings:
        """Settings of a process beside its own."""
        return load_settings({variable(name): value for name, value in self.values(user).items()})

    def start(self, *names: str) -> None:
        """Starts processes at once, and waits until they work.

        Raises:
            EngineFailed: one did not start; the message holds the end of its log.
        """
        for done in [self._pool.submit(self._spawn, name) for name in names]:
            done.result()

    def _spawn(self, name: str) -> None:
        for last in (False,) * (_STARTS - 1) + (True,):
            child = self.processes[name] = ChildProcess(self._command(name))
            try:
                child.start()
            except EngineFailed:
                if last:
                    raise
                self.starts_again += 1
                self.say_goodbye(name)
            else:
                return

    def _command(self, name: str) -> Command:
        ready = self.folder / f"{name}.ready"
        ready.unlink(missing_ok=True)
        own = {"instance_id": name, "data_dir": str(self.folder / name)}
        if self.bootstrap and name != AUDIT:
            own["kafka.bootstrap"] = self.bootstrap
        if self.clickhouse_port and name == AUDIT:
            own["clickhouse.port"] = str(self.clickhouse_port)
        program = [LAWFUL, AUDIT] if name == AUDIT else [self.module, *(["worker"] if self.module == LAWFUL else [])]
        return Command(
            name=name,
            argv=[sys.executable, "-m", *program, "--ready-file", str(ready), *(() if name == AUDIT else self.options)],
            log=self.folder / "logs" / f"{name}.log",
            healthy=ready.exists,
            env={variable(key): value for key, value in {**self.values(WRITER), **own}.items()},
            start_seconds=_START_SECONDS,
            grace_seconds=_GRACE_SECONDS,
        )

    def kill(self, *names: str) -> None:
        """Kills processes with -9, and says goodbye for workers where the broker would wait for them for ever."""
        for name in names:
            self.processes[name].kill()
            self.say_goodbye(name)

    def say_goodbye(self, name: str) -> None:
        """Has a dead worker's partitions given to others."""
        if name != AUDIT and not self.broker.traits.expires_dead_members:
            with suppress(RetryLater):
                leave_group(self.broker.bootstrap, self.settings().topics.app_id, name)

    def in_background(self, work: Callable[[], object]) -> "Future[object]":
        """Does something on another thread."""
        return self._pool.submit(work)

    def signal(self, name: str, number: int) -> None:
        """Sends a process a signal."""
        if (pid := self.processes[name].pid) is not None:
            os.kill(pid, number)

    def stop(self, *names: str) -> dict[str, int | None]:
        """Asks processes to stop; gives their exit statuses."""
        for name in names:
            with suppress(ProcessLookupError):
                self.signal(name, signal.SIGCONT)
        list(self._pool.map(lambda name: self.processes[name].stop(), names))
        return {name: self.processes[name].returncode for name in names}

    def tail(self) -> str:
        """The last words of every process."""
        return "\n".join(f"{name}: {child.tail(6)}" for name, child in self.processes.items())
