"""`lawful crosscheck`: every event before three judges that share no code, and whether they agree."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json, say, table
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.crosscheck.drive import Tally
    from lawful.infra.crosscheck.trace import Checked
    from lawful.infra.ingest import Report
    from lawful.policies.mfotl.export import Recorded

MONPOLY = "MONPOLY_BIN"
DEFAULT_EVENTS = 10_000


def crosscheck(
    trace: Annotated[
        Path | None, typer.Argument(help="JSON Lines of agent events, as `lawful ingest --format lawful` reads them.")
    ] = None,
    packs: Annotated[bool, typer.Option("--packs", help="Generate events over the packs instead.")] = False,
    events: Annotated[int, typer.Option("--events", min=1, help="How many to generate.")] = DEFAULT_EVENTS,
    seed: Annotated[int, typer.Option("--seed", help="The same seed generates the same events.")] = 1,
    processes: Annotated[
        int | None, typer.Option("--processes", min=1, help="For generated events; one per core otherwise.")
    ] = None,
    extraction: Annotated[
        bool, typer.Option("--extraction/--no-extraction", help="Whether to look for personal data in content.")
    ] = True,
    policy: Annotated[str | None, typer.Option("--policy", help="Policy to judge the trace by.")] = None,
    tenant: common.Tenant = common.DEFAULT_TENANT,
    export: Annotated[
        Path | None, typer.Option("--export", help="Write the trace as .sig, .mfotl and .log for MonPoly.")
    ] = None,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Hold the judges against each other: Python, Rego, temporal logic, and MonPoly if MONPOLY_BIN names it.

    Exit status 1 if they disagree on any event.
    """
    if packs == (trace is not None):
        raise ConfigurationError("a crosscheck needs something to check", hint="give a TRACE, or --packs, not both")
    if packs:
        return _generated(events, seed, processes or os.cpu_count() or 1, json)
    assert trace is not None  # noqa: S101 - see above
    return _recorded(trace, (policy, tenant, config), export, json, extraction=extraction)


def _generated(events: int, seed: int, processes: int, as_json: bool) -> int:
    from lawful.infra.crosscheck.worlds import orders, run_worlds
    from lawful.policies.load import pack_names

    wanted = list(orders(list(pack_names()), events, seed, keep_logs=_monpoly() is not None))
    with _progress(events) as advance:
        tally = run_worlds(wanted, min(processes, len(wanted)), advance)
    differences = _ask_monpoly(tally.logs)
    _tell(tally, differences, as_json, {"seed": seed})
    return Exit.FAULT if tally.differing or differences else Exit.FINE


def _recorded(
    path: Path, judged_by: tuple[str | None, str, Path | None], export: Path | None, as_json: bool, *, extraction: bool
) -> int:
    from lawful.infra.crosscheck import trace

    with _progress(None) as advance:
        checked = _check(path, judged_by, advance, extraction=extraction)
    if export is not None:
        written = trace.export(checked.tally.logs, export)
        say(f"{len(written)} files in {export}: monpoly -sig facts.sig -formula consent.mfotl -log subject-0001.log")
    differences = _ask_monpoly(checked.tally.logs)
    for problem in checked.report.problems:
        err.print(str(problem), style="red", markup=False)
    if not checked.tally.events:
        raise ConfigurationError(f"{path} holds no events", hint="give JSON Lines of agent events, one a line")
    _tell(checked.tally, differences, as_json, _problems(checked.report))
    return Exit.FAULT if checked.tally.differing or differences or checked.report.problems else Exit.FINE


def _check(
    path: Path,
    judged_by: tuple[str | None, str, Path | None],
    advance: Callable[[int], None],
    *,
    extraction: bool,
) -> "Checked":
    from lawful.client.clock import now
    from lawful.extractors import build_extractor
    from lawful.infra import compose_root
    from lawful.infra.crosscheck import trace
    from lawful.infra.ingest import Mint
    from lawful.schemas.ids import uuid7

    policy, tenant, config = judged_by
    settings = common.settings_of(config)
    if settings.default_policy is None and settings.policies_dir is None:
        settings = common.settings_of(config, default_policy=policy or common.DEFAULT_POLICY)
    extractor = build_extractor(trace.pseudonymiser(), model=settings.model) if extraction else trace.NoExtraction()
    return trace.check_trace(
        path, Mint(tenant, uuid7, now, policy), compose_root.policies(settings), extractor, advance
    )


def _monpoly() -> str | None:
    return os.environ.get(MONPOLY) or None


def _ask_monpoly(logs: "list[Recorded]") -> list[dict[str, Any]] | None:
    """What MonPoly says otherwise; `None` if there is no MonPoly."""
    binary = _monpoly()
    if binary is None:
        return None
    from lawful.infra.crosscheck.monpoly import MonPoly

    return [
        {
            "subject": each.key,
            "predicate": each.predicate.value,
            "time_point": each.point,
            "ours": [list(row) for row in each.ours],
            "theirs": [list(row) for row in each.theirs],
        }
        for each in MonPoly(binary).differences(logs)
    ]


@contextmanager
def _progress(total: int | None) -> "Iterator[Callable[[int], None]]":
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.completed:,} events before the judges"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("crosscheck", total=total)
        yield lambda events: progress.advance(task, events)


def _problems(report: "Report") -> dict[str, Any]:
    return {"problems": [str(problem) for problem in report.problems]} if report.problems else {}


def _tell(tally: "Tally", differences: list[dict[str, Any]] | None, as_json: bool, more: dict[str, Any]) -> None:
    document = _document(tally, differences) | more
    if as_json:
        put_json(document)
        return
    put(f"{tally.events:,} events, {tally.decisions:,} decisions of each judge, {tally.refused:,} refused unasked")
    rows = [(judge, said["agrees"], said["disagrees"]) for judge, said in document["judges"].items()]
    out.print(table("against the Python judge", ("judge", "agrees", "disagrees"), rows))
    out.print(table("", ("decision", "decisions"), document["decisions"].items()))
    if document.get("first"):
        _tell_first(document["first"])
    for each in (differences or [])[:1]:
        err.print(f"MonPoly differs: {each}", style="red", markup=False)


def _tell_first(first: dict[str, Any]) -> None:
    """The first disagreement, with the facts it rests on."""
    err.print("the first disagreement", style="bold red")
    err.print(
        f"event {first['event_id']}, policy {first['policy']['id']}, offset {first['at']['offset']}", markup=False
    )
    said = ", ".join(f"{each['rule']} {each['reason']}" for each in first["verdict"]["violations"])
    err.print(f"python: {first['verdict']['decision']} {said}", markup=False)
    for each in first["differences"]:
        err.print(f"{each['judge']} lacks: {'; '.join(each['missing']) or 'nothing'}", markup=False)
        err.print(f"{each['judge']} adds: {'; '.join(each['surplus']) or 'nothing'}", markup=False)
    err.print("the facts, the event's last:", style="bold")
    for line in first["facts"]:
        err.print(f"  {line}", markup=False)


def _document(tally: "Tally", differences: list[dict[str, Any]] | None) -> dict[str, Any]:
    from lawful.policies.crosscheck import Judge

    judges = {
        judge.value: {
            "agrees": tally.decisions - tally.disagreements[judge.value],
            "disagrees": tally.disagreements[judge.value],
        }
        for judge in (Judge.REGO, Judge.MFOTL)
    }
    document: dict[str, Any] = {
        "events": tally.events,
        "decisions": dict(sorted(tally.outcomes.items())),
        "compared": tally.decisions,
        "refused": tally.refused,
        "disagreements": tally.differing + len(differences or ()),
        "judges": judges,
        "violations": dict(sorted(tally.rules.items())),
    }
    if differences is not None:
        judges[Judge.MONPOLY.value] = {
            "agrees": max(tally.decisions - len(differences), 0),
            "disagrees": len(differences),
        }
        document["monpoly"] = differences[:10]
    if tally.first is not None:
        document["first"] = tally.first
    return document
