"""What `lawful doctor` looks at in ClickHouse: migrations, and whether each user may do what it must and no more."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from clickhouse_connect.driver.client import Client

from lawful.infra.clickhouse.client import connect, mapped
from lawful.infra.clickhouse.grants import OFFICER, OWNER, RETENTION, WRITER
from lawful.infra.clickhouse.migrate import packaged, pending
from lawful.infra.findings import Finding, State
from lawful.infra.settings import ClickHouseSettings
from lawful.schemas.errors import MustStop

_GRANT: Final = re.compile(r"GRANT (?P<what>.+?) ON (?P<where>\S+) TO ")
_ROW_CHANGES: Final = frozenset(
    {"ALL", "ALTER", "ALTER TABLE", "ALTER UPDATE", "ALTER DELETE", "TRUNCATE", "DROP", "DROP TABLE"}
)
_BEYOND: Final = frozenset({"ALL", "FILE", "URL", "S3", "REMOTE", "SOURCES", "ACCESS MANAGEMENT", "SYSTEM"})
_TOO_MUCH: Final = {
    WRITER: _ROW_CHANGES | _BEYOND | {"CREATE", "CREATE TABLE", "CREATE DATABASE"},
    OFFICER: _ROW_CHANGES | _BEYOND | {"INSERT", "CREATE", "CREATE TABLE", "CREATE DATABASE"},
}
_TOO_MUCH[RETENTION] = _TOO_MUCH[OFFICER] - {"INSERT", "ALTER DELETE"}
MANY_LINKS: Final = 32
"""So many links of one person are borne without a note."""

# Whom links named, as they were then: who became an alias later is counted under both names.
_LINKED: Final = """
SELECT count(), max(links) FROM
(
    SELECT tenant_id, arrayJoin(subjects) AS person, count() AS links
    FROM verdicts WHERE outcome = 'linked' GROUP BY tenant_id, person HAVING links > {many:UInt32}
)
"""
_NEEDED: Final = {WRITER: "INSERT", OFFICER: "SELECT", RETENTION: "ALTER DELETE"}


def migrations(settings: ClickHouseSettings) -> Finding:
    """Whether the database is as new as this version.

    Raises:
        LawfulError: it cannot be asked.
    """
    where = f"{settings.host}:{settings.port}, database {settings.database}"
    client = connect(settings)
    try:
        missing = pending(client, packaged())
    except MustStop as error:
        if "ACCESS_DENIED" not in str(error):
            raise
        words = f"{where}: {settings.user} may not see which migrations are applied"
        return Finding("ClickHouse", State.NOTE, words, "run `lawful doctor` as the owner")
    finally:
        client.close()
    if missing:
        names = ", ".join(migration.name for migration in missing)
        return Finding("ClickHouse", State.WRONG, f"{where}: not applied: {names}", "lawful migrate")
    return Finding("ClickHouse", State.FINE, f"{where}: all migrations applied")


def rights(settings: ClickHouseSettings) -> Finding:
    """Whether this user may do what its name says, and nothing that could change the audit.

    Raises:
        LawfulError: it cannot be asked.
    """
    what = f"rights of {settings.user}"
    client = connect(settings)
    try:
        held = granted(client)
    finally:
        client.close()
    if settings.user not in _NEEDED:
        shown = "may do all" if "ALL" in held else f"{len(held)} privileges"
        hint = "" if settings.user == OWNER else "workers need no user here; name users owner, writer and officer"
        return Finding(what, State.FINE if settings.user == OWNER else State.NOTE, shown, hint)
    excess = sorted(held & _TOO_MUCH[settings.user])
    if excess:
        hint = "take them away: infra/deploy/clickhouse/users.xml has the least it needs"
        return Finding(what, State.WRONG, f"may also {', '.join(excess)}", hint)
    if _NEEDED[settings.user] not in held:
        return Finding(
            what, State.WRONG, f"may not {_NEEDED[settings.user]}", "give it: infra/deploy/clickhouse/users.xml"
        )
    return Finding(what, State.FINE, "what it needs, and no more")


def linked(settings: ClickHouseSettings) -> Finding:
    """Whether many identifiers were linked to one person, whose events are slow for it.

    Raises:
        LawfulError: it cannot be asked.
    """
    client = connect(settings)
    try:
        with mapped("counting linked identifiers"):
            ((people, most),) = client.query(_LINKED, parameters={"many": MANY_LINKS}).result_rows
    finally:
        client.close()
    if not people:
        return Finding("linked identifiers", State.FINE, f"nobody was linked more than {MANY_LINKS} times")
    words = f"pseudonyms that were linked more than {MANY_LINKS} times: {people}; one of them {most} times"
    hint = "events about such a person are slow, and hold up others: docs/scaling.md; is it one person at all?"
    return Finding("linked identifiers", State.NOTE, words, hint)


def granted(client: Client) -> frozenset[str]:
    """The privileges of the user that is logged in, without columns."""
    with mapped("reading this user's rights"):
        rows: Sequence[Sequence[str]] = client.query("SHOW GRANTS").result_rows
    return frozenset(privilege for row in rows for privilege in _privileges(str(row[0])))


def _privileges(statement: str) -> Iterator[str]:
    match = _GRANT.match(statement)
    if match:
        yield from (each.strip().upper() for each in re.sub(r"\([^)]*\)", "", match["what"]).split(","))
