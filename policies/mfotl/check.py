"""Cases with known verdicts, and whether the monitor gives them: the proof against an oracle."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.log import read_log
from lawful.policies.mfotl.monitor import Monitor
from lawful.policies.mfotl.nodes import Row
from lawful.policies.mfotl.signature import parse_signature


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: whether it agrees, and if not, how."""

    name: str
    agrees: bool
    difference: str = ""


def check_case(case: Mapping[str, Any]) -> CaseResult:
    """Run one case.

    Args:
        case: `formula`, `sig`, `log`, `vars`, and `verdicts` (time-point index to rows in the order
            of `vars`), or a `reason` (and no verdicts) where the formula must be refused.
    """
    name = str(case.get("name", case["formula"]))
    try:
        signature = parse_signature(case["sig"])
        monitor = Monitor(case["formula"], signature)
    except FormulaError as error:
        refused = case.get("verdicts") is None
        return CaseResult(name, refused, "" if refused else f"refused: {error}")
    if case.get("verdicts") is None:
        return CaseResult(name, agrees=False, difference="accepted, but must be refused")
    order = [monitor.vars.index(variable) for variable in case["vars"]]
    found: dict[str, list[Row]] = {}
    for index, (stamp, facts) in enumerate(read_log(case["log"], signature)):
        rows = sorted(tuple(row[column] for column in order) for row in monitor.step(stamp, facts))
        if rows:
            found[str(index)] = rows
    expected = {index: sorted(tuple(row) for row in rows) for index, rows in case["verdicts"].items() if rows}
    if found == expected:
        return CaseResult(name, agrees=True)
    at = min((index for index in {*found, *expected} if found.get(index) != expected.get(index)), key=int)
    return CaseResult(
        name, agrees=False, difference=f"at time-point {at}: {found.get(at)} instead of {expected.get(at)}"
    )


def check_text(text: str) -> list[CaseResult]:
    """Run every case of a JSON Lines text."""
    return [check_case(json.loads(line)) for line in text.splitlines() if line.strip()]
