"""Reading for officers: any SELECT, nothing else, and only for so long."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from clickhouse_connect.driver.exceptions import ClickHouseError

from lawful.infra.clickhouse.client import Timeouts, connect, first_line, mapped
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import ConfigurationError, MustStop

HINT = "the views, with examples: docs/audit.md; one SELECT at a time"
# ClickHouse's codes for a SELECT that is wrong in itself: names, types, syntax, aggregation, size of the answer.
_WRONG_SQL = frozenset(
    {6, 10, 16, 27, 36, 38, 41, 42, 43, 44, 46, 47, 48, 50, 53, 60, 62, 69, 70, 72, 81, 115, 153, 179, 184, 190, 207}
    | {215, 264, 344, 352, 386, 396, 403, 456}
)
_DENIED = 497
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
            ConfigurationError: the query is empty or wrong.
            RetryLater: ClickHouse is away, or the query took too long.
            MustStop: the query would do more than read.
        """
        if not _COMMENT.sub("", sql).strip(" \n\t;"):
            raise ConfigurationError("the query is empty", hint=HINT)
        client = connect(self._settings, timeouts=self._timeouts, readonly=1, max_result_rows=self._max_rows)
        try:
            with mapped("asking"), _sql_faults():
                result = client.query(sql, parameters=dict(parameters or {}))
                return Answer(tuple(result.column_names), [tuple(row) for row in result.result_rows])
        finally:
            client.close()

    def about(self, pseudonyms: list[str], *, tenant_id: str = "", limit: int = 1_000) -> Answer:
        """What happened to the data of one person, under any of their pseudonyms, oldest first."""
        parameters = {"pseudonyms": pseudonyms, "tenant": tenant_id, "limit": limit}
        return self.ask(_ABOUT_A_SUBJECT, parameters)


@contextmanager
def _sql_faults() -> Iterator[None]:
    """Tells a wrong query from a server in trouble: the former is for whoever wrote it."""
    try:
        yield
    except ClickHouseError as error:
        if getattr(error, "code", None) == _DENIED:
            may = "officers read the views and nothing else (docs/audit.md lists them)"
            raise MustStop(f"ClickHouse, asking: ACCESS_DENIED: {may}: {first_line(error)}") from None
        if getattr(error, "code", None) not in _WRONG_SQL:
            raise
        raise ConfigurationError(f"the query is wrong: {first_line(error)}", hint=HINT) from None
