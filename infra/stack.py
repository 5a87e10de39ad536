"""Everything one laptop needs, started together: broker, ClickHouse, topics, workers, audit writer.

`lawful up` keeps it running, `lawful demo` uses it once. Workers and writer are child processes
like the engines; one that ends is started again, unless it keeps ending.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Self

from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.engines.broker import EmbeddedBroker
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.clickhouse_config import OFFICER, OWNER, RETENTION, WRITER, least_grants
from lawful.infra.engines.leave_group import leave_group
from lawful.infra.engines.process import ChildProcess, Command, EngineFailed
from lawful.infra.installation import Installation, audit_keys, pseudonym_key
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import Settings
from lawful.infra.settings_load import load_settings, variable
from lawful.schemas.errors import ConfigurationError, RetryLater

DATABASE = "lawful"
WRITER_NAME = "audit-writer"
GATEWAY_NAME = "gateway"
CHAIN_KEY, SIGNING_KEY = "audit.chain_key", "audit.signing_key"
ANCHOR_MS = 2_000
READY_SECONDS = 120.0
GRACE_SECONDS = 10.0
# A child that ends this often within a minute has a reason that starting it again does not mend.
RESTARTS_PER_MINUTE = 5
STARTS = 3
# The status of a child that crashed. One that has a reason to give (a setting, a promise) ends with another,
# and would end so again.
CRASHED = 70


@dataclass(frozen=True, slots=True)
class Plan:
    """What to start.

    Attributes:
        data_dir: data, logs and the pseudonym key live here.
        workers: how many worker processes.
        gateway: whether a gateway runs, too.
        values: further settings, by dotted name.
    """

    data_dir: Path
    workers: int = 2
    partitions: int = 4
    gateway: bool = False
    values: Mapping[str, str] = field(default_factory=dict)


class Stack:
    """One installation on this machine; a context manager.

    Args:
        plan: what to start.
        say: told what happens, in a few words each.
    """

    def __init__(self, plan: Plan, say: Callable[[str], None] = lambda _: None) -> None:
        self._plan = plan
        self._say = say
        self._logs = plan.data_dir / "logs"
        self.broker = EmbeddedBroker(plan.data_dir / "broker", log=self._logs / "broker.log")
        self.clickhouse = EmbeddedClickHouse(
            plan.data_dir / "clickhouse",
            log=self._logs / "clickhouse.log",
            grants=least_grants(DATABASE),
        )
        self._children: dict[str, ChildProcess] = {}
        self._ended: deque[float] = deque(maxlen=RESTARTS_PER_MINUTE)

    def start(self) -> Self:
        """Starts all of it and returns when events are taken (about 5 s).

        Raises:
            EngineFailed: a part did not start; the message holds the end of its log.
            ConfigurationError: an extra is missing, or the data folder is in use or cannot be made.
        """
        if self._plan.workers > self._plan.partitions:
            raise ConfigurationError(
                f"{self._plan.workers} workers cannot share {self._plan.partitions} partitions",
                hint="start fewer workers, or (before the first event) make more partitions",
            )
        usable(self._plan.data_dir)
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def _start(self) -> None:
        with ThreadPoolExecutor(8) as pool:
            self._say("starting the embedded broker and ClickHouse")
            _all(pool.submit(start) for start in (self.broker.start, self.clickhouse.start))
            self._say("creating topics and tables")
            settings = self.settings(OWNER)
            more = [settings.topics.outbox_topic()] if self._plan.gateway else []
            _all((pool.submit(create_topics, settings, more), pool.submit(migrate, settings.clickhouse)))
            workers = "a worker" if self._plan.workers == 1 else f"{self._plan.workers} workers"
            self._say(f"starting {workers} and the audit writer")
            try:
                _all(pool.submit(self._spawn, name) for name in self._names)
            except BaseException:
                self._stop_children()  # before the pool waits for those that are still starting
                raise

    @property
    def _names(self) -> list[str]:
        """Of the processes that are ours, in order."""
        workers = (f"worker-{number + 1}" for number in range(self._plan.workers))
        return [*workers, WRITER_NAME, *([GATEWAY_NAME] if self._plan.gateway else [])]

    def installation(self) -> Installation:
        """Addresses and passwords, for other processes on this machine."""
        keys = audit_keys(self._plan.data_dir)
        values = {
            "kafka.bootstrap": self.broker.bootstrap,
            "clickhouse.host": self.clickhouse.host,
            "clickhouse.port": str(self.clickhouse.port),
            "clickhouse.database": DATABASE,
            "partitions": str(self._plan.partitions),
            "data_dir": str(self._plan.data_dir.resolve()),
            "audit.public_key": str(keys.public),
            "audit.anchor_file": str(keys.anchors),
            "audit.anchor_ms": str(ANCHOR_MS),
            **({"gateway.create_inboxes": "true"} if self._plan.gateway else {}),
            **self._plan.values,
        }
        passwords = {user: self.clickhouse.password(user) for user in (OWNER, WRITER, OFFICER, RETENTION)}
        key_file = str(pseudonym_key(self._plan.data_dir))
        of_the_audit = {CHAIN_KEY: str(keys.chain), SIGNING_KEY: str(keys.signing)}
        return Installation(
            pid=os.getpid(), values=values, passwords=passwords, key_file=key_file, audit_key_files=of_the_audit
        )

    def settings(self, user: str) -> Settings:
        """Settings of a process that talks to ClickHouse as this user."""
        return load_settings({**os.environ, **self.installation().environment(user)})

    def _spawn(self, name: str) -> None:
        """Starts a child; again, up to `STARTS` times in all, when it crashes before it is ready."""
        for last in (False,) * (STARTS - 1) + (True,):
            child = self._children[name] = ChildProcess(self._command(name))
            try:
                child.start()
            except EngineFailed:
                stopping = self._children.get(name) is not child
                if last or stopping or child.returncode != CRASHED:
                    raise
                self._say(f"{name} crashed while it was starting; starting it again")
                self._leave(name)
            else:
                return

    def _command(self, name: str) -> Command:
        folder = self._plan.data_dir / name
        folder.mkdir(parents=True, exist_ok=True)
        ready = folder / "ready"
        ready.unlink(missing_ok=True)
        subcommand = name if name in {WRITER_NAME, GATEWAY_NAME} else "worker"
        environment = {
            **self.installation().environment(WRITER),
            "LAWFUL_INSTANCE_ID": name,
            "LAWFUL_DATA_DIR": str(folder.resolve()),
            **ports(self.settings(WRITER), self._names.index(name)),
        }
        if name != WRITER_NAME:  # nobody else has a use for the audit's keys
            for key in (CHAIN_KEY, SIGNING_KEY):
                del environment[f"{variable(key)}_FILE"]
        return Command(
            name=name,
            argv=[sys.executable, "-m", "lawful.cli.main", subcommand, "--ready-file", str(ready.resolve())],
            log=self._logs / f"{name}.log",
            healthy=ready.exists,
            env=environment,
            start_seconds=READY_SECONDS,
            grace_seconds=GRACE_SECONDS,
        )

    @property
    def children(self) -> Mapping[str, ChildProcess]:
        """Workers and audit writer, by name."""
        return self._children

    def watch(self) -> None:
        """Looks after the parts once: starts a dead worker again.

        Raises:
            EngineFailed: an engine is gone, or a part keeps ending.
        """
        self.broker.check()
        self.clickhouse.check()
        for name, child in list(self._children.items()):
            if not child.alive:
                self._restart(name, child)

    def _restart(self, name: str, child: ChildProcess) -> None:
        now = time.monotonic()
        if len(self._ended) == self._ended.maxlen and now - self._ended[0] < 60:  # noqa: PLR2004 - a minute
            raise EngineFailed(f"{name} keeps ending (status {child.returncode}); end of its log:\n{child.tail()}")
        self._ended.append(now)
        self._say(f"{name} ended with status {child.returncode}; starting it again")
        self._leave(name)
        self._spawn(name)

    def _leave(self, name: str) -> None:
        """The embedded broker waits for a dead member for ever; let the others have its partitions meanwhile."""
        if name not in {WRITER_NAME, GATEWAY_NAME}:
            with suppress(RetryLater):
                leave_group(self.broker.bootstrap, self.settings(OWNER).topics.app_id, name)

    def stop(self) -> None:
        """Stops workers and writer, then the engines. May be called again."""
        with ExitStack() as last:
            last.callback(self.broker.stop)
            last.callback(self.clickhouse.stop)
            self._stop_children()

    def _stop_children(self) -> None:
        children, self._children = self._children, {}
        with ThreadPoolExecutor(len(children) or 1) as pool:
            _all(pool.submit(child.stop) for child in children.values())

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def ports(settings: Settings, place: int) -> dict[str, str]:
    """Ports of one of several processes, for metrics and health: the first has those that are set, others the next."""
    wanted = {"LAWFUL_METRICS_PORT": settings.metrics_port, "LAWFUL_HEALTH_PORT": settings.health_port}
    return {name: str(port + place) for name, port in wanted.items() if port}


def usable(folder: Path) -> None:
    """Makes the data folder, and sees that it can be written.

    Raises:
        ConfigurationError: it cannot.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigurationError(
            f"the data folder {folder} cannot be made: {error.strerror}",
            hint="choose another: --data-dir, or LAWFUL_DATA_DIR",
        ) from None


def _all(work: "Iterable[Future[object]]") -> None:
    """Waits for all of it; raises what the first failure raised."""
    for each in list(work):
        each.result()
