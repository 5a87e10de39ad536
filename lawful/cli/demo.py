"""`lawful demo`: a fleet of agents, real guards, a real broker, an audit trail, in under a minute."""

import fcntl
import shutil
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common, epilogue
from lawful.cli.board import Board
from lawful.cli.console import out, put_json, say
from lawful.cli.exits import Exit
from lawful.cli.signals import interruptible
from lawful.cli.tally import Tally
from lawful.cli.up import keep_running
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.clickhouse.query import Officer
    from lawful.infra.fleet.run import Played
    from lawful.infra.stack import Stack

TENANT = "demo"
AUDIT_SECONDS = 30.0
NO_VERDICT = "no_verdict"


def demo(
    seed: Annotated[int, typer.Option("--seed", help="Other stories about other people.")] = 7,
    scale: Annotated[int, typer.Option("--scale", min=1, max=100, help="How many times as many stories.")] = 1,
    workers: Annotated[int, typer.Option("--workers", min=1, max=16, help="Worker processes.")] = 2,
    keep: Annotated[bool, typer.Option("--keep", help="Keep everything running afterwards, until Ctrl-C.")] = False,
    json: common.Json = False,
) -> int:
    """Run a fleet of scripted agents of four trades through real guards, then ask the audit trail.

    Starts broker, ClickHouse, workers and audit writer here, in .lawful/demo, and stops them again.
    """
    from lawful.infra.stack import Plan, Stack

    folder = common.data_dir() / "demo"
    began = time.monotonic()
    with _alone(folder), interruptible():
        plan = Plan(data_dir=folder, workers=workers, values={"default_policy": common.DEFAULT_POLICY})
        with Stack(plan, say) as stack:
            played = _play(stack, seed, scale, quiet=json)
            summary = {**_summary(played, stack, began), "chain": _verified(stack)}
            if json:
                put_json(summary)
            else:
                epilogue.tell(played, summary, _officer(stack), folder)
            if keep:
                keep_running(stack)
    return Exit.FINE if _complete(summary) else Exit.FAULT


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """An empty folder that no other demo uses.

    Raises:
        ConfigurationError: another demo runs here, or the folder cannot be made.
    """
    from lawful.infra.stack import usable

    usable(folder.parent)
    with folder.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigurationError(f"another demo runs in {folder}", hint="wait until it ends, or stop it") from None
        found = common.running()
        if found is not None and Path(found.values["data_dir"]) == folder.resolve():
            raise ConfigurationError(f"`lawful up` runs on {folder} (process {found.pid})", hint="stop it first")
        shutil.rmtree(folder, ignore_errors=True)
        yield


def _play(stack: "Stack", seed: int, scale: int, *, quiet: bool) -> "list[Played]":
    from rich.live import Live

    from lawful.infra.compose_root import transport
    from lawful.infra.fleet import stories
    from lawful.infra.fleet.run import Fleet

    casts = stories(seed, scale=scale)
    told = [story for cast in casts for story in cast]
    board = Board(sum(len(story.steps) for story in told))
    say(f"{len({story.agent_id for story in told})} agents tell {len(told)} stories")
    way = transport(stack.settings("officer"), client=TENANT)
    try:
        with nullcontext() if quiet else Live(board, console=out, refresh_per_second=8):
            Fleet(way, tenant=TENANT).play(casts, board.told)
    finally:
        way.close()
    if not quiet:
        out.print()
    return board.played


def _summary(played: "list[Played]", stack: "Stack", began: float) -> dict[str, Any]:
    tally = Tally(events=len(played))
    for each in played:
        if not _unanswered(each):
            tally.add(each.event, each.verdict)
    waited = sorted(each.waited_ms for each in played) or [0.0]
    return {
        **tally.summary(),
        "audit_rows": _audit_rows(_officer(stack), len(played)),
        "latency_ms": {
            "p50": round(statistics.median(waited), 1),
            "p99": round(waited[min(len(waited) - 1, int(len(waited) * 0.99))], 1),
        },
        "sessions": len({each.story.session_id for each in played}),
        "seconds": round(time.monotonic() - began, 1),
        "as_scripted": sum(each.as_scripted for each in played),
    }


def _unanswered(played: "Played") -> bool:
    return any(violation.reason == NO_VERDICT for violation in played.verdict.violations)


def _audit_rows(officer: "Officer", expected: int) -> int:
    """How many verdicts the audit trail holds, once it has caught up."""
    say("waiting for the audit writer")
    deadline = time.monotonic() + AUDIT_SECONDS
    while True:
        rows = int(officer.ask(f"SELECT count() FROM verdicts WHERE tenant_id = '{TENANT}'").rows[0][0])  # noqa: S608 - no input
        if rows >= expected or time.monotonic() > deadline:
            return rows
        time.sleep(0.1)


def _verified(stack: "Stack") -> dict[str, Any]:
    """What `lawful audit verify` says about the demo's own rows."""
    from lawful.cli.audit_verify import run, summary
    from lawful.infra.audit_verify import evidence

    settings = stack.settings("officer")
    say("verifying the audit's hash chains")
    report, seconds = run(settings, evidence.anchors(settings), [])
    anchors = sum(each.anchors for each in report.chains)
    return {"ok": report.ok, "rows": report.rows, "anchors": anchors, "words": summary(report, seconds)}


def _officer(stack: "Stack") -> "Officer":
    from lawful.infra.clickhouse.query import Officer

    return Officer(stack.settings("officer").clickhouse)


def _complete(summary: dict[str, Any]) -> bool:
    verified = summary["chain"]["ok"] and summary["chain"]["rows"] >= summary["audit_rows"]
    return bool(
        verified and summary["unanswered"] == 0 and summary["events"] == summary["verdicts"] == summary["audit_rows"]
    )
