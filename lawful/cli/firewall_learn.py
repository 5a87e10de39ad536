"""`lawful firewall learn` and `demonstrations`: rules from past conversations, and made-up ones to try it on."""

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import err, put, put_json
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.firewalls.learning import Learned

Demos = Annotated[Path, typer.Argument(help="Demonstrations, a JSON object a line; see docs/firewalls.md.")]
Out = Annotated[Path, typer.Option("--out", help="Folder for protocol.yaml and abstraction.yaml.", file_okay=False)]
Against = Annotated[Path | None, typer.Option("--against", help="Folder with the rules so far: tell what changes.")]
Least = Annotated[int, typer.Option("--min-support", min=1, help="So many benign conversations make a word.")]
Task = Annotated[str, typer.Option("--task", help="The name of the rules.")]


def learn(
    demos: Demos,
    out: Out,
    task: Task = "learned",
    against: Against = None,
    min_support: Least = 3,
    json: common.Json = False,
) -> int:
    """Learn a protocol and an abstraction from benign conversations and attacks; both are drafts to review.

    A fifth of the demonstrations is kept back, and the rules are tried on it.
    """
    from lawful.firewalls.learning import learn as learn_rules
    from lawful.firewalls.learning import parse_demonstrations

    try:
        lines = demos.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{demos} cannot be read as UTF-8", hint="check the path") from None
    with err.status("learning"):
        learned = learn_rules(parse_demonstrations(lines, str(demos)), task, min_support)
    found = learned.as_json() | {"changes": _changes(learned, against)}
    out.mkdir(parents=True, exist_ok=True)
    (out / "protocol.yaml").write_text(learned.protocol, encoding="utf-8")
    (out / "abstraction.yaml").write_text(learned.abstraction, encoding="utf-8")
    if json:
        put_json(found)
    else:
        _tell(found, out)
    return Exit.FINE


def demonstrations(
    domain: Annotated[str, typer.Argument(help="travel, insurance or real_estate.")],
    out: Annotated[Path, typer.Option("--out", help="The file to write.", dir_okay=False)],
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same conversations.")] = 1,
    benign: Annotated[int, typer.Option("--benign", min=1, help="How many benign conversations.")] = 120,
    json: common.Json = False,
) -> int:
    """Write made-up demonstrations of one of the suite's domains, to see what learning does."""
    from lawful.infra.evaluation.suites.converse.demonstrating import demonstrations as made
    from lawful.infra.evaluation.suites.converse.domain import NAMES
    from lawful.infra.evaluation.suites.converse.domain import domain as domain_of

    if domain not in NAMES:
        raise ConfigurationError(f"there is no domain {domain!r}", hint=f"one of: {', '.join(NAMES)}")
    lines = [json_module.dumps(each, ensure_ascii=False) for each in made(domain_of(domain), seed, benign, 1)]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if json:
        put_json({"demonstrations": len(lines), "benign": benign})
    else:
        put(f"{len(lines)} demonstrations written to {out}")
    return Exit.FINE


def _changes(learned: "Learned", against: Path | None) -> list[dict[str, Any]]:
    from lawful.firewalls.learning.diffing import changes
    from lawful.schemas.textfile import read_text

    if against is None:
        return []
    pairs = (("protocol.yaml", learned.protocol), ("abstraction.yaml", learned.abstraction))
    return [
        {"file": name} | change.as_json()
        for name, text in pairs
        for change in changes(read_text(against / name), text, name)
    ]


def _tell(found: dict[str, Any], out: Path) -> None:
    held = found["validation"]
    put(f"learned from {found['benign']} benign conversations and {found['attacks']} attacks, written to {out}")
    put(
        f"held out: {held['heard']} of {held['said']} facts heard, {held['released']} of {held['told']} told, "
        f"{held['stopped']} of {held['attacks']} attacks stopped"
    )
    for each in found["changes"]:
        mark = "wider " if each["wider"] else "closer"
        put(f"{mark} {each['file']}: {each['path']}: {each['before'] or 'nothing'} -> {each['after'] or 'nothing'}")
