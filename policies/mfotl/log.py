"""Logs in MonPoly's format: `@stamp name(1,"a")(2,"b") other()`."""

import re
from collections.abc import Iterator

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.nodes import Facts, Row
from lawful.policies.mfotl.signature import Signature
from lawful.policies.mfotl.syntax import Value

_PART = re.compile(
    r"""\s*(?:\#[^\n]*
      | @(?P<stamp>\d+)
      | (?P<name>[A-Za-z_][\w\-/]*)?\s*\((?P<args>(?:"[^"]*"|'[^']*'|[^()"'])*)\)
      | (?P<end>;)
      | (?P<bare>[A-Za-z_][\w\-/]*))""",
    re.VERBOSE,
)
_VALUE = re.compile(r"\s*(\"[^\"]*\"|'[^']*'|[^,\"']+)\s*(?:,|\Z)")


def read_log(text: str, signature: Signature) -> Iterator[tuple[int, dict[str, set[Row]]]]:
    """The time-points of a log.

    Raises:
        FormulaError: for text that is none, an unknown predicate, or arguments that do not fit.
    """
    stamp: int | None = None
    facts: dict[str, set[Row]] = {}
    name, at = "", 0
    text = text.rstrip()
    while at < len(text):
        match = _PART.match(text, at)
        if match is None or match.end() == at:
            raise FormulaError("not a log entry", text=text, at=at, hint='an entry is @17 name(1,"a") other()')
        at = match.end()
        if match["stamp"] is not None:
            if stamp is not None:
                yield stamp, facts
            stamp, facts = int(match["stamp"]), {}
        elif match["args"] is not None:
            name = match["name"] or name
            facts.setdefault(name, set()).add(_row(name, match, text, signature))
        elif match["bare"] is not None:
            name = match["bare"]
    if stamp is not None:
        yield stamp, facts


def _row(name: str, match: re.Match[str], text: str, signature: Signature) -> Row:
    if name not in signature:
        raise FormulaError(f"unknown predicate {name}", text=text, at=match.start())
    raw = [part.strip() for part in _VALUE.findall(match["args"])] if match["args"].strip() else []
    if len(raw) != len(signature[name]):
        message = f"{name} takes {len(signature[name])} argument(s), here it has {len(raw)}"
        raise FormulaError(message, text=text, at=match.start())
    return tuple(
        _value(value, argument.type, text, match.start()) for value, argument in zip(raw, signature[name], strict=True)
    )


def _value(raw: str, kind: str, text: str, at: int) -> Value:
    try:
        if kind == "int":
            return int(raw)
        if kind == "float":
            return float(raw)
    except ValueError:
        raise FormulaError(f"{raw!r} is not of type {kind}", text=text, at=at) from None
    return raw[1:-1] if raw[:1] in ('"', "'") else raw


def show_log(stamp: int, facts: Facts) -> str:
    """One time-point as a line of a log."""
    parts = (
        name + "".join(f"({','.join(map(_shown, row))})" for row in sorted(rows, key=repr))
        for name, rows in facts.items()
    )
    return f"@{stamp} {' '.join(parts)}\n"


def _shown(value: Value) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
