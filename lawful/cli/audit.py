"""`lawful audit`: ask the audit trail, in SQL or about one person."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import out, put_json, table

if TYPE_CHECKING:
    from lawful.infra.clickhouse.query import Answer

app = typer.Typer(help="Ask the audit trail who saw what, why, and on which legal basis.", no_args_is_help=True)


@app.command("sql")
def sql(
    query: Annotated[str, typer.Argument(help="One SELECT. Tables and views: see docs/audit.md.")],
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Run one SELECT on the audit trail and print its answer."""
    from lawful.infra.clickhouse.query import Officer

    answer = Officer(common.settings_of(config).clickhouse).ask(query)
    _show("", answer, json)
    return 0


@app.command("subject")
def subject(
    identifiers: Annotated[
        list[str], typer.Argument(help="scheme=value, for example email=ada@example.com; several for one person.")
    ],
    tenant: common.Tenant = common.DEFAULT_TENANT,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most this many events.")] = 1000,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Show what happened to the data of one person, oldest first.

    The pseudonym is computed here, under this installation's key; what you type is not stored.
    """
    from lawful.infra.clickhouse.query import Officer
    from lawful.schemas.event import Identifier

    settings = common.settings_of(config)
    pseudonymiser = settings.pseudonymiser()
    given = [Identifier(*common.identifier_of(text)) for text in identifiers]
    pseudonyms = [pseudonymiser.of(tenant, each) for each in given]
    answer = Officer(settings.clickhouse).about(pseudonyms, tenant_id=tenant, limit=limit)
    if json:
        put_json({"pseudonyms": pseudonyms, "events": _records(answer)})
        return 0
    out.print("pseudonym: " + ", ".join(f"{each[:16]}…" for each in pseudonyms))
    _show(f"{len(answer.rows)} events", answer, as_json=False)
    return 0


def _records(answer: "Answer") -> list[dict[str, Any]]:
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def _show(title: str, answer: "Answer", as_json: bool) -> None:
    if as_json:
        put_json({"columns": list(answer.columns), "rows": _records(answer)})
    else:
        out.print(table(title, answer.columns, [[_cell(value) for value in row] for row in answer.rows]))


def _cell(value: object) -> object:
    """Lists as words, times without a zone: the trail is in UTC."""
    if isinstance(value, list | tuple):
        return ", ".join(str(each) for each in value)
    return value if isinstance(value, int | float | str) or value is None else str(value).removesuffix("+00:00")
