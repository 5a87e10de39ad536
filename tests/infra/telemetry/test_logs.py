"""Log lines of long-running processes: for people, as JSON, and also what would print itself."""

import io
import json
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from lawful.infra.settings import LogFormat
from lawful.infra.telemetry import logs

SECRET = "Ada Lovelace, ada@example.com, +442071838750"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """A log of the test's own; the process's is put back."""
    root = logging.getLogger()
    before = root.level, list(root.handlers), threading.excepthook, sys.unraisablehook
    yield io.StringIO()
    logging.captureWarnings(capture=False)
    root.setLevel(before[0])
    root.handlers[:] = before[1]
    threading.excepthook, sys.unraisablehook = before[2:]


def fail() -> None:
    """Fails on somebody."""
    raise ValueError(SECRET)


def in_a_thread() -> None:
    """Fails where nobody catches it."""
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


def in_a_destructor() -> None:
    """Fails while it is thrown away."""

    class Frail:
        def __del__(self) -> None:
            fail()

    Frail()


def with_a_traceback() -> None:
    """Is caught, and logged with its traceback."""
    try:
        fail()
    except ValueError:
        logging.getLogger("faust").exception("cannot process %s", SECRET)


def as_a_warning() -> None:
    """Warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        logging.captureWarnings(capture=True)
        warnings.warn("an address: ada@example.com", stacklevel=1)


WAYS = [in_a_thread, in_a_destructor, with_a_traceback, as_a_warning]


@pytest.mark.parametrize("form", list(LogFormat))
@pytest.mark.parametrize("way", WAYS)
def test_nobody_is_in_the_log_however_it_came_there(
    way: Any, form: LogFormat, stream: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    """A36: exceptions in threads and destructors, tracebacks and warnings are logged, without anybody in them."""
    logs.begin("debug", form, "worker-1", stream)
    way()
    text = stream.getvalue() + "".join(capsys.readouterr())
    assert stream.getvalue().count("\n") == 1
    assert not [part for part in ("Ada", "Lovelace", "example.com", "7183") if part in text]


def test_a_line_for_programs_says_time_level_logger_message_and_where(stream: io.StringIO) -> None:
    """One JSON object a line, of an exception its classes and places."""
    logs.begin("info", LogFormat.JSON, "worker-1", stream)
    with_a_traceback()
    line = json.loads(stream.getvalue())
    assert (line["level"], line["logger"], line["instance"]) == ("error", "faust", "worker-1")
    assert line["message"] == f"cannot process <text of {len(SECRET)}>"
    assert line["errors"] == ["ValueError"]
    assert [place.partition(" ")[2] for place in line["at"]] == ["with_a_traceback", "fail"]
    assert line["time"].endswith("Z")


def test_a_line_for_people_says_the_same(stream: io.StringIO) -> None:
    """In one line."""
    logs.begin("info", LogFormat.TEXT, "worker-1", stream)
    with_a_traceback()
    assert " ERROR faust: cannot process " in stream.getvalue()
    assert "[ValueError at test_logs.py:" in stream.getvalue()


def test_what_is_below_the_level_is_not_said(stream: io.StringIO) -> None:
    """A level says how much."""
    logs.begin("error", LogFormat.TEXT, "", stream)
    logging.getLogger("lawful.x").warning("not this")
    logging.getLogger("lawful.x").error("but this")
    assert stream.getvalue().endswith("lawful.x: but this\n")
    assert "not this" not in stream.getvalue()
