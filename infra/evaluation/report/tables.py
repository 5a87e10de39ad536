"""Tables and figures as the page of results writes them."""

from collections.abc import Iterable, Sequence
from typing import Any


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(str(cell).replace('|', '/') for cell in line)} |\n" for line in lines)


def short(rate: dict[str, Any]) -> str:
    """A rate in per cent."""
    return "-" if rate["rate"] is None else f"{100 * rate['rate']:.1f}"


def wide(rate: dict[str, Any]) -> str:
    """A rate in per cent, with its 95 % interval."""
    low, high = (100 * bound for bound in rate["ci95"])
    return "-" if rate["rate"] is None else f"{100 * rate['rate']:.1f} ({low:.1f} to {high:.1f})"


def ranged(value: dict[str, Any] | None) -> str:
    """A median with the lowest and the highest round."""
    if value is None:
        return ""
    low, high = value["spread"]
    return f"{value['median']:,} ({low:,} to {high:,})"
