"""`lawful firewall`: check the files of the two firewalls, and see what they let through."""

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import counted, err, out, put, put_json, table
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.firewalls import Abstraction, TaskProtocol
    from lawful.schemas.problems import Problem

app = typer.Typer(help="Check protocols and abstractions, and try them on a text or a record.", no_args_is_help=True)

Files = Annotated[
    list[str] | None,
    typer.Argument(help="Protocols and abstractions in YAML, folders, or names of packs; all packs otherwise."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit status 1 for warnings too.")]
Rules = Annotated[str, typer.Argument(help="A protocol or an abstraction in YAML, or the name of a pack.")]
Given = Annotated[str, typer.Argument(help="A file, '-' for standard input, or the text.", metavar="FILE|TEXT")]
Outwards = Annotated[bool, typer.Option("--outgoing", help="Of a pack, take the abstraction; the text is JSON.")]
Table = Annotated[Path | None, typer.Option("--population", help="CSV of people to count among.")]
Recipient = Annotated[str, typer.Option("--to", help="Kind of recipient: agent, tool, third_party, ...")]


@app.command("check")
def check(files: Files = None, strict: Strict = False, json: common.Json = False) -> int:
    """Read protocols and abstractions, and report what is wrong or hardly meant, with file, line and column."""
    checked, problems, doubts = 0, [], []
    for file in _files(files):
        wrong, doubtful = _checked(file)
        checked += 1
        problems += wrong
        doubts += doubtful
    if json:
        put_json({"files": checked, "problems": _described(problems), "warnings": _described(doubts)})
    else:
        for problem in problems:
            err.print(str(problem), style="red", markup=False)
        for doubt in doubts:
            err.print(f"{doubt} [warning]", style="yellow", markup=False)
        put(f"{counted(checked, 'file')}, {counted(len(problems), 'problem')}, {counted(len(doubts), 'warning')}")
    return Exit.FAULT if problems or (strict and doubts) else Exit.FINE


@app.command("try")
def try_out(
    rules: Rules,
    what: Given,
    outgoing: Outwards = False,
    population: Table = None,
    to: Recipient = "third_party",
    json: common.Json = False,
) -> int:
    """Show what comes through a protocol of a text, or through an abstraction of a record; and what not, and why."""
    from lawful.cli.extract import read_given
    from lawful.firewalls import FirewallSession, Incoming, TaskProtocol

    loaded, text = _rules(rules, outgoing=outgoing), read_given(what)
    if isinstance(loaded, TaskProtocol):
        session = FirewallSession()
        admitted = Incoming(loaded).admit(text, session)
        shown = {**admitted.as_json(), "names": dict(session.names.strings)}
        left, gone = shown["value"], admitted.dropped
    else:
        released = _released(loaded, text, population, to)
        shown, left, gone = released.as_json(), released.record, released.withheld
    if json:
        put_json(shown)
        return Exit.FINE
    put(json_module.dumps(left, ensure_ascii=False, indent=2))
    for name, string in shown.get("names", {}).items():
        out.print(f"{name}: {string}", markup=False)
    if gone:
        out.print(table("", ("key", "reason", "count"), [(each.key, each.reason, each.count) for each in gone]))
    return Exit.FINE


def _files(given: list[str] | None) -> list[Path]:
    from lawful.firewalls.files import ABSTRACTION_FILE, PROTOCOL_FILE, locate, pack_names

    found: list[Path] = []
    for each in given or pack_names():
        both = [locate(each, name) for name in (PROTOCOL_FILE, ABSTRACTION_FILE)]
        found += [file for file in dict.fromkeys(both) if file.exists()] or both[:1]
    return found


def _checked(file: Path) -> "tuple[list[Problem], list[Problem]]":
    from lawful.firewalls.lint import read_rules, warnings
    from lawful.schemas.problems import InvalidFile
    from lawful.schemas.textfile import read_text

    text = read_text(file)
    try:
        return [], list(warnings(read_rules(text, str(file)), text, str(file)))
    except InvalidFile as error:
        return list(error.problems), []


def _rules(source: str, *, outgoing: bool) -> "TaskProtocol | Abstraction":
    from lawful.firewalls.files import ABSTRACTION_FILE, PROTOCOL_FILE, locate
    from lawful.firewalls.lint import read_rules
    from lawful.schemas.textfile import read_text

    file = locate(source, ABSTRACTION_FILE if outgoing else PROTOCOL_FILE)
    return read_rules(read_text(file), str(file))


def _released(rules: "Abstraction", text: str, population: Path | None, to: str) -> Any:
    from lawful.firewalls import FirewallSession, Outgoing, load_population
    from lawful.schemas.event import Recipient as To
    from lawful.schemas.event import RecipientKind

    try:
        record = json_module.loads(text)
    except ValueError:
        raise ConfigurationError("the record is not JSON", hint="""write it as '{"age": 34}'""") from None
    if to not in list(RecipientKind):
        raise ConfigurationError(f"'{to}' is no kind of recipient", hint=f"one of: {', '.join(RecipientKind)}")
    people = load_population(population, rules) if population else None
    return Outgoing(rules, people).release(record, To(RecipientKind(to), "try"), FirewallSession())


def _described(problems: "list[Problem]") -> list[dict[str, Any]]:
    return [
        {
            "file": each.place.file,
            "line": each.place.line,
            "column": each.place.column,
            "what": each.message,
            "mend": each.hint,
        }
        for each in problems
    ]
