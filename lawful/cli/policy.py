"""`lawful policy`: check a policy, and hold it against its golden cases.

The group's other commands have files of their own, beside this one.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import counted, err, out, put, put_json, table
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.policies.golden import CaseResult
    from lawful.policies.model import Policy
    from lawful.policies.problems import Problem

app = typer.Typer(help="Check policies, and test them against their golden cases.", no_args_is_help=True)

Paths = Annotated[
    list[str] | None,
    typer.Argument(help="Policy files, folders with a policy.yaml, or names of packs; all packs otherwise."),
]


@app.command("check")
def check(policies: Paths = None, json: common.Json = False) -> int:
    """Read policies and report what is wrong, each problem with file, line, column and a suggestion."""
    found: list[dict[str, Any]] = []
    problems: list[Problem | ConfigurationError] = []
    for path in paths_of(policies):
        policy, wrong = _read(path)
        problems += wrong
        if policy is not None:
            found.append(_described(policy, path))
    if json:
        put_json({"policies": found, "problems": [str(problem) for problem in problems]})
    else:
        for problem in problems:
            err.print(_told(problem), style="red", markup=False)
        if found:
            out.print(table("", ("policy", "version", "purposes", "tools", "digest"), [_row(each) for each in found]))
        for each in found:
            for line in each["warnings"]:
                err.print(f"{each['id']}: {line}", style="yellow", markup=False)
            for line in each["bounds"]:
                put(f"{each['id']}: {line}")
    return Exit.FAULT if problems else Exit.FINE


@app.command("test")
def run_cases(policies: Paths = None, json: common.Json = False) -> int:
    """Run the golden cases beside policies. Exit status 1 if one fails."""
    from lawful.infra.denier import RegoDenier
    from lawful.policies.golden import run_golden
    from lawful.policies.goldenfile import load_golden
    from lawful.policies.load import load_policy

    results: list[tuple[str, CaseResult]] = []
    with closing(RegoDenier()) as denier:
        for path in paths_of(policies):
            folder = path if path.is_dir() else path.parent
            results += [(folder.name, case) for case in run_golden(load_policy(path), load_golden(folder), denier)]
    failed = [(name, case) for name, case in results if not case.passed]
    if json:
        put_json(_results(results))
        return Exit.FAULT if failed else Exit.FINE
    for name, case in failed:
        err.print(f"{name}: {case.name}", style="red", markup=False)
        for difference in case.differences:
            err.print(f"    {difference}", markup=False)
    put(f"{counted(len(results), 'golden case')}, {len(failed)} failed")
    return Exit.FAULT if failed else Exit.FINE


def paths_of(given: list[str] | None) -> list[Path]:
    """Files and folders as they are, names of packs as their folders."""
    from lawful.policies.load import pack_folder, pack_names

    if not given:
        return [pack_folder(name) for name in pack_names()]
    return [Path(each) if Path(each).exists() or _is_path(each) else pack_folder(each) for each in given]


def _is_path(text: str) -> bool:
    return "/" in text or text.endswith((".yaml", ".yml"))


def _read(path: Path) -> "tuple[Policy | None, Sequence[Problem | ConfigurationError]]":
    from lawful.policies.load import load_policy
    from lawful.policies.problems import InvalidPolicy

    try:
        return load_policy(path), []
    except InvalidPolicy as error:
        return None, error.problems
    except ConfigurationError as error:
        return None, [error]


def _told(problem: "Problem | ConfigurationError") -> str:
    """What is wrong within a file begins with its place; a file that cannot be read is told as by any command."""
    if not isinstance(problem, ConfigurationError):
        return str(problem)
    return f"lawful: {problem.message}" + (f"\n  hint: {problem.hint}" if problem.hint else "")


def _described(policy: "Policy", path: Path) -> dict[str, Any]:
    from lawful.policies.rules.bounds import bounds, warnings

    return {
        "id": policy.id,
        "version": policy.version,
        "digest": policy.digest,
        "path": str(path),
        "purposes": len(policy.purposes),
        "tools": len(policy.tools),
        "warnings": list(warnings(policy)),
        "bounds": list(bounds(policy)),
    }


def _row(policy: dict[str, Any]) -> list[Any]:
    return [policy["id"], policy["version"], policy["purposes"], policy["tools"], f"{policy['digest'][:16]}…"]


def _results(results: "list[tuple[str, CaseResult]]") -> dict[str, Any]:
    return {
        "cases": [
            {"policy": name, "case": case.name, "passed": case.passed, "differences": list(case.differences)}
            for name, case in results
        ],
        "failed": sum(not case.passed for _, case in results),
    }
