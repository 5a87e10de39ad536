"""`lawful evaluate --set NAME FILE`: what others have written down, before our monitor."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from lawful.cli.console import err, out, put, put_json, table
from lawful.cli.exits import Exit


class Kind(StrEnum):
    """The external sets that can be read."""

    AGENTLEAK = "agentleak"
    TAU2 = "tau2"
    MESSAGES = "messages"
    OPENAI = "openai"
    LAWFUL = "lawful"
    CONVERSE = "converse"


def tell(kind: Kind, path: Path, policy: str, *, as_json: bool) -> int:
    """Runs a set and prints what came of it. Exit status 1 if part of the file could not be read."""
    if kind is Kind.AGENTLEAK:
        found, show = _agentleak(path), _tell_agentleak
    elif kind is Kind.CONVERSE:
        found, show = _converse(path), _tell_converse
    else:
        found, show = _traffic(path, kind, policy), _tell_traffic
    if as_json:
        put_json(found)
    else:
        show(found)
    for problem in found["problems"]:
        err.print(problem, style="red", markup=False)
    return Exit.FAULT if found["problems"] else Exit.FINE


@contextmanager
def bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda count: progress.advance(task, count)


def _agentleak(path: Path) -> dict[str, Any]:
    from lawful.extractors import build_extractor
    from lawful.infra.evaluation.arms.ours import PSEUDONYMISER
    from lawful.infra.evaluation.sets import agentleak

    with bar("scenarios", None) as advance:
        return agentleak.as_document(*agentleak.run_file(path, build_extractor(PSEUDONYMISER), advance))


def _converse(path: Path) -> dict[str, Any]:
    from lawful.infra.evaluation.sets.converse import playing, telling

    with bar("attacks", None) as advance:
        return telling.as_document(*playing.run_folder(path, advance))


def _traffic(path: Path, kind: Kind, policy: str) -> dict[str, Any]:
    from lawful.client.clock import now
    from lawful.extractors import build_extractor
    from lawful.infra.evaluation.arms.ours import PSEUDONYMISER
    from lawful.infra.evaluation.sets import traffic
    from lawful.infra.ingest import Mint
    from lawful.schemas.ids import uuid7

    mint = Mint("evaluation", uuid7, now)
    with bar("events", None) as advance:
        heard = traffic.run_file(path, kind.value, mint, policy, build_extractor(PSEUDONYMISER), advance)
        return traffic.as_document(*heard, kind.value) | {"title": f"{kind.value}: {path.parent.name}"}


def _tell_agentleak(found: dict[str, Any]) -> None:
    events, blocked = found["events"], found["events_blocked"]
    put(f"{found['scenarios']:,} scenarios, {events:,} disclosures, {blocked:,} of them blocked")
    columns = ("", "forbidden", "got through", "%", "allowed", "stopped", "%")
    out.print(table("all", columns, [_row("all", found)]))
    for by in ("vertical", "attack_class", "form", "channel", "field"):
        rows = [_row(name, one) for name, one in found[f"by_{by}"].items()]
        out.print(table(f"by {by.replace('_', ' ')}", columns, rows))


def _row(name: str, one: dict[str, Any]) -> tuple[Any, ...]:
    cells: list[Any] = [name]
    for what in ("forbidden_through", "allowed_stopped"):
        rate = one[what]
        cells += [rate["of"], rate["count"], "-" if rate["rate"] is None else f"{100 * rate['rate']:.1f}"]
    return tuple(cells)


def _tell_converse(found: dict[str, Any]) -> None:
    from lawful.infra.evaluation.sets.converse.telling import grids

    put(f"{found['personas']:,} personas, {found['attacks']:,} attacks")
    for grid in grids(found):
        out.print(table(grid.title, grid.columns, grid.rows))


def _tell_traffic(found: dict[str, Any]) -> None:
    rows = [
        (name, one["events"], one["alarms"], f"{one['alarms_per_1000']:.1f}", one["warnings"])
        for name, one in found["by_payload"].items()
    ]
    out.print(table("stopped or changed", ("payload", "events", "alarms", "per 1,000", "warnings"), rows))
    kinds = [
        (one["count"], one["tool"] or one["payload"], one["rule"], one["reason"], one["category"] or "", one["says"])
        for one in found["kinds"]
    ]
    if kinds:
        out.print(table("by kind", ("count", "where", "rule", "reason", "category", "says"), kinds))
