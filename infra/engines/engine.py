"""What all engines that are child processes have in common: a data folder, ports, a life."""

import contextlib
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from lawful.infra.engines.ports import LOOPBACK, answers, on_free_ports
from lawful.infra.engines.process import ChildProcess, Command, EngineFailed


class ChildEngine(ABC):
    """An engine made of one or more child processes on loopback; a context manager.

    Args:
        data_dir: where its data lives; kept. None: a temporary folder, removed at `stop`.
        port: the port that clients use; None: a free one. Once started, it keeps its ports.
        log: its log file; None: inside the data folder.
    """

    kind: ClassVar[str]
    port_count: ClassVar[int] = 1
    host: ClassVar[str] = LOOPBACK

    def __init__(self, data_dir: Path | None = None, *, port: int | None = None, log: Path | None = None) -> None:
        self._given_dir = data_dir
        self._given_log = log
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._port = port
        self._ports: tuple[int, ...] = ()
        self._children: list[ChildProcess] = []

    @abstractmethod
    def _commands(self, folder: Path, ports: tuple[int, ...]) -> Sequence[Command]:
        """What to run, in this order; each must be healthy before the next starts."""

    def start(self) -> Self:
        """Starts it; returns when it answers. Does nothing while it runs.

        Raises:
            EngineFailed: it did not start; the message holds the end of its log.
            ConfigurationError: what it needs is not installed.
        """
        if self.alive:
            return self
        try:
            if self._ports:
                self._launch(self._ports)
            else:
                on_free_ports(self.port_count, self._launch)
        except BaseException:
            self.stop()
            raise
        return self

    def _launch(self, free: tuple[int, ...]) -> None:
        ports = (self._port or free[0], *free[1:])
        self._refuse_taken(ports)
        with contextlib.ExitStack() as started:
            children = [
                started.enter_context(ChildProcess(command)) for command in self._commands(self.data_dir, ports)
            ]
            started.pop_all()
        self._children = children
        self._ports = ports

    def _refuse_taken(self, ports: tuple[int, ...]) -> None:
        """A stranger's answer on our port would pass for our engine's health."""
        for port in ports:
            if answers(port):
                raise EngineFailed(f"{self.kind}: the address {LOOPBACK}:{port} is in use by another process")

    @property
    def alive(self) -> bool:
        """Whether all its processes run."""
        return bool(self._children) and all(child.alive for child in self._children)

    def check(self) -> None:
        """Raises EngineFailed, with the tail of the log, unless it runs."""
        for child in self._children:
            child.check()

    @property
    def child(self) -> ChildProcess:
        """The engine's own process."""
        if not self._children:
            raise EngineFailed(f"{self.kind} was not started")
        return self._children[0]

    @property
    def port(self) -> int:
        """The port that clients use."""
        if not self._ports:
            raise EngineFailed(f"{self.kind} was not started")
        return self._ports[0]

    @property
    def data_dir(self) -> Path:
        """Where configuration, data and log live."""
        if self._given_dir is not None:
            self._given_dir.mkdir(parents=True, exist_ok=True)
            return self._given_dir.resolve()
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="lawful-", ignore_cleanup_errors=True)
        return Path(self._temporary.name).resolve()

    @property
    def log(self) -> Path:
        """Its log file."""
        return self._given_log or self.data_dir / "engine.log"

    def kill(self) -> None:
        """Kills it as a crash would (-9); the data folder stays."""
        for child in self._children:
            child.kill()

    def restart(self) -> None:
        """Stops it if it runs, and starts it again: same ports, same data."""
        self._halt()
        self.start()

    def _halt(self) -> None:
        for child in reversed(self._children):
            child.stop()

    def stop(self) -> None:
        """Stops it; a temporary data folder is removed. May be called again."""
        self._halt()
        if self._temporary:
            self._temporary.cleanup()
            self._temporary = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
