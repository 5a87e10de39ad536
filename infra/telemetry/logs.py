"""Log lines of long-running processes, for people or as JSON; nothing that they say changes a verdict.

Everything goes through `lawful.infra.telemetry.discretion`, also what threads, destructors and
Python's warnings would otherwise print by themselves.
"""

import json
import logging
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import IO, Any

from lawful.infra.settings import LogFormat
from lawful.infra.telemetry.discretion import errors, message, places

log = logging.getLogger("lawful.process")


class TextLines(logging.Formatter):
    """One line for people: time, level, who, what; an exception by classes and place."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        what = message(record)
        if record.exc_info and record.exc_info[1] is not None:
            _, error, at = record.exc_info
            what = f"{what} [{' from '.join(errors(error))} at {' > '.join(places(at)) or 'nowhere'}]"
        return f"{_time(record)} {record.levelname} {record.name}: {what}"


class JsonLines(logging.Formatter):
    """One JSON object a line: `time`, `level`, `logger`, `message`, `instance`, and of an exception `errors` and `at`.

    Args:
        instance: name of this process among its like.
    """

    def __init__(self, instance: str) -> None:
        super().__init__()
        self._instance = instance

    def format(self, record: logging.LogRecord) -> str:
        """The object."""
        told: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message(record),
            "instance": self._instance,
        }
        if record.exc_info and record.exc_info[1] is not None:
            told |= {"errors": errors(record.exc_info[1]), "at": places(record.exc_info[2])}
        return json.dumps(told, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def begin(level: str, form: LogFormat = LogFormat.TEXT, instance: str = "", stream: IO[str] | None = None) -> None:
    """Set up this process's log, and have everything that would be printed by itself go there.

    Args:
        level: `debug`, `info`, `warning` or `error`; it changes no verdict.
        form: for people or for programs.
        instance: name of this process among its like.
        stream: where to; standard error by default.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(instance) if form is LogFormat.JSON else TextLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    threading.excepthook = _told("a thread failed")
    sys.unraisablehook = _told("a destructor failed")


def _told(what: str) -> Callable[[Any], None]:
    def hook(failure: Any) -> None:
        if failure.exc_type is not SystemExit:
            error = failure.exc_value or failure.exc_type()
            log.error(what, exc_info=(failure.exc_type, error, failure.exc_traceback))

    return hook
