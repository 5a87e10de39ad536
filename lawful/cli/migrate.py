"""`lawful migrate`: bring the audit's database to the newest version."""

from typing import Annotated

import typer

from lawful.cli import common
from lawful.cli.console import put, put_json


def migrate(
    config: common.Config = None,
    show: Annotated[bool, typer.Option("--show", help="Print every statement, and run none.")] = False,
    json: common.Json = False,
) -> int:
    """Create the audit's tables and views in ClickHouse, and apply what is new.

    Runs as a user that may create tables; running it again changes nothing.
    """
    from lawful.infra.clickhouse.migrate import migrate as apply
    from lawful.infra.clickhouse.migrate import spoken

    settings = common.settings_of(config, user="owner")
    if show:
        said = spoken(settings.clickhouse)
        if json:
            put_json({"database": settings.clickhouse.database, "statements": said})
        else:
            put("\n\n".join(f"{statement};" for statement in said))
        return 0
    applied = apply(settings.clickhouse)
    if json:
        put_json({"database": settings.clickhouse.database, "applied": applied})
    else:
        put("\n".join(f"applied {name}" for name in applied) or "nothing to do: the database is up to date")
    return 0
