"""`lawful mfotl`: temporal formulas by themselves, and the proof that the monitor is right."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.policies.mfotl.check import CaseResult
    from lawful.policies.mfotl.monitor import Monitor
    from lawful.policies.mfotl.signature import Signature

MOST_SHOWN = 10
app = typer.Typer(help="Monitor temporal formulas (MFOTL, in MonPoly's syntax).", no_args_is_help=True)


@app.command("check")
def check(
    file: Annotated[
        Path,
        typer.Argument(help="JSON Lines: formula, sig, log, vars and verdicts; or a reason where it must be refused."),
    ],
    json: common.Json = False,
) -> int:
    """Run cases with known verdicts and say how many agree. Exit status 1 if one does not."""
    from lawful.policies.mfotl.check import check_lines

    agreed = count = 0
    wrong: list[CaseResult] = []
    for result in check_lines(_lines(file)):
        count += 1
        agreed += result.agrees
        if not result.agrees and len(wrong) < MOST_SHOWN:
            wrong.append(result)
    if json:
        put_json(_document(count, agreed, wrong))
    else:
        for result in wrong:
            err.print(f"{file}:{result.line}: {result.name}: {result.difference}", style="red", markup=False)
        put(f"{agreed} of {count} cases agree")
    if not count:
        raise ConfigurationError(f"{file} holds no cases", hint="give a JSON Lines file, one case a line")
    return Exit.FINE if agreed == count else Exit.FAULT


@app.command("run")
def run(
    sig: Annotated[Path, typer.Option("--sig", help="The predicates: name(arg:type, ...), types int, string, float.")],
    formula: Annotated[Path, typer.Option("--formula", help="The formula whose satisfactions are reported.")],
    log: Annotated[Path, typer.Option("--log", help='The log: @17 name(1,"a") other().')],
    json: common.Json = False,
) -> int:
    """Monitor a log and print, for every time-point, the values that satisfy the formula."""
    from lawful.policies.mfotl.errors import FormulaError
    from lawful.policies.mfotl.monitor import Monitor
    from lawful.policies.mfotl.signature import parse_signature

    place = sig
    try:
        signature = parse_signature(_text(sig))
        place = formula
        monitor = Monitor(_text(formula), signature)
        place = log
        found = list(_monitored(monitor, _text(log), signature))
    except FormulaError as error:
        raise ConfigurationError(error.message, place=_place(place, error), hint=error.hint) from None
    if json:
        put_json({"vars": list(monitor.vars), "verdicts": found})
        return Exit.FINE
    for each in found:
        rows = " ".join(f"({','.join(map(str, row))})" for row in each["rows"])
        out.print(f"@{each['stamp']} (time point {each['time_point']}): {rows}", markup=False, soft_wrap=True)
    return Exit.FINE


def _monitored(monitor: "Monitor", log: str, signature: "Signature") -> Iterator[dict[str, Any]]:
    from lawful.policies.mfotl.log import read_log

    for index, (stamp, facts) in enumerate(read_log(log, signature)):
        rows = monitor.step(stamp, facts)
        if rows:
            yield {"time_point": index, "stamp": stamp, "rows": sorted(map(list, rows), key=repr)}


def _place(path: Path, error: Any) -> Any:
    from lawful.schemas.errors import Place

    return Place(str(path), error.line, error.column)


def _text(path: Path) -> str:
    return "".join(_lines(path))


def _lines(path: Path) -> Iterator[str]:
    """The file's lines, read as they are wanted; bytes that are no UTF-8 become the sign for that."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            yield from file
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}", hint="give the path of a file") from None


def _document(count: int, agreed: int, wrong: "list[CaseResult]") -> dict[str, Any]:
    return {
        "cases": count,
        "agree": agreed,
        "disagree": count - agreed,
        "first": [
            {"line": each.line, "name": each.name, "difference": each.difference, "invalid": each.invalid}
            for each in wrong
        ],
    }
