"""`lawful policy diff`: what changes between two versions of a policy."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import out, put, put_json
from lawful.cli.exits import Exit
from lawful.cli.policy import paths_of
from lawful.cli.policy_explain import read_policy
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.policies.diff import CaseChange, Change
    from lawful.policies.goldenfile import CaseDocument

Old = Annotated[str, typer.Argument(help="The version before: a file, a folder or the name of a pack.")]
New = Annotated[str, typer.Argument(help="The version after.")]
Golden = Annotated[bool, typer.Option("--golden", help="Also tell which golden cases get another verdict.")]
_STYLES = {"stricter": "green", "looser": "yellow", "neutral": "dim"}


def diff(old: Old, new: New, golden: Golden = False, json: common.Json = False) -> int:
    """Say what changes from one version to the next, and whether each change is stricter or looser.

    Exit status 0, whatever changes. Golden cases are those beside both versions.
    """
    from lawful.infra.denier import RegoDenier
    from lawful.policies.diff import diff as differences
    from lawful.policies.diff import golden_changes

    before, after = paths_of([old, new])
    was, now = read_policy(before), read_policy(after)
    changes = differences(was, now)
    with closing(RegoDenier()) as denier:
        cases = golden_changes(was, now, _cases(before, after), denier) if golden else None
    if json:
        put_json(_described(changes, cases))
        return Exit.FINE
    for change in changes:
        _line(change.direction.value, f"{change.what}: {change.message}")
    put(f"{len(changes)} changes")
    for each in cases or ():
        _line(each.direction.value, f"case '{each.case}', step {each.step}: {each.now}; it was {each.was}")
    if cases is not None:
        put(f"{len(cases)} golden verdicts change")
    return Exit.FINE


def _line(direction: str, words: str) -> None:
    out.print(f"{direction:>8}  ", style=_STYLES[direction], end="")
    out.print(words, markup=False)


def _cases(*paths: Path) -> "list[CaseDocument]":
    """The cases beside the policies; of two with one name, the later."""
    from lawful.policies.goldenfile import load_golden
    from lawful.policies.load import GOLDEN_FILE

    folders = [path if path.is_dir() else path.parent for path in paths]
    files = list(dict.fromkeys(folder / GOLDEN_FILE for folder in folders if (folder / GOLDEN_FILE).exists()))
    if not files:
        raise ConfigurationError("there are no golden cases", hint=f"put a {GOLDEN_FILE} beside one of the policies")
    return list({case.name: case for file in files for case in load_golden(file)}.values())


def _described(changes: "tuple[Change, ...]", cases: "tuple[CaseChange, ...] | None") -> dict[str, Any]:
    described: dict[str, Any] = {
        "changes": [{"direction": each.direction.value, "what": each.what, "message": each.message} for each in changes]
    }
    if cases is not None:
        described["golden"] = [
            {
                "direction": each.direction.value,
                "case": each.case,
                "step": each.step,
                "was": each.was,
                "now": each.now,
            }
            for each in cases
        ]
    return described
