"""Reading for officers: any SELECT, nothing else, and only for so long."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from clickhouse_connect.driver.exceptions import ClickHouseError

from lawful.infra.clickhouse.client import Timeouts, connect, first_line, mapped
from lawful.infra.clickhouse.grants import VIEWS
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import ConfigurationError

HINT = "the views, with examples: docs/audit.md; one SELECT at a time"
WHICH = f"the views are {', '.join(VIEWS)}; docs/audit.md has examples"
# ClickHouse's codes for a SELECT that is wrong in itself: names, types, syntax, aggregation, size of the answer.
_WRONG_SQL = frozenset(
    {6, 10, 16, 27, 36, 38, 41, 42, 43, 44, 46, 47, 48, 50, 53, 60, 62, 69, 70, 72, 81, 115, 153, 179, 184, 190, 207}
    | {215, 264, 344, 352, 386, 396, 403, 456}
)
# READONLY, ACCESS_DENIED: it may be right, but not for officers.
_DENIED = frozenset({164, 497})
_NO_SUCH_TABLE = 60
_POSITION = re.compile(r"failed at position (\d+)")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)

_ABOUT_A_SUBJECT = """
SELECT recorded_at, event_id, payload_kind, role, agent_id, tool, purposes, categories, decision, reasons, articles,
    outcome, policy_id, policy_version
FROM per_subject
WHERE subject IN {pseudonyms:Array(String)} AND ({tenant:String} = '' OR tenant_id = {tenant:String})
ORDER BY recorded_at, event_id
LIMIT {limit:UInt64}
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """Column names, and rows in their order."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Officer:
    """Runs queries that read.

    Args:
        settings: where, and as whom; `readonly` holds even if that user could do more.
        seconds: a query that takes longer is stopped.
        max_rows: a result larger than this is an error, not a cut.
    """

    def __init__(self, settings: ClickHouseSettings, *, seconds: float = 30, max_rows: int = 1_000_000) -> None:
        self._settings = settings
        self._timeouts = Timeouts(request=seconds + 10, query=seconds)
        self._max_rows = max_rows

    def ask(self, sql: str, parameters: Mapping[str, Any] | None = None) -> Answer:
        """The answer to one SELECT in the audit's database.

        Raises:
            ConfigurationError: the query is empty or wrong, would do more than read, or reads more than officers may.
            RetryLater: ClickHouse is away, or the query took too long.
            MustStop: the login is refused, or may not be kept from writing.
        """
        if not _COMMENT.sub("", sql).strip(" \n\t;"):
            raise ConfigurationError("the query is empty", hint=HINT)
        client = connect(self._settings, timeouts=self._timeouts, readonly=1, max_result_rows=self._max_rows)
        try:
            with mapped("asking"), _sql_faults(sql):
                result = client.query(sql, parameters=dict(parameters or {}))
                return Answer(tuple(result.column_names), [tuple(row) for row in result.result_rows])
        finally:
            client.close()

    def about(self, pseudonyms: list[str], *, tenant_id: str = "", limit: int = 1_000) -> Answer:
        """What happened to the data of one person, under any of their pseudonyms, oldest first."""
        parameters = {"pseudonyms": pseudonyms, "tenant": tenant_id, "limit": limit}
        return self.ask(_ABOUT_A_SUBJECT, parameters)


@contextmanager
def _sql_faults(sql: str) -> Iterator[None]:
    """Tells a wrong query from a server in trouble: the former is for whoever wrote it."""
    try:
        yield
    except ClickHouseError as error:
        code = getattr(error, "code", None)
        if code in _DENIED:
            message = f"officers read the views and nothing else: {first_line(error)}"
            raise ConfigurationError(message, hint=WHICH) from None
        if code not in _WRONG_SQL:
            raise
        hint = WHICH if code == _NO_SUCH_TABLE else HINT
        raise ConfigurationError(f"the query is wrong: {_within(sql, first_line(error))}", hint=hint) from None


def _within(sql: str, said: str) -> str:
    """What the server says, without a place behind the query, where the driver has added words of its own."""
    place = _POSITION.search(said)
    if place is None or int(place[1]) <= len(sql.rstrip()):
        return said
    return "Syntax error behind its last word: it is not complete, or no SELECT"
