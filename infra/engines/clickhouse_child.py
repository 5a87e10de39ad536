"""The child process that is the embedded ClickHouse: the engine inside the wheel `chdb-core`.

Run by path, in a folder with `config.xml` and `users.xml`, which the engine reads from the working
directory. This file holds the one private entry we use (exact pin: chdb-core 26.9.0): the listeners
live only as long as the query that opened them, so the last statement never ends. It is a sleeping
scan and not a read of standard input, because reading would need a grant on files for `default`,
the engine's own passwordless user, whom anybody on this machine may claim to be over HTTP: so that
user may do nothing but what stands below.
"""

import os
import sys
import threading
from typing import Any

LISTEN = "SYSTEM START LISTEN {protocol}; "
FOREVER = "SELECT count() FROM system.numbers WHERE sleepEachRow(1) = 1 SETTINGS max_block_size = 1"


def _end_with_parent() -> None:
    """Ends this process when the keeper's pipe closes. MergeTree is safe against that."""
    while os.read(0, 4096):
        pass
    os._exit(0)


def main(data_dir: str, protocols: list[str]) -> None:
    """Serves until killed.

    Args:
        data_dir: the folder of the databases.
        protocols: "HTTP", "TCP".
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from chdb import _chdb  # noqa: PLC0415 - loading half a gigabyte comes after the watchdog

    script = "".join(LISTEN.format(protocol=protocol) for protocol in protocols) + FOREVER
    engine: Any = _chdb  # what we call is not in its stubs
    engine.query(script, "TabSeparated", path=data_dir)
    sys.exit("ClickHouse stopped listening")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
