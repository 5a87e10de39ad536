"""Where words go: results to standard output, talk to standard error, JSON without ornament.

With `--json`, standard output holds exactly one JSON object and nothing else.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

STYLES = {"forward": "green", "warn": "yellow", "redact": "magenta", "block": "bold red"}
_MARKED = {**STYLES, "fine": "green", "note": "yellow", "wrong": "bold red"}


def say(words: str) -> None:
    """Tell the person at the terminal something that is no result."""
    err.print(words)


def put(words: str) -> None:
    """Print a result."""
    out.print(words)


def put_json(value: object) -> None:
    """Print one JSON object on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A plain table; numbers to the right, decisions in their colour."""
    made = Table(*columns, title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    rows = [tuple(row) for row in rows]
    for position, column in enumerate(made.columns):
        if rows and all(isinstance(row[position], int | float) for row in rows):
            column.justify = "right"
    for row in rows:
        made.add_row(*(paint(cell) for cell in row))
    return made


def paint(cell: object) -> str:
    """A cell as text: decisions coloured, figures grouped, markup of others left alone."""
    if isinstance(cell, bool) or not isinstance(cell, int):
        words = "" if cell is None else str(cell)
        style = _MARKED.get(words)
        return f"[{style}]{words}[/]" if style else words.replace("[", r"\[")
    return f"{cell:,}"
