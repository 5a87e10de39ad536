"""`lawful policy lint`: what a policy says that its author hardly meant."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import counted, out, put, put_json
from lawful.cli.exits import Exit
from lawful.cli.policy import Paths, paths_of

if TYPE_CHECKING:
    from lawful.policies.lint import Flaw, Report

Strict = Annotated[bool, typer.Option("--strict", help="Exit status 1 for warnings too.")]


def lint(policies: Paths = None, strict: Strict = False, json: common.Json = False) -> int:
    """Find purposes, tools and patterns that never apply, contradict each other or let more pass than meant.

    Exit status 1 for errors; with --strict for warnings too. A comment '# lint: allow <code>: <reason>' on the
    line or above it accepts a warning.
    """
    reports = [_report(path) for path in paths_of(policies)]
    flaws = [flaw for report in reports for flaw in report.flaws]
    if json:
        put_json(_described(reports))
    else:
        for flaw in flaws:
            out.print(_words(flaw), markup=False)
        allowed = sum(len(report.allowed) for report in reports)
        checked, found = counted(len(reports), "policy", "policies"), counted(len(flaws), "finding")
        put(f"{checked}, {found}, {allowed} allowed with a reason")
    wrong = flaws if strict else [flaw for report in reports for flaw in report.errors]
    return Exit.FAULT if wrong else Exit.FINE


def _report(path: Path) -> "Report":
    from lawful.infra.drafting.keynames import key_names
    from lawful.policies.lint import lint as lint_text
    from lawful.policies.load import POLICY_FILE
    from lawful.schemas.textfile import read_text

    file = path / POLICY_FILE if path.is_dir() else path
    return lint_text(read_text(file), str(file), key_names())


def _words(flaw: "Flaw") -> str:
    lines = [f"{flaw.place}: {flaw.severity.value} {flaw.code}: {flaw.message}"]
    lines += [f"    why: {flaw.why}"] if flaw.why else []
    lines += [f"    mend: {flaw.mend}"] if flaw.mend else []
    return "\n".join(lines)


def _described(reports: "list[Report]") -> dict[str, Any]:
    return {
        "findings": [_flaw(flaw) for report in reports for flaw in report.flaws],
        "allowed": [_flaw(each.flaw) | {"reason": each.reason} for report in reports for each in report.allowed],
        "errors": sum(len(report.errors) for report in reports),
    }


def _flaw(flaw: "Flaw") -> dict[str, Any]:
    place = flaw.place
    return {
        "code": flaw.code,
        "severity": flaw.severity.value,
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "what": flaw.message,
        "why": flaw.why,
        "mend": flaw.mend,
    }
