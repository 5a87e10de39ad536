"""`lawful auditors`: what collusion could do, how each has voted, and whether sentries were drawn as they had to be."""

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json, table
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

app = typer.Typer(help="Auditors: bounds, records, and proof of who was drawn.", no_args_is_help=True)


@app.command("bounds")
def bounds(
    pool: Annotated[int, typer.Option("--pool", min=1, max=1000, help="How many auditors there are.")] = 5,
    sentries: Annotated[int, typer.Option("--sentries", min=1, help="How many are drawn for each event.")] = 2,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Over how many events.")] = 1_000_000,
    json: common.Json = False,
) -> int:
    """Show how likely a fault passes, for every number of malicious auditors: one event, and over many. Exact."""
    from lawful.policies.auditing.bounds import table as bounded

    if sentries > pool:
        raise ConfigurationError(f"{sentries} sentries cannot be drawn from {pool}", hint="give a larger --pool")
    found = bounded(pool, sentries, (rounds,))
    if json:
        put_json([asdict(each) for each in found])
        return Exit.FINE
    rows = [
        (e.corrupt, f"{e.all_sentries:.4%}", f"{e.majority:.0%}", f"{e.passes:.4%}", f"{e.ever:.3g}") for e in found
    ]
    columns = ("malicious", "all sentries are", "a majority is", "a fault passes", f"once in {rounds:,}")
    out.print(table(f"{sentries} sentries of {pool} auditors", columns, rows))
    return Exit.FINE


@app.command("records")
def records(config: common.Config = None, json: common.Json = False) -> int:
    """Show how each auditor has voted, and flag those who deviate too often. Exit status 1 if one is flagged."""
    from lawful.infra.auditors.verifying import history
    from lawful.infra.clickhouse.query import Officer
    from lawful.policies.auditing.record import examine

    with err.status("reading votes"):
        found = examine(history(Officer(common.settings_of(config).clickhouse)))
    if json:
        put_json([asdict(each) for each in found])
    elif not found:
        put("no votes")
    else:
        rows = [
            (e.auditor, e.record.votes, e.record.deviations, e.record.silent, f"{e.chance:.2g}", "FLAGGED" * e.flagged)
            for e in found
        ]
        out.print(table("", ("auditor", "votes", "deviations", "no answer", "chance", ""), rows))
    return Exit.FAULT if any(each.flagged for each in found) else Exit.FINE


@app.command("verify")
def verify(
    key_file: Annotated[
        Path, typer.Option("--key-file", help="The key that was given away.", exists=True, dir_okay=False)
    ],
    since: Annotated[
        datetime | None, typer.Option("--since", help="When it was first used (UTC); else its first commitment.")
    ] = None,
    until: Annotated[datetime | None, typer.Option("--until", help="When it was last used (UTC).")] = None,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Draw again for every vote in the audit.

    Exit status 1 if a sentry was not drawn, or the key was not committed to before.
    """
    from datetime import UTC

    from lawful.infra.auditors.verifying import verify as verified
    from lawful.infra.clickhouse.query import Officer
    from lawful.schemas.secretfile import read_secret

    key = read_secret(key_file, "the key")
    times = [None if each is None else each.replace(tzinfo=UTC) for each in (since, until)]
    with err.status("drawing again"):
        report = verified(Officer(common.settings_of(config).clickhouse), key, *times)
    fine = report.commitments > 0 and not report.wrong
    if json:
        put_json(asdict(report) | {"ok": fine})
        return Exit.FINE if fine else Exit.FAULT
    put(f"{report.commitments} commitments to this key, {report.votings} votes under it, {report.others} under others")
    if report.wrong:
        rows = [(e.fault.value, e.tenant_id, e.event_id, e.message) for e in report.wrong[:20]]
        out.print(table(f"{len(report.wrong)} wrong", ("fault", "tenant", "event", "what"), rows))
    return Exit.FINE if fine else Exit.FAULT
