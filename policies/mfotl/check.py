"""Cases with known verdicts, and whether the monitor gives them: the proof against an oracle."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.log import read_log
from lawful.policies.mfotl.monitor import Monitor
from lawful.policies.mfotl.nodes import Row
from lawful.policies.mfotl.signature import parse_signature

_NOTHING_FOUND = "nothing"


class InvalidCase(FormulaError):
    """A row is no case at all."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: whether it agrees, and if not, how.

    Attributes:
        line: where it stands in its file; 0 outside of one.
        invalid: it is no case that could be run.
    """

    name: str
    agrees: bool
    difference: str = ""
    line: int = 0
    invalid: bool = False


def check_case(case: Mapping[str, Any], line: int = 0) -> CaseResult:
    """Run one case.

    Args:
        case: `formula`, `sig`, `log`, `vars`, and `verdicts` (time-point index to rows in the order
            of `vars`), or a `reason` (and no verdicts) where the formula must be refused.
        line: where it stands in its file.

    Raises:
        InvalidCase: if something of that is missing or of the wrong type.
    """
    _validate(case)
    name = str(case.get("name", case["formula"]))
    try:
        monitor = Monitor(case["formula"], parse_signature(case["sig"]))
    except FormulaError as error:
        refused = case.get("verdicts") is None
        return CaseResult(name, refused, "" if refused else f"refused: {error}", line)
    if case.get("verdicts") is None:
        return CaseResult(name, agrees=False, difference="accepted, but must be refused", line=line)
    difference = _difference(case, monitor)
    return CaseResult(name, not difference, difference, line)


def check_lines(lines: Iterable[str]) -> Iterator[CaseResult]:
    """Run every case of JSON Lines, one at a time; a line that holds none is told as such."""
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            yield check_case(_case(text), number)
        except FormulaError as error:
            yield CaseResult(f"line {number}", agrees=False, difference=error.message, line=number, invalid=True)


def check_text(text: str) -> list[CaseResult]:
    """Run every case of a JSON Lines text."""
    return list(check_lines(text.splitlines()))


def _case(text: str) -> Mapping[str, Any]:
    try:
        case = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidCase(f"no JSON at column {error.colno}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise InvalidCase("no JSON that could be read: nested too deeply, or a number is too long") from None
    if not isinstance(case, Mapping):
        raise InvalidCase(f"a case is an object, not {type(case).__name__}")
    return case


def _validate(case: Mapping[str, Any]) -> None:
    for name in ("formula", "sig"):
        if not isinstance(case.get(name), str):
            raise InvalidCase(f"{name!r} must be a text")
    verdicts = case.get("verdicts")
    if verdicts is None:
        if not case.get("reason"):
            raise InvalidCase("a case has 'verdicts', or a 'reason' why its formula must be refused")
        return
    if not isinstance(case.get("log"), str):
        raise InvalidCase("'log' must be a text")
    names = case.get("vars")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InvalidCase("'vars' must be a list of texts")
    if not isinstance(verdicts, Mapping) or not all(
        key.isdecimal() and isinstance(rows, list) and all(isinstance(row, list) for row in rows)
        for key, rows in verdicts.items()
    ):
        raise InvalidCase("'verdicts' must be an object of time-point numbers to lists of rows")


def _difference(case: Mapping[str, Any], monitor: Monitor) -> str:
    """How the monitor's verdicts differ from the expected ones; empty if they don't."""
    if sorted(case["vars"]) != sorted(monitor.vars):
        return f"the free variables are {', '.join(monitor.vars) or 'none'}, not {', '.join(case['vars']) or 'none'}"
    order = [monitor.vars.index(variable) for variable in case["vars"]]
    found: dict[int, list[Row]] = {}
    try:
        for index, (stamp, facts) in enumerate(read_log(case["log"], parse_signature(case["sig"]))):
            rows = _sorted(tuple(row[column] for column in order) for row in monitor.step(stamp, facts))
            if rows:
                found[index] = rows
    except (FormulaError, ArithmeticError) as error:
        return f"the log cannot be monitored: {error}"
    expected = {int(index): _sorted(map(tuple, rows)) for index, rows in case["verdicts"].items() if rows}
    if found == expected:
        return ""
    at = min(index for index in {*found, *expected} if found.get(index) != expected.get(index))
    return f"at time-point {at}: {found.get(at, _NOTHING_FOUND)} instead of {expected.get(at, _NOTHING_FOUND)}"


def _sorted(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=repr)
