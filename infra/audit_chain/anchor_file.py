"""Anchors in a file: one line of JSON each, appended, for a disk that the database's owner cannot write."""

import os
from collections.abc import Sequence
from pathlib import Path

from lawful.infra.audit_chain.statement import line, read_line
from lawful.schemas.audit import Anchor
from lawful.schemas.errors import ConfigurationError, InvalidRecord, RetryLater


class AnchorFile:
    """Implements `Publisher`; several processes may append to one file.

    Args:
        path: its folder must exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def publish(self, anchors: Sequence[Anchor]) -> None:
        """See `Publisher`. On disk when it returns."""
        text = "".join(f"{line(anchor)}\n" for anchor in anchors)
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                os.write(descriptor, text.encode())
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise RetryLater(f"the anchor file {self._path}: {error.strerror}") from None

    def close(self) -> None:
        """See `Publisher`."""


def read(path: Path) -> list[Anchor]:
    """The anchors of a file. A last line that was cut off, as by a full disk, is passed over.

    Raises:
        ConfigurationError: it cannot be read, or holds something else.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigurationError(
            f"the anchor file {path} cannot be read: {error.strerror}",
            hint="it is where LAWFUL_AUDIT_ANCHOR_FILE of the audit writers points to, or a copy",
        ) from None
    complete = text.split("\n")[:-1]
    return [_anchor(path, number, each) for number, each in enumerate(complete, start=1) if each.strip()]


def _anchor(path: Path, number: int, text: str) -> Anchor:
    try:
        return read_line(text)
    except InvalidRecord:
        raise ConfigurationError(
            f"{path}, line {number}: this is no anchor", hint="somebody changed the file; use another copy"
        ) from None
