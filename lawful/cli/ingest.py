"""`lawful ingest`: publish recorded traces, wait for their verdicts, say what became of them."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import counted, err, out, put, put_json, say, table
from lawful.cli.exits import Exit
from lawful.cli.signals import interruptible
from lawful.cli.tally import Tally
from lawful.schemas.errors import ConfigurationError, LawfulError

if TYPE_CHECKING:
    from lawful.client import Transport
    from lawful.infra.ingest import Mint, Report
    from lawful.infra.settings import Settings
    from lawful.schemas.event import AgentEvent
    from lawful.schemas.verdict import Verdict

IN_FLIGHT = 128
MOST_ROWS = 25
LOOK_UP = (
    "lawful audit sql \"select decision, reasons, violations.article, categories from verdicts where event_id = '{}'\""
)
FORMATS_HELP = "openai, tau2, messages, agentleak or lawful; guessed from the first document otherwise."


def ingest(
    files: Annotated[list[Path], typer.Argument(help="JSON or JSON Lines files.")],
    format_name: Annotated[str | None, typer.Option("--format", help=FORMATS_HELP)] = None,
    policy: Annotated[str | None, typer.Option("--policy", help="Policy to judge by.")] = None,
    tenant: common.Tenant = common.DEFAULT_TENANT,
    subject: Annotated[
        str | None, typer.Option("--subject", help="scheme=value: the principal of events that name none.")
    ] = None,
    purpose: Annotated[
        list[str] | None, typer.Option("--purpose", help="Declared for events that declare none; may be repeated.")
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1, help="Seconds without any verdict to give up after.")
    ] = 60,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Publish recorded agent traces as events and print their verdicts' totals.

    Exit status 1: a document could not be read, an event got no verdict, or there was no policy to judge it by.
    """
    from lawful.infra.compose_root import transport
    from lawful.infra.ingest import Report

    formats = [_format(path, format_name) for path in files]
    mint = _mint(tenant, policy, subject, tuple(purpose or ()))
    report, tally = Report(), Tally()
    settings = common.settings_with_key(config)
    if policy is not None:
        _known_policy(policy, settings, elsewhere=common.says_where(config))
    way = transport(settings)
    counts: dict[str, int] = {}
    with interruptible():
        try:
            events = _events(list(zip(files, formats, strict=True)), mint, report, counts)
            _publish(events, way, tally, report, timeout)
        finally:
            way.close()
    _tell(tally, report, list(zip(files, formats, strict=True)), counts, json)
    _tell_unjudged(tally, settings)
    return Exit.FAULT if report.problems or tally.unanswered or tally.unjudged else Exit.FINE


def _format(path: Path, named: str | None) -> str:
    from lawful.infra.ingest import FORMATS, guess

    if named is not None:
        if named not in FORMATS:
            raise ConfigurationError(f"there is no format {named!r}", hint=f"known are {', '.join(FORMATS)}")
        return named
    guessed = guess(path)
    say(f"{path}: read as {guessed} ({FORMATS[guessed].title}); --format says otherwise")
    return guessed


def _known_policy(name: str, settings: "Settings", *, elsewhere: bool) -> None:
    """Refuses a name that would only get every event blocked.

    Workers elsewhere may have policies that are not here: then an unknown name is a note, not an error.
    """
    known, hint = _among_policies(name, settings)
    if known:
        return
    what = f"there is no policy {name!r}"
    if settings.policies_dir is not None or not elsewhere:
        raise ConfigurationError(what, hint=hint)
    say(f"[yellow]note[/]: {what} here ({hint}); the workers may know it")


def _among_policies(name: str, settings: "Settings") -> tuple[bool, str]:
    """Whether there is such a policy here, and what to say if not."""
    from lawful.infra.compose_root import policies
    from lawful.policies.problems import did_you_mean

    known = sorted(policies(settings).policies)
    return name in known, did_you_mean(name, known) or f"known are {', '.join(known)}"


def _tell_unjudged(tally: Tally, settings: "Settings") -> None:
    """Says which policies were asked for that the workers do not have: such events are blocked, whatever they hold."""
    from rich.markup import escape

    for name, number in sorted(tally.unjudged.items()):
        here, hint = _among_policies(name, settings)
        what = (
            f"the workers have no policy {escape(repr(name))}"
            if name
            else "no policy is named, and there is no default"
        )
        hint = "the workers read theirs from LAWFUL_POLICIES_DIR" if here else hint
        hint = hint if name else "set LAWFUL_DEFAULT_POLICY where the workers run, or give --policy here"
        say(f"[red]{counted(number, 'event')} blocked unread[/]: {what}; {escape(hint)}")


def _mint(tenant: str, policy: str | None, subject: str | None, purposes: tuple[str, ...]) -> "Mint":
    from lawful.client.clock import now
    from lawful.infra.ingest import Mint
    from lawful.schemas.event import Identifier
    from lawful.schemas.ids import uuid7

    principal = Identifier(*common.identifier_of(subject)) if subject else None
    return Mint(tenant, uuid7, now, policy, principal, purposes)


def _events(
    files: list[tuple[Path, str]], mint: "Mint", report: "Report", counts: dict[str, int]
) -> "Iterator[tuple[Path, AgentEvent]]":
    from lawful.infra.ingest import parse_file

    for path, format_name in files:
        counts.setdefault(str(path), 0)
        for event in parse_file(path, format_name, mint, report):
            counts[str(path)] += 1
            yield path, event


def _publish(
    events: "Iterator[tuple[Path, AgentEvent]]", way: "Transport", tally: Tally, report: "Report", timeout: float
) -> None:
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed} of {task.total} events answered"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("ingest", total=0)

        def show() -> None:
            progress.update(task, total=tally.events, completed=tally.verdicts)

        _flow(events, way, tally, report, timeout, show)


def _flow(
    events: "Iterator[tuple[Path, AgentEvent]]",
    way: "Transport",
    tally: Tally,
    report: "Report",
    timeout: float,
    show: Callable[[], None],
) -> None:
    """Keeps a bounded number of events under way, in the order of the file."""
    from lawful.schemas.errors import Place

    waiting: dict[Future[Verdict], AgentEvent] = {}
    for path, event in events:
        tally.events += 1
        try:
            waiting[way.submit(event)] = event
        except (LawfulError, UnicodeError) as error:
            report.problem(Place(str(path), 1, 1), f"event {tally.events} cannot be published: {type(error).__name__}")
        while len(waiting) >= IN_FLIGHT:
            if not _collect(waiting, tally, timeout):
                return
            show()
    while waiting and _collect(waiting, tally, timeout):
        show()


def _collect(waiting: "dict[Future[Verdict], AgentEvent]", tally: Tally, timeout: float) -> bool:
    """Takes in what has come; false if nothing came for too long."""
    done, _ = wait(waiting, timeout, FIRST_COMPLETED)
    for future in done:
        event = waiting.pop(future)
        if not future.cancelled() and future.exception() is None:
            tally.add(event, future.result())
    return bool(done)


def _tell(tally: Tally, report: "Report", files: list[tuple[Path, str]], counts: dict[str, int], as_json: bool) -> None:
    if as_json:
        put_json(_document(tally, report, files, counts))
        return
    for problem in report.problems:
        say(f"[red]{problem}[/]")
    _tell_fields(report)
    summary = tally.summary()
    put(f"{counted(tally.events, 'event')}, {counted(tally.verdicts, 'verdict')}, {tally.unanswered:,} unanswered")
    out.print(table("", ("decision", "events"), summary["decisions"].items()))
    out.print(table("", ("predicate", "events violating it"), summary["predicates"].items()))
    rows = tally.overview()
    if rows:
        columns = ("decision", "fault", "concerns", "events", "where")
        out.print(table("what was at fault, and why", columns, rows[:MOST_ROWS]))
        more = len(rows) - MOST_ROWS
        if more > 0:
            put(f"and {more} more; --json lists all of them, each with an event to look up")
        put(f"look one up: {LOOK_UP.format(next(iter(tally.example.values())))}")


def _tell_fields(report: "Report") -> None:
    if report.unknown:
        rows = report.unknown.most_common()
        err.print(table("fields that are not known, and were not used", ("path", "count"), rows))
    if report.left_out:
        say(f"known and no part of an event: {', '.join(sorted(report.left_out))}")


def _document(tally: Tally, report: "Report", files: list[tuple[Path, str]], counts: dict[str, int]) -> dict[str, Any]:
    return {
        **tally.summary(),
        "unknown_policies": dict(tally.unjudged),
        "reasons": tally.details(),
        "files": [{"file": str(path), "format": name, "events": counts.get(str(path), 0)} for path, name in files],
        "problems": [str(problem) for problem in report.problems],
        "unknown_fields": dict(report.unknown),
        "left_out_fields": dict(report.left_out),
    }
