"""The embedded ClickHouse: the real engine from the wheel `chdb-core`, listening on loopback.

It gives a laptop the same SQL, the same clients and the same migrations as a cluster, as one child
process. What it is not: it is one node; it has no writable access storage (users are fixed at
start) and no server-side query log. One process per data folder, which a lock enforces.
"""

import fcntl
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from lawful.infra.engines import clickhouse_config as config
from lawful.infra.engines.engine import ChildEngine
from lawful.infra.engines.ports import LOOPBACK
from lawful.infra.engines.process import Command
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

CHILD = Path(__file__).with_name("clickhouse_child.py")
START_SECONDS = 30.0
OK = 200


class EmbeddedClickHouse(ChildEngine):
    """One embedded ClickHouse with users of its own, see `grants`; starts in half a second.

    Args:
        data_dir: where its data lives; kept. None: a temporary folder, removed at `stop`.
        port: the HTTP port; None: a free one.
        tcp: whether to open the native protocol, too.
        grants: what `writer` and `officer` may do; see `clickhouse_config.GRANTS`.
        accounts: the users' passwords; None: new ones.
        log: its log file; None: inside the data folder.
    """

    kind = "embedded ClickHouse"
    port_count = 2

    def __init__(  # noqa: PLR0913 - each has a default, all but the first are by keyword
        self,
        data_dir: Path | None = None,
        *,
        port: int | None = None,
        tcp: bool = False,
        grants: Mapping[str, Sequence[str]] = config.GRANTS,
        accounts: config.Accounts | None = None,
        log: Path | None = None,
    ) -> None:
        super().__init__(data_dir, port=port, log=log)
        self.accounts = accounts or config.Accounts.generate()
        self._grants = grants
        self._tcp = tcp
        self._lock: IO[bytes] | None = None

    def _commands(self, folder: Path, ports: tuple[int, ...]) -> tuple[Command]:
        self._take_lock(folder)
        _sweep(folder)
        (folder / "config.xml").write_text(config.config_xml(folder, ports[0], ports[1] if self._tcp else None))
        users = folder / "users.xml"
        users.touch(mode=0o600)
        users.write_text(config.users_xml(self.accounts, self._grants))
        protocols = ["HTTP", "TCP"] if self._tcp else ["HTTP"]
        command = Command(
            name=self.kind,
            argv=[sys.executable, str(CHILD), str(folder / "data"), *protocols],
            log=self.log,
            healthy=lambda: is_up(ports[0]),
            env={"TMPDIR": str(folder / "tmp")},
            cwd=folder,
            start_seconds=START_SECONDS,
        )
        return (command,)

    @property
    def tcp_port(self) -> int | None:
        """The native protocol's port, if it is open."""
        return self._ports[1] if self._ports and self._tcp else None

    def password(self, user: str = config.OWNER) -> str:
        """The password of `owner`, `writer`, `officer` or `retention`."""
        return self.accounts.passwords[user]

    def client(self, user: str = config.OWNER, database: str = "default") -> "Client":
        """A clickhouse-connect client for one of the users; the caller closes it."""
        import clickhouse_connect  # noqa: PLC0415 - slow to import, and only callers of this need it

        return clickhouse_connect.get_client(
            host=self.host, port=self.port, username=user, password=self.password(user), database=database
        )

    def _take_lock(self, folder: Path) -> None:
        if self._lock:
            return
        lock = (folder / "lock").open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise ConfigurationError(
                f"another process runs ClickHouse on {folder}", hint="stop it, or choose another data folder"
            ) from None
        self._lock = lock

    def stop(self) -> None:
        """Stops it; a temporary data folder is removed. May be called again."""
        super().stop()
        if self._lock:
            self._lock.close()
            self._lock = None


def _sweep(folder: Path) -> None:
    """Removes what a killed run left in the temporary folders."""
    for place in (folder / "tmp", folder / "data" / "tmp"):
        shutil.rmtree(place, ignore_errors=True)
    for name in ("tmp", "user_files", "schemas", "data"):
        (folder / name).mkdir(parents=True, exist_ok=True)


def is_up(port: int) -> bool:
    """Whether ClickHouse answers `/ping` on this loopback port."""
    try:
        with urllib.request.urlopen(f"http://{LOOPBACK}:{port}/ping", timeout=2) as answer:
            return bool(answer.status == OK)
    except (urllib.error.URLError, OSError):
        return False
