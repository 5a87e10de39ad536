"""`lawful audit retain`: drops months whose time is over, with a signed note in the chain."""

from pathlib import Path
from typing import Annotated

import typer

from lawful.cli import common
from lawful.cli.console import counted, put, put_json
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError


def retain(
    days: Annotated[
        int | None, typer.Option("--days", min=183, help="Keep what is younger. [default: audit.retention_days, 183]")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    anchors: Annotated[list[Path] | None, typer.Option("--anchors", help="A further file of anchors, or copy.")] = None,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Drop whole months of the audit that are older than it must be kept, and sign for it in each chain.

    Verifies first, and drops nothing of an audit that is not as it was written. Runs as a user of its own: retention.
    """
    import time
    from datetime import UTC, datetime

    from lawful.infra.audit_chain import own
    from lawful.infra.audit_chain.keys import SigningKey
    from lawful.infra.audit_retention import Retention, due
    from lawful.infra.audit_verify import evidence
    from lawful.infra.clickhouse.client import connect

    settings = common.settings_of(config, user="retention")
    kept = days or settings.audit.retention_days
    if dry_run:
        client = connect(settings.clickhouse)
        try:
            found = due(client, kept, datetime.fromtimestamp(time.time(), UTC))
        finally:
            client.close()
    else:
        if not settings.audit.signing_key:
            raise ConfigurationError(
                "there is no signing key, so nobody could tell what was dropped from what was stolen",
                hint="set LAWFUL_AUDIT_SIGNING_KEY_FILE; docs/audit.md says how to make one",
            )
        work = Retention(
            settings.clickhouse,
            own.chain_keys(settings),
            SigningKey.parse(settings.audit.signing_key),
            own.publishers(settings),
        )
        found = work.apply(kept, evidence.anchors(settings, anchors or []))
    if json:
        put_json({"months": list(found.months), "rows": found.rows, "chains": len(found.ends), "dropped": not dry_run})
    elif not found.months:
        put(f"nothing is older than {counted(kept, 'day')} by a whole month")
    else:
        months = ", ".join(f"{month // 100}-{month % 100:02}" for month in found.months)
        verb = "would drop" if dry_run else "dropped"
        put(f"{verb} {months}: {counted(found.rows, 'row')} of {counted(len(found.ends), 'chain')}")
    return Exit.FINE
