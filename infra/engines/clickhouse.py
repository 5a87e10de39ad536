"""The embedded ClickHouse: the real engine from the wheel `chdb-core`, listening on loopback.

It gives a laptop the same SQL, the same clients and the same migrations as a cluster, as one child
process. What it is not: it is one node; it has no writable access storage (users are fixed at
start) and no server-side query log. One process per data folder, which a lock enforces.
"""

import fcntl
import shutil
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Self

from lawful.infra.engines import clickhouse_config as config
from lawful.infra.engines.ports import LOOPBACK, on_free_ports
from lawful.infra.engines.process import ChildProcess, Command
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

CHILD = Path(__file__).with_name("clickhouse_child.py")
START_SECONDS = 30.0


class EmbeddedClickHouse:
    """One embedded ClickHouse on free loopback ports, with three users: owner, writer, officer.

    Args:
        data_dir: where its data lives; kept. None: a temporary folder, removed at `stop`.
        http_port: a fixed port; None: a free one.
        tcp: whether to open the native protocol, too.
        grants: what `writer` and `officer` may do; see `clickhouse_config.GRANTS`.
        accounts: the users' passwords; None: new ones.
        log: its log file; None: inside the data folder.
    """

    host = LOOPBACK

    def __init__(
        self,
        data_dir: Path | None = None,
        *,
        http_port: int | None = None,
        tcp: bool = False,
        grants: Mapping[str, Sequence[str]] = config.GRANTS,
        accounts: config.Accounts | None = None,
        log: Path | None = None,
    ) -> None:
        self._given_dir = data_dir
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._log = log
        self._lock: IO[bytes] | None = None
        self._grants = grants
        self._tcp = tcp
        self._child: ChildProcess | None = None
        self.port = http_port
        self.tcp_port: int | None = None
        self.accounts = accounts or config.Accounts.generate()

    def start(self) -> Self:
        """Starts it; returns when it answers `/ping` (about a second).

        Raises:
            EngineFailed: it did not start; the message holds the end of its log.
            ConfigurationError: the wheel is not installed, or the data folder is in use.
        """
        if self._child and self._child.alive:
            return self
        self._take_lock()
        try:
            self._child = on_free_ports(2, lambda free: self._run(self.port or free[0], self.tcp_port or free[1]))
        except BaseException:
            self.stop()
            raise
        return self

    def _run(self, port: int, tcp_port: int) -> ChildProcess:
        folder = self.data_dir
        _sweep(folder)
        (folder / "config.xml").write_text(config.config_xml(folder, port, tcp_port if self._tcp else None))
        users = folder / "users.xml"
        users.touch(mode=0o600)
        users.write_text(config.users_xml(self.accounts, self._grants))
        child = ChildProcess(self._command(folder, port)).start()
        self.port = port
        self.tcp_port = tcp_port if self._tcp else None
        return child

    def _command(self, folder: Path, port: int) -> Command:
        protocols = ["HTTP", "TCP"] if self._tcp else ["HTTP"]
        return Command(
            name="embedded ClickHouse",
            argv=[sys.executable, str(CHILD), str(folder / "data"), *protocols],
            log=self._log or folder / "clickhouse.log",
            healthy=lambda: is_up(port),
            env={"TMPDIR": str(folder / "tmp")},
            cwd=folder,
            start_seconds=START_SECONDS,
        )

    def _take_lock(self) -> None:
        lock = (self.data_dir / "lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise ConfigurationError(
                f"another process runs ClickHouse on {self.data_dir}", hint="stop it, or choose another data folder"
            ) from None
        self._lock = lock

    @property
    def data_dir(self) -> Path:
        """Where configuration and data live."""
        if self._given_dir is not None:
            self._given_dir.mkdir(parents=True, exist_ok=True)
            return self._given_dir.resolve()
        if self._temporary is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="lawful-clickhouse-", ignore_cleanup_errors=True)
        return Path(self._temporary.name)

    @property
    def child(self) -> ChildProcess:
        """The process behind it."""
        if self._child is None:
            raise ConfigurationError("the embedded ClickHouse was not started")
        return self._child

    def password(self, user: str = config.OWNER) -> str:
        """The password of `owner`, `writer` or `officer`."""
        return self.accounts.passwords[user]

    def client(self, user: str = config.OWNER, database: str = "default") -> "Client":
        """A clickhouse-connect client for one of the users; the caller closes it."""
        import clickhouse_connect  # noqa: PLC0415 - slow to import, and only callers of this need it

        return clickhouse_connect.get_client(
            host=self.host, port=self.port or 0, username=user, password=self.password(user), database=database
        )

    def kill(self) -> None:
        """Kills it as a crash would (-9); the data folder stays."""
        self.child.kill()

    def restart(self) -> None:
        """Stops it if it runs, and starts it again: same ports, same data, same passwords."""
        self.child.stop()
        self._free_lock()
        self.start()

    def stop(self) -> None:
        """Stops it; a temporary data folder is removed. May be called again."""
        if self._child:
            self._child.stop()
        self._free_lock()
        if self._temporary:
            self._temporary.cleanup()
            self._temporary = None

    def _free_lock(self) -> None:
        if self._lock:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def _sweep(folder: Path) -> None:
    """Removes what a killed run left in the temporary folders."""
    for place in (folder / "tmp", folder / "data" / "tmp"):
        shutil.rmtree(place, ignore_errors=True)
    for place in ("tmp", "user_files", "schemas", "data"):
        (folder / place).mkdir(parents=True, exist_ok=True)


def is_up(port: int) -> bool:
    """Whether ClickHouse answers `/ping` on this loopback port."""
    try:
        with urllib.request.urlopen(f"http://{LOOPBACK}:{port}/ping", timeout=2) as answer:  # noqa: S310 - http, loopback
            return bool(answer.status == 200)  # noqa: PLR2004 - OK
    except (urllib.error.URLError, OSError):
        return False
