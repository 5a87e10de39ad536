"""Who may do what in the audit's database: users with the least that each needs.

An owner migrates. The writer can only INSERT, and read the few columns by which it knows where to
go on and which events are already there; it cannot read findings or verdicts, and cannot change or
remove a row. An officer can only SELECT, and only the views, which read the tables on behalf of the
owner; one tenant's officer sees that tenant's rows. A fourth user drops months whose time is over,
and is used for nothing else. Nobody but the owner can touch files of the host, since `file()` and
its like need a grant of their own.
"""

import re
from collections.abc import Iterable, Iterator

from lawful.infra.clickhouse.client import quoted
from lawful.infra.clickhouse.clustered import LOCAL

OWNER, WRITER, OFFICER, RETENTION = "owner", "writer", "officer", "retention"

SHARDS = "shards"
"""As whom servers of a cluster ask each other; nobody logs in as it."""

VIEWS = (
    *("verdicts", "per_subject", "per_purpose", "blocked", "per_policy_version", "consent_facts", "latest_consent"),
    *("requests", "erasure_ledger", "guard_reports", "totals", "unreadable", "chain", "retention_notes"),
    *("votes", "sentry_keys"),
)
"""What officers read. A test keeps this equal to the migrations."""

OF_NO_TENANT = frozenset({"unreadable", "retention_notes", "sentry_keys"})
"""Views that tell of the installation, not of a tenant's events."""

TABLES = ("audit", "dead_letters")
"""What the writer writes, and retention drops months of."""

# ON CLUSTER is a right of its own; a table over shards is to ClickHouse a remote source.
_CLUSTER_WIDE = {
    OWNER: ("CLUSTER, REMOTE ON *.*", "TABLE ENGINE ON ReplicatedMergeTree", "TABLE ENGINE ON Distributed"),
    RETENTION: ("CLUSTER ON *.*",),
}
_AUDIT_KEYS = "log_topic, log_partition, log_offset, tenant_id, event_id, kind, digest, chain_no, row_hash"
_LETTER_KEYS = "log_topic, log_partition, log_offset, topic, partition, offset"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def owner(database: str) -> tuple[str, ...]:
    """Privileges of the user that runs migrations, as what stands between GRANT and TO."""
    return (
        f"CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP VIEW ON {database}.*",
        f"ALTER ADD COLUMN, ALTER ADD INDEX, ALTER ADD PROJECTION, ALTER VIEW MODIFY SQL SECURITY ON {database}.*",
        f"SELECT, INSERT, SHOW ON {database}.*",
        # Newer servers ask for the right to use an engine, too.
        "TABLE ENGINE ON MergeTree",
    )


def writer(database: str) -> tuple[str, ...]:
    """Privileges of the audit writer."""
    return (
        f"INSERT ON {database}.audit",
        f"INSERT ON {database}.dead_letters",
        f"SELECT({_AUDIT_KEYS}) ON {database}.audit",
        f"SELECT({_LETTER_KEYS}) ON {database}.dead_letters",
        # Its own running inserts, to wait for those of an earlier run; ClickHouse shows nobody else's.
        "SELECT ON system.processes",
    )


def officer(database: str) -> tuple[str, ...]:
    """Privileges of a privacy officer."""
    return (*(f"SELECT ON {database}.{view}" for view in VIEWS), f"SHOW ON {database}.*")


def tenant_officer(database: str) -> tuple[str, ...]:
    """Privileges of an officer of one tenant; row policies say which rows."""
    return tuple(f"SELECT ON {database}.{view}" for view in VIEWS if view not in OF_NO_TENANT)


def retention(database: str) -> tuple[str, ...]:
    """Privileges of the user that `lawful audit retain` runs as: it can drop months."""
    return (
        f"SELECT, INSERT, ALTER DELETE ON {database}.audit",
        f"ALTER DELETE ON {database}.dead_letters",
        *(f"SELECT ON {database}.{view}" for view in ("chain", "unreadable", "retention_notes")),
        "SELECT ON system.processes",
    )


def shards(database: str) -> tuple[str, ...]:
    """Privileges of the user that the cluster's definition names: what a server may have another one do.

    The server that is asked has already looked at whoever asks, at the views' row policies, too. Were the
    officer's own name sent on instead, as with a `secret`, officers would need the tables behind the views.
    """
    return tuple(f"SELECT, INSERT ON {database}.{table}{LOCAL}" for table in TABLES)


def on_cluster(user: str, privileges: Iterable[str], database: str) -> Iterator[str]:
    """What a user needs on a cluster, where each table is two: the same rights on the servers' own tables, too."""
    for privilege in privileges:
        yield privilege
        if privilege.endswith(tuple(f" ON {database}.{table}" for table in TABLES)):
            yield f"{privilege}{LOCAL}"
    yield from _CLUSTER_WIDE.get(user, ())


def statements(database: str, *, cluster: bool = False) -> list[str]:
    """GRANT statements for a server on which the users `owner`, `writer`, `officer` and `retention` exist.

    Args:
        database: the audit's.
        cluster: for servers of a cluster; each of them needs them.
    """
    users = {OWNER: owner, WRITER: writer, OFFICER: officer, RETENTION: retention}
    return [
        f"GRANT {privilege} TO {user}"
        for user, rights in users.items()
        for privilege in (on_cluster(user, rights(database), database) if cluster else rights(database))
    ] + ([f"GRANT {privilege} TO {SHARDS}" for privilege in shards(database)] if cluster else [])


def users_sql(database: str, tenants: Iterable[str] = (), *, cluster: bool = False) -> Iterator[str]:
    """What an administrator runs on a server with SQL users: users, grants, row policies.

    Each tenant gets an officer who sees only its rows, in whichever view. Where a password belongs stands
    a parameter, so that ClickHouse refuses the text as it is: nobody gets a password that stands in a manual.
    """
    for user in (OWNER, WRITER, OFFICER, RETENTION, *((SHARDS,) if cluster else ())):
        yield _user(user, user)
    yield from statements(database, cluster=cluster)
    yield f"ALTER USER {OFFICER} SETTINGS readonly = 2, max_execution_time = 60"
    for number, tenant in enumerate(tenants):
        yield from _tenant_sql(database, tenant, number)


def _user(user: str, name: str) -> str:
    return f"CREATE USER IF NOT EXISTS {user} IDENTIFIED WITH sha256_password BY {{{name}_password:String}}"


def _tenant_sql(database: str, tenant: str, number: int) -> Iterator[str]:
    name = f"{OFFICER}_{tenant if _NAME.fullmatch(tenant) else number}"
    user = quoted(name)
    yield f"{_user(user, name)} SETTINGS readonly = 2, max_execution_time = 60"
    for privilege in tenant_officer(database):
        yield f"GRANT {privilege} TO {user}"
    text = tenant.replace("\\", "\\\\").replace("'", "\\'")
    for view in VIEWS:
        if view not in OF_NO_TENANT:
            yield (
                f"CREATE ROW POLICY IF NOT EXISTS {user} ON {database}.{view} FOR SELECT "
                f"USING tenant_id = '{text}' TO {user}"
            )
