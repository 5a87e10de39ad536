"""Connections to ClickHouse, and its errors as this product's errors.

What may pass by itself (no connection, overload, a time-out) is `RetryLater`; what only a person
can mend (a missing table, a refused login) is `MustStop`. No message quotes a row.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, Final

import clickhouse_connect
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import ClickHouseError, DataError, ProgrammingError
from urllib3.exceptions import HTTPError

from lawful.infra.hosts import is_loopback
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import ConfigurationError, MustStop, RetryLater

_MENDED_BY_A_PERSON = {
    16: "NO_SUCH_COLUMN_IN_TABLE",
    36: "BAD_ARGUMENTS",
    44: "ILLEGAL_COLUMN",
    46: "UNKNOWN_FUNCTION",
    47: "UNKNOWN_IDENTIFIER",
    53: "TYPE_MISMATCH",
    60: "UNKNOWN_TABLE",
    62: "SYNTAX_ERROR",
    81: "UNKNOWN_DATABASE",
    115: "UNKNOWN_SETTING",
    164: "READONLY",
    192: "UNKNOWN_USER",
    193: "WRONG_PASSWORD",
    497: "ACCESS_DENIED",
    516: "AUTHENTICATION_FAILED",
}
# What the server and the driver add behind the words.
_SERVER = re.compile(r"\s*\((?:version|for url) [^()]*(?:\([^()]*\)[^()]*)*\)")

# All columns of a table, where one was meant; and what a line's end leaves of a quotation.
_LIST = re.compile(r"\([^()]{80,}\)")
_CUT_OFF = re.compile(r"\s*\([^()]*$")
LONGEST = 300
"""So many characters of what a server says are told."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds. The server gives up before the client does."""

    connect: float = 5
    request: float = 30
    query: float = 20


PATIENT = Timeouts()

SESSION: Final = {
    # A row is there when most replicas have it, and a read sees every such row, whichever replica answers:
    # the position that the audit writer reads must not be an older one.
    "insert_quorum": "auto",
    "insert_quorum_parallel": 0,
    "select_sequential_consistency": 1,
    # An insert through the table of all shards returns when the shards have it, or fails.
    "distributed_foreground_insert": 1,
}
"""Settings of every session with a cluster."""


@contextmanager
def mapped(what: str) -> Iterator[None]:
    """Turns the driver's errors into ours; `what` says what was being done.

    Raises:
        RetryLater: the same may succeed later.
        MustStop: it will not, until somebody mends it.
    """
    try:
        yield
    except (DataError, ProgrammingError) as error:
        raise MustStop(f"ClickHouse, {what}: {type(error).__name__}: {first_line(error)}") from None
    except ClickHouseError as error:
        code = getattr(error, "code", None)
        if code in _MENDED_BY_A_PERSON:
            raise MustStop(f"ClickHouse, {what}: {_MENDED_BY_A_PERSON[code]}: {first_line(error)}") from None
        raise RetryLater(f"ClickHouse, {what}: {first_line(error)}") from None
    except (OSError, HTTPError) as error:
        raise RetryLater(f"ClickHouse, {what}: {type(error).__name__}") from None


def connect(
    settings: ClickHouseSettings,
    *,
    database: str | None = None,
    timeouts: Timeouts = PATIENT,
    **server_settings: Any,
) -> Client:
    """A client on the audit's database.

    Args:
        settings: where and as whom.
        database: another database than the settings'; `""` for the user's default one.
        timeouts: how long to wait.
        server_settings: ClickHouse settings of every query.

    Raises:
        ConfigurationError: a certificate cannot be read.
        RetryLater: nobody answers there.
        MustStop: the login is refused, or the database is missing.
    """
    certificates = _certificates(settings)
    with mapped(f"connecting to {settings.host}:{settings.port}"):
        client = clickhouse_connect.get_client(
            host=settings.host,
            port=settings.port,
            username=settings.user,
            password=settings.password,
            database=settings.database if database is None else database or "default",
            interface="https" if settings.secure else "http",
            connect_timeout=timeouts.connect,
            send_receive_timeout=timeouts.request,
            # A session would make the server refuse a second query while a first, cut off, still runs.
            autogenerate_session_id=False,
            query_limit=0,
            # Within one machine, compressing takes longer than sending.
            compress=not is_loopback(settings.host),
            **certificates,
        )
        spread = SESSION if settings.cluster else {}
        for name, value in {"max_execution_time": timeouts.query, **spread, **server_settings}.items():
            _set(client, name, value)
        return client


def _certificates(settings: ClickHouseSettings) -> dict[str, Any]:
    """What the driver is told of certificates; with a password as well, the password is the login."""
    found = {
        "ca_cert": settings.ssl_ca_location,
        "client_cert": settings.ssl_certificate_location,
        "client_cert_key": settings.ssl_key_location,
    }
    names = ("ssl_ca_location", "ssl_certificate_location", "ssl_key_location")
    for name, path in zip(names, found.values(), strict=True):
        if path and not os.access(path, os.R_OK):
            raise ConfigurationError(f"clickhouse.{name}: cannot read {path}", hint="check its name and its owner")
    if settings.ssl_certificate_location:
        found["tls_mode"] = "strict" if settings.password else "mutual"
    return {name: value for name, value in found.items() if value}


def _set(client: Client, name: str, value: Any) -> None:
    """Sets what the user may set; for a user who may not, the profile on the server speaks."""
    known = client.server_settings.get(name)
    if known is None or not known.readonly:
        client.set_client_setting(name, value)
    elif name == "readonly" and str(known.value) == "0":
        raise MustStop("ClickHouse, connecting: this user may write, and may not be kept from it")


def quoted(name: str) -> str:
    """An identifier, safe to put into SQL."""
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def first_line(error: Exception) -> str:
    """What ClickHouse says, in one line, without its version, long lists and the address that was asked."""
    text = str(error).split("\n", 1)[0]
    if "Max retries exceeded" in text:  # the driver's own words go on for lines, with the query's URL
        return "nobody answers there"
    said = _SERVER.sub("", text.split("DB::Exception:", 1)[-1])
    return shorten(_CUT_OFF.sub("", _LIST.sub("(…)", said)), LONGEST, placeholder=" …")
