"""`lawful audit verify` and `lawful audit public-key`: whether the audit is as it was written."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from lawful.cli import common
from lawful.cli.console import counted, err, out, put, put_json, say, table
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.audit_verify import VerifyReport
    from lawful.infra.settings import Settings
    from lawful.schemas.audit import Anchor

LAST = "last"


def verify(
    since: Annotated[
        str | None,
        typer.Option("--since", help="Only behind the anchors of this time (2026-11-30T12:00), or `last`."),
    ] = None,
    anchors: Annotated[list[Path] | None, typer.Option("--anchors", help="A further file of anchors, or copy.")] = None,
    no_topic: Annotated[bool, typer.Option("--no-topic", help="Read no anchors from Kafka, only from files.")] = False,
    links_only: Annotated[
        bool, typer.Option("--links-only", help="Without the chain key: check links and anchors, not contents.")
    ] = False,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Check every row's place in its hash chain, the chains against their signed anchors, and the views' definitions.

    Names the rows that were changed, removed, put in or moved, the first one first, and the views that were replaced.
    Exit status 1 if there is any.
    """
    from lawful.infra.audit_verify import evidence

    settings = common.settings_of(config)
    found = evidence.anchors(settings, anchors or [], topic=not no_topic)
    begin = evidence.latest(found, _before(since)) if since else []
    report, seconds = run(settings, found, begin, links_only=links_only)
    if json:
        put_json(_document(report, seconds))
    else:
        tell(report, seconds)
    return Exit.FINE if report.ok else Exit.FAULT


def run(
    settings: "Settings", anchors: "list[Anchor]", begin: "list[Anchor]", *, links_only: bool = False
) -> "tuple[VerifyReport, float]":
    """Verifies, with a progress bar at a terminal; gives the report, and how many seconds it took."""
    import time

    from rich.progress import Progress

    from lawful.infra.audit_chain import own
    from lawful.infra.audit_verify import Keys
    from lawful.infra.audit_verify import verify as check
    from lawful.infra.clickhouse.client import Timeouts, connect

    keys = Keys(None if links_only else own.chain_keys(settings), own.public_key(settings))
    client = connect(settings.clickhouse, timeouts=Timeouts(request=600, query=590))
    try:
        total = int(client.query("SELECT count() FROM chain").result_rows[0][0])
        began = time.monotonic()
        with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
            task = progress.add_task("verifying", total=total)
            report = check(client, keys, anchors, begin, tell=lambda rows: progress.advance(task, rows))
        return report, time.monotonic() - began
    finally:
        client.close()


def public_key(config: common.Config = None) -> int:
    """Print the public key that anchors are checked with, as a PEM file for auditors."""
    from lawful.infra.audit_chain.own import public_key as found

    key = found(common.settings_of(config))
    if key is None:
        raise ConfigurationError(
            "there is no signing key, so there is no public key",
            hint="set LAWFUL_AUDIT_SIGNING_KEY_FILE or LAWFUL_AUDIT_PUBLIC_KEY; docs/audit.md says how to make keys",
        )
    put(key.pem().decode().strip())
    return Exit.FINE


def tell(report: "VerifyReport", seconds: float) -> None:
    """Print a report for people."""
    rows = [(each.topic, each.partition, each.rows, each.last, each.anchors, each.unanchored) for each in report.chains]
    columns = ("topic", "partition", "rows", "last row", "anchors", "rows since")
    out.print(table("", columns, rows))
    for fault in report.faults:
        put(f"[bold red]{fault.kind.value}[/] {escape(str(fault))}")
    if report.stopped_early:
        put("so much is wrong that the rest was not looked at; is this the chain key that the rows were written under?")
    if any(fault.view for fault in report.faults):
        put("the migrations make the views; if this version is newer than the database, run `lawful migrate` first")
    put(coloured(summary(report, seconds), ok=report.ok))
    if not report.anchored:
        say("[yellow]note[/]: there is no anchor to hold the chains against, so a cut-off tail would not show")
    if report.unseen:
        unseen, why = ", ".join(report.unseen), "not there, or this user may not read how they are defined"
        say(f"[yellow]note[/]: these views were not compared ({why}): {unseen}")


def summary(report: "VerifyReport", seconds: float) -> str:
    """One line that says it all, in plain words."""
    where = f"{counted(report.rows, 'row')} in {counted(len(report.chains), 'chain')}"
    if not report.ok:
        return f"the audit is not as it was written: {counted(len(report.faults), 'fault')} in {where}"
    signed = counted(sum(each.anchors for each in report.chains), "anchor")
    checked = "" if report.recomputed else ", contents not checked"
    return f"chain verified: {where}, {signed}, {seconds:.1f} s{checked}"


def coloured(words: str, *, ok: bool) -> str:
    """A summary for a terminal: what stands before the colon in colour."""
    head, colon, rest = words.partition(":")
    return f"[{'green' if ok else 'bold red'}]{head}[/]{colon}{rest}"


def _document(report: "VerifyReport", seconds: float) -> dict[str, Any]:
    return {
        "ok": report.ok,
        "rows": report.rows,
        "seconds": round(seconds, 3),
        "rows_per_second": round(report.rows / seconds) if seconds else None,
        "recomputed": report.recomputed,
        "anchored": report.anchored,
        "stopped_early": report.stopped_early,
        "views": list(report.views),
        "views_unseen": list(report.unseen),
        "first": asdict(report.first) if report.first else None,
        "faults": [asdict(fault) for fault in report.faults],
        "chains": [asdict(chain) for chain in report.chains],
    }


def _before(text: str) -> int | None:
    if text == LAST:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(
            f"{text!r} is no time", hint=f"as 2026-11-30 or 2026-11-30T12:00 (UTC), or `{LAST}`"
        ) from None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(aware.timestamp() * 1_000_000)
