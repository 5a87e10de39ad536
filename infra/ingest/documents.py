"""JSON and JSON Lines files as documents that know their line.

A line that is no JSON becomes a problem with its place; the lines after it are still read.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawful.infra.ingest.report import Report
from lawful.schemas.errors import ConfigurationError, Place

_LINE_SUFFIXES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON value and where it begins."""

    value: Any
    place: Place


def read_documents(path: Path, report: Report) -> Iterator[Document]:
    """The JSON values of a file: one per line for JSON Lines, else the whole file.

    Raises:
        ConfigurationError: the file is not there or may not be read.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be read: {error.strerror}", hint="give the path of a JSON or JSON Lines file"
        ) from error
    if path.suffix in _LINE_SUFFIXES or _looks_like_lines(raw):
        yield from _lines(path, raw, report)
    else:
        document = _load(path, 1, raw, report)
        if document is not None:
            yield document


def _looks_like_lines(raw: bytes) -> bool:
    """Whether the first line is a JSON value by itself and something follows it."""
    first, _, rest = raw.strip().partition(b"\n")
    if not rest.strip():
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def _lines(path: Path, raw: bytes, report: Report) -> Iterator[Document]:
    for number, line in enumerate(raw.split(b"\n"), start=1):
        if line.strip():
            document = _load(path, number, line, report)
            if document is not None:
                yield document


def _load(path: Path, first_line: int, raw: bytes, report: Report) -> Document | None:
    place = Place(str(path), first_line, 1)
    try:
        return Document(json.loads(raw.decode("utf-8-sig")), place)
    except json.JSONDecodeError as error:
        report.problem(Place(str(path), first_line + error.lineno - 1, error.colno), f"no JSON: {error.msg}")
    except UnicodeDecodeError as error:
        line = first_line + raw.count(b"\n", 0, error.start)
        report.problem(Place(str(path), line, 1), f"not UTF-8: {error.reason}")
    except RecursionError:
        report.problem(place, "nested too deeply to be read")
    except ValueError:  # an integer with more digits than Python converts
        report.problem(place, "no JSON: a number is too long")
    return None
