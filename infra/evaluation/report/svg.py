"""Two plots as inline SVG, so that a report needs neither a plotting library nor a network."""

from collections.abc import Sequence
from html import escape
from typing import Any, Final

_WIDTH: Final = 640
_HEIGHT: Final = 320
_LEFT: Final = 50
_BOTTOM: Final = 40
_CELL: Final = 62
_ROW: Final = 30
_NAMES: Final = 130

Point = tuple[float, float, float, float]
"""x, y, and the bounds of y, as shares of one."""


def curves(lines: Sequence[tuple[str, str, bool, Sequence[Point]]], most_x: float, most_y: float) -> str:
    """Lines with bands of confidence.

    Args:
        lines: title, colour, whether dashed, and points.
        most_x: where the horizontal axis ends, in per cent.
        most_y: where the vertical one ends, as a share.
    """

    def x(value: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - 190) * value / most_x, 1)

    def y(value: float) -> float:
        return round(_HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - 15) * min(value, most_y) / most_y, 1)

    parts = [_opened(_WIDTH, _HEIGHT)]
    for step in range(6):
        value = most_y * step / 5
        parts.append(f'<line x1="{x(0)}" x2="{x(most_x)}" y1="{y(value)}" y2="{y(value)}" class="grid"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y(value) + 4}" text-anchor="end">{value:.0%}</text>')
    for number, (title, colour, dashed, points) in enumerate(lines):
        band = [f"{x(px)},{y(low)}" for px, _, low, _ in points] + [
            f"{x(px)},{y(high)}" for px, _, _, high in reversed(points)
        ]
        line = " ".join(f"{x(px)},{y(py)}" for px, py, _, _ in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        parts.append(f'<polygon points="{" ".join(band)}" fill="{colour}" opacity="0.1"/>')
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        parts.append(f'<text x="{x(most_x) + 10}" y="{25 + 18 * number}" fill="{colour}">{escape(title)}</text>')
    for px, *_ in lines[0][3] if lines else ():
        parts.append(f'<text x="{x(px)}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{px:g} %</text>')
    parts.append(f'<text x="{x(most_x / 2)}" y="{_HEIGHT - 4}" text-anchor="middle">extractor noise</text></svg>')
    return "".join(parts)


def heat_map(columns: Sequence[str], rows: Sequence[tuple[str, Sequence[float | None]]]) -> str:
    """Shares as shades of red, with the figure in each cell."""
    width, height = _NAMES + _CELL * len(columns) + 10, _ROW * (len(rows) + 1) + 10
    parts = [_opened(width, height)]
    for place, name in enumerate(columns):
        parts.append(f'<text x="{_NAMES + _CELL * (place + 0.5)}" y="20" text-anchor="middle">{escape(name)}</text>')
    for line, (name, values) in enumerate(rows, start=1):
        top = _ROW * line
        parts.append(f'<text x="{_NAMES - 8}" y="{top + 19}" text-anchor="end">{escape(name)}</text>')
        parts += [_cell(_NAMES + _CELL * place, top, value) for place, value in enumerate(values)]
    return "".join([*parts, "</svg>"])


def _cell(left: float, top: float, value: float | None) -> str:
    share = value or 0.0
    light = round(97 - 52 * share)
    ink = "#fff" if share > 0.6 else "#222"  # noqa: PLR2004 - dark enough for white
    words = "-" if value is None else f"{value:.0%}"
    return (
        f'<rect x="{left}" y="{top}" width="{_CELL - 2}" height="{_ROW - 2}" fill="hsl(8 75% {light}%)"/>'
        f'<text x="{left + _CELL / 2 - 1}" y="{top + 19}" text-anchor="middle" style="fill:{ink}">{words}</text>'
    )


def _opened(width: float, height: float) -> str:
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'


def point(x: float, rate: dict[str, Any]) -> Point:
    """A rate of the document as a point of a curve."""
    low, high = rate["ci95"]
    return x, rate["rate"] or 0.0, low, high
