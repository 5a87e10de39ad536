"""`lawful migrate`: bring the audit's database to the newest version."""

from lawful.cli import common
from lawful.cli.console import put, put_json


def migrate(config: common.Config = None, json: common.Json = False) -> int:
    """Create the audit's tables and views in ClickHouse, and apply what is new.

    Runs as a user that may create tables; running it again changes nothing.
    """
    from lawful.infra.clickhouse.migrate import migrate as apply

    settings = common.settings_of(config, user="owner")
    applied = apply(settings.clickhouse)
    if json:
        put_json({"database": settings.clickhouse.database, "applied": applied})
    else:
        put("\n".join(f"applied {name}" for name in applied) or "nothing to do: the database is up to date")
    return 0
