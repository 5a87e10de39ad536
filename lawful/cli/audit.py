"""`lawful audit`: ask the audit trail, in SQL or about one person."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from lawful.cli import common
from lawful.cli.console import counted, out, put, put_json, put_rows, say, table

if TYPE_CHECKING:
    from lawful.infra.clickhouse.query import Answer
    from lawful.infra.settings import Settings

app = typer.Typer(help="Ask the audit trail who saw what, why, and on which legal basis.", no_args_is_help=True)


# SQL may begin with a comment, "-- ...", which is no option.
@app.command("sql", context_settings={"ignore_unknown_options": True})
def sql(
    query: Annotated[str, typer.Argument(help="One SELECT. Views: see docs/audit.md.")],
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Run one SELECT on the audit trail and print its answer."""
    from lawful.infra.clickhouse.query import Officer

    answer = Officer(common.settings_of(config).clickhouse).ask(query.strip().rstrip(";"))
    _show(answer, json)
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

    settings = common.settings_with_key(config)
    pseudonymiser = settings.pseudonymiser()
    given = [Identifier(*common.identifier_of(text)) for text in identifiers]
    pseudonyms = [pseudonymiser.of(tenant, each) for each in given]
    answer = Officer(settings.clickhouse).about(pseudonyms, tenant_id=tenant, limit=limit)
    events = _records(answer)
    if not events:
        _doubt([each.scheme for each in given], tenant, settings)
    if json:
        put_json({"pseudonyms": pseudonyms, "events": events})
        return 0
    out.print("pseudonym: " + ", ".join(pseudonyms), soft_wrap=True)
    out.print(
        table(
            counted(len(events), "event"),
            tuple(_PERSON),
            [[show(each) for show in _PERSON.values()] for each in events],
        )
    )
    return 0


def _doubt(schemes: list[str], tenant: str, settings: "Settings") -> None:
    """Says what else than "nothing happened" an empty history may mean."""
    from lawful.extractors.identifiers import scheme_categories
    from lawful.infra.compose_root import policies
    from lawful.policies.problems import did_you_mean
    from lawful.schemas import normalising

    known = set(scheme_categories()[0])
    for policy in policies(settings).policies.values():
        known |= {each.scheme for each in policy.extraction.identifiers if each.scheme}
        known |= {each.scheme for each in policy.extraction.hints if each.scheme}
    names = {normalising.scheme(each) for each in known}
    for scheme in schemes:
        if normalising.scheme(scheme) not in names:
            near = did_you_mean(scheme.lower(), known)
            say(f"[yellow]note[/]: no policy here knows the scheme {escape(repr(scheme))}{'; ' if near else ''}{near}")
    say(f"no event of tenant {escape(repr(tenant))} concerns this pseudonym; --tenant asks about another tenant")


def why(event: dict[str, Any]) -> object:
    """Why an event of somebody's was decided so. It has one verdict; what broke a rule may be somebody else's data."""
    of_others = "" if event["decision"] == "forward" else "on account of somebody else whom the event concerns"
    return _cell(event["reasons"]) or event["outcome"] or of_others


# What a person's history shows: a column's title, and how an event fills it.
_PERSON: dict[str, Callable[[dict[str, Any]], object]] = {
    "when (UTC)": lambda event: _cell(event["recorded_at"]),
    "what": lambda event: f"{event['payload_kind']} {event['tool']}".strip(),
    "agent": lambda event: event["agent_id"],
    "purposes": lambda event: _cell(event["purposes"]),
    "categories": lambda event: _cell(event["categories"]),
    "decision": lambda event: event["decision"],
    "why": why,
}


def _records(answer: "Answer") -> list[dict[str, Any]]:
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def _show(answer: "Answer", as_json: bool) -> None:
    rows = [[_cell(value) for value in row] for row in answer.rows]
    if as_json:
        put_json({"columns": list(answer.columns), "rows": _records(answer)})
    elif not rows:
        put("0 rows")
    else:
        put_rows("", answer.columns, rows)


def _cell(value: object) -> object:
    """Lists as words, times without a zone: the trail is in UTC."""
    if isinstance(value, list | tuple):
        return ", ".join(str(each) for each in value)
    return value if isinstance(value, int | float | str) or value is None else str(value).removesuffix("+00:00")
