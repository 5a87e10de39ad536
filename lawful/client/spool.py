"""Reports that could not be sent, kept in a file until the broker is back.

The file belongs to one process. It holds no personal data, since reports hold none.
"""

import contextlib
import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from lawful.schemas.audit import GuardReport
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import InvalidRecord

log: Final = logging.getLogger("lawful.client")
_LENGTH: Final = 4


class Spool:
    """A file of reports.

    Args:
        path: the file; `None` keeps nothing beyond the process.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def load(self) -> list[GuardReport]:
        """What an earlier process could not send. A torn or foreign file yields what can be read."""
        if self._path is None or not self._path.is_file():
            return []
        try:
            return list(_reports(self._path.read_bytes()))
        except OSError as error:
            log.warning("the report spool cannot be read: %s", type(error).__name__)
            return []

    def save(self, reports: Iterable[GuardReport]) -> None:
        """Replaces the file's content; no reports, no file. Never raises."""
        if self._path is None:
            return
        raw = [encode(report) for report in reports]
        try:
            if raw:
                self._write(b"".join(len(one).to_bytes(_LENGTH, "big") + one for one in raw))
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            log.error("%d guard reports cannot be spooled: %s", len(raw), type(error).__name__)  # noqa: TRY400

    def _write(self, data: bytes) -> None:
        assert self._path is not None  # noqa: S101 - for the type checker
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}.tmp")
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)


def _reports(data: bytes) -> Iterable[GuardReport]:
    place = 0
    while place + _LENGTH <= len(data):
        length = int.from_bytes(data[place : place + _LENGTH], "big")
        place += _LENGTH
        with contextlib.suppress(InvalidRecord):
            yield decode(data[place : place + length], GuardReport)
        place += length
