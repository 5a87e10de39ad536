"""`lawful audit users`: the SQL that makes the audit's users on a server."""

from typing import Annotated

import typer

from lawful.cli import common
from lawful.cli.console import put, put_json

FILL_IN = """\
-- Passwords are missing, and ClickHouse refuses this text without them: replace each {..._password:String}
-- by a password of its own in single quotes, or set query parameters of these names where the text is run.
"""


def users(
    tenants: Annotated[
        list[str] | None, typer.Option("--tenant", help="Also an officer who sees only this tenant's rows; repeatable.")
    ] = None,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Print SQL for an administrator: users with the least each needs, and row policies per tenant.

    With LAWFUL_CLICKHOUSE_CLUSTER set, what every server of the cluster needs.
    """
    from lawful.infra.clickhouse.grants import users_sql

    clickhouse = common.settings_of(config).clickhouse
    statements = list(users_sql(clickhouse.database, tenants or (), cluster=bool(clickhouse.cluster)))
    if json:
        put_json({"statements": statements})
    else:
        put((FILL_IN + "\n".join(f"{statement};" for statement in statements)).replace("[", r"\["))
    return 0
