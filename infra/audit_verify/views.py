"""Whether the views that officers read are those that the migrations made.

The chains prove what the table holds, as the view `chain` shows it. Who owns the database cannot
change a row unnoticed, but could replace a view: by one that leaves rows out, that reads another
table, or that gives columns other values. So each view's query and columns are held against the
migrations'; a view that is gone deceives nobody. ClickHouse itself brings both queries into the
same form, so that any version can.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from clickhouse_connect.driver.client import Client

from lawful.infra.audit_verify.report import Fault, Kind
from lawful.infra.clickhouse.client import mapped, quoted
from lawful.infra.clickhouse.clustered import VIEW
from lawful.infra.clickhouse.migrate import packaged
from lawful.infra.clickhouse.sql import split

REPLACED: Final = "was replaced: its query is not that of the migrations; what it shows proves nothing"
RETYPED: Final = "was replaced: its columns are not those that its query gives; what it shows proves nothing"
NO_VIEW: Final = "was replaced by a table; what it shows proves nothing"

_CHAIN: Final = "chain"
_TABLE: Final = "audit"
_FROM: Final = re.compile(r"\bFROM\s+(\w+)")

_Columns = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Views:
    """What a comparison found.

    Attributes:
        compared: views whose definition was read.
        unseen: views that are not there, or whose definition the user may not read.
    """

    compared: tuple[str, ...]
    unseen: tuple[str, ...]
    faults: tuple[Fault, ...]


@cache
def wanted() -> dict[str, str]:
    """The query of each view, as the last migration that speaks of it has it."""
    found = (VIEW.fullmatch(statement.text) for each in packaged() for statement in split(each.text))
    return {match["name"]: match["query"].strip() for match in found if match}


def compare(client: Client) -> Views:
    """Holds the views of the database that a client is on against the migrations.

    Raises:
        RetryLater: ClickHouse is away.
        MustStop: ClickHouse refuses to be asked.
    """
    with mapped("comparing views"):
        there = _there(client)
        wrong = dict(_wrong(client, there))
    seen = {view for view, (_, query) in there.items() if query or view in wrong}
    faults = tuple(_fault(view, why) for view, why in sorted(wrong.items()))
    return Views(tuple(sorted(seen)), tuple(sorted(set(wanted()) - seen)), faults)


def _there(client: Client) -> dict[str, tuple[str, str]]:
    """Engine and query of what has a view's name, as far as the user may see it."""
    found = client.query(
        "SELECT name, engine, as_select FROM system.tables "
        "WHERE database = currentDatabase() AND name IN {names:Array(String)}",
        parameters={"names": list(wanted())},
    ).result_rows
    return {str(name): (str(engine), _plain(query)) for name, engine, query in found}


def _wrong(client: Client, there: dict[str, tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The views that are not as they were made, and why."""
    queries = dict(zip(wanted(), _formatted(client), strict=True))
    known = _columns(client)
    # Any view's columns follow from those of `chain`, which are the table's.
    chain = known.get(_CHAIN)
    sound = there.get(_CHAIN) == ("View", queries[_CHAIN]) and known.get(_TABLE, chain) == chain
    for view, (engine, query) in there.items():
        if engine != "View":
            yield view, NO_VIEW
        elif query and query != queries[view]:
            yield view, REPLACED
        elif query and (not sound if view == _CHAIN else sound and _retyped(client, view, known.get(view, ()))):
            yield view, RETYPED


def _formatted(client: Client) -> list[str]:
    """The wanted queries as ClickHouse writes them down."""
    (database,) = client.query("SELECT currentDatabase()").result_rows[0]
    texts = [_FROM.sub(lambda match: f"FROM {quoted(str(database))}.{match[1]}", query) for query in wanted().values()]
    (found,) = client.query(
        "SELECT arrayMap(text -> formatQuerySingleLine(text), {texts:Array(String)})", parameters={"texts": texts}
    ).result_rows[0]
    return [_plain(text) for text in found]


def _columns(client: Client) -> dict[str, _Columns]:
    """Names and types of columns, in their order, of the views and of the table behind them."""
    found = client.query(
        "SELECT table, groupArray((name, type)) FROM (SELECT table, name, type FROM system.columns WHERE database = "
        "currentDatabase() AND table IN {names:Array(String)} ORDER BY table, position) GROUP BY table",
        parameters={"names": [_TABLE, *wanted()]},
    ).result_rows
    return {str(table): [(str(name), str(kind)) for name, kind in columns] for table, columns in found}


def _retyped(client: Client, view: str, columns: _Columns) -> bool:
    """Whether a view gives its query's columns other types or names: a word of an Enum can stand for another."""
    sources = {match[1] for match in _FROM.finditer(wanted()[view])}
    if not sources <= {_TABLE, *wanted()}:
        return False
    query = _FROM.sub(lambda match: f"FROM {_CHAIN if match[1] == _TABLE else match[1]}", wanted()[view])
    described = client.query(f"DESCRIBE TABLE ({query})").result_rows
    return list(columns) != [(str(name), str(kind)) for name, kind, *_ in described]


def _plain(text: object) -> str:
    return " ".join(str(text).split())


def _fault(view: str, why: str) -> Fault:
    return Fault(kind=Kind.VIEW, topic="", partition=-1, number=0, offset=-1, view=view, message=why)
