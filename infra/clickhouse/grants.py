"""Who may do what in the audit's database: three users, each with the least it needs.

An owner migrates. The writer can only INSERT, and read the few columns by which it knows where to
go on and which events are already there; it cannot read findings or verdicts, and cannot change or
remove a row. An officer can only SELECT. Nobody but the owner can touch files of the host, since
`file()` and its like need a grant of their own.
"""

OWNER, WRITER, OFFICER = "owner", "writer", "officer"

_AUDIT_KEYS = "log_topic, log_partition, log_offset, tenant_id, event_id, kind, digest"
_LETTER_KEYS = "log_topic, log_partition, log_offset, topic, partition, offset"


def owner(database: str) -> tuple[str, ...]:
    """Privileges of the user that runs migrations, as what stands between GRANT and TO."""
    return (
        f"CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP VIEW ON {database}.*",
        f"ALTER ADD COLUMN, ALTER ADD INDEX, ALTER ADD PROJECTION ON {database}.*",
        f"SELECT, INSERT, SHOW ON {database}.*",
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
    return (f"SELECT, SHOW ON {database}.*",)


def statements(database: str) -> list[str]:
    """GRANT statements for a server on which users `owner`, `writer` and `officer` exist."""
    users = {OWNER: owner(database), WRITER: writer(database), OFFICER: officer(database)}
    return [f"GRANT {privilege} TO {user}" for user, privileges in users.items() for privilege in privileges]
