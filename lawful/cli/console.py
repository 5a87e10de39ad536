"""Where words go: results to standard output, talk to standard error, JSON without ornament.

With `--json`, standard output holds exactly one JSON object and nothing else. In a pipe or a file
every line is as long as it has to be, so that what it says can be found and copied; COLUMNS bounds tables.
"""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

# Wider than any line: nothing is broken.
UNBROKEN = 100_000
MOST_COLUMNS = 10


class _Plain(Console):
    """For pipes and files: no blanks at the ends of lines."""

    def print(self, *objects: Any, **options: Any) -> None:
        """See `Console.print`."""
        width = UNBROKEN if all(isinstance(each, str) for each in objects) else _columns()
        with self.capture() as captured:
            super().print(*objects, **{"width": width, **options})
        *lines, rest = captured.get().split("\n")
        self.file.write("".join(f"{line.rstrip()}\n" for line in lines) + rest)


def _columns() -> int:
    said = os.environ.get("COLUMNS", "")
    return int(said) if said.isdecimal() and int(said) else UNBROKEN


def _console(*, stderr: bool = False) -> Console:
    console = Console(stderr=stderr, highlight=False)
    return console if console.is_terminal else _Plain(stderr=stderr, highlight=False, width=UNBROKEN)


out = _console()
err = _console(stderr=True)

STYLES = {"forward": "green", "warn": "yellow", "redact": "magenta", "block": "bold red"}
_MARKED = {**STYLES, "fine": "green", "note": "yellow", "wrong": "bold red"}


def say(words: str) -> None:
    """Tell the person at the terminal something that is no result."""
    err.print(words)


def put(words: str) -> None:
    """Print a result; its lines are not broken."""
    out.print(words, soft_wrap=True)


def put_json(value: object) -> None:
    """Print one JSON object on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def records(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows one below the other, for answers with more columns than a line holds."""
    width = max((len(column) for column in columns), default=0)
    return "\n\n".join(
        "\n".join(f"{column:>{width}}  {value}" for column, value in zip(columns, row, strict=True)) for row in rows
    )


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A plain table; numbers to the right, decisions in their colour."""
    made = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for title_of_column in columns:
        made.add_column(title_of_column, overflow="fold")
    rows = [tuple(row) for row in rows]
    for position, column in enumerate(made.columns):
        if rows and all(isinstance(row[position], int | float) for row in rows):
            column.justify = "right"
    for row in rows:
        made.add_row(*(paint(cell) for cell in row))
    return made


def put_rows(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table, or records where there are too many columns, or one would be folded."""
    rows = [tuple(row) for row in rows]
    made = table(title, columns, rows)
    width = _columns() if isinstance(out, _Plain) else out.width
    needed = Measurement.get(out, out.options.update(width=UNBROKEN), made).maximum
    if len(columns) <= MOST_COLUMNS and needed <= width:
        out.print(made)
        return
    if title:
        put(title)
    out.print(records(columns, rows), markup=False, soft_wrap=True)


def paint(cell: object) -> str:
    """A cell as text: decisions coloured, figures grouped, markup of others left alone."""
    if isinstance(cell, bool) or not isinstance(cell, int):
        words = "" if cell is None else str(cell)
        style = _MARKED.get(words)
        return f"[{style}]{words}[/]" if style else words.replace("[", r"\[")
    return f"{cell:,}"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 policy`, `2 policies`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
