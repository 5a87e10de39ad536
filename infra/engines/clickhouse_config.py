"""The embedded ClickHouse's configuration files, written anew at each start.

Users can only come from `users.xml` here: the engine inside the wheel has no writable access
storage, so `CREATE USER` and `GRANT` to a user fail, and what each user may do is fixed at start.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from lawful.infra.clickhouse import grants as privileges
from lawful.infra.clickhouse.grants import OFFICER, OWNER, RETENTION, WRITER

__all__ = ["GRANTS", "OFFICER", "OWNER", "RETENTION", "WRITER", "Accounts", "config_xml", "least_grants", "users_xml"]

# In any database: the writer may add rows and find its position, not change or remove any. The officer may read.
GRANTS: Mapping[str, Sequence[str]] = {
    WRITER: ("INSERT ON *.*", "SELECT ON *.*"),
    OFFICER: ("SELECT ON *.*", "SHOW ON *.*"),
}


def least_grants(database: str) -> Mapping[str, Sequence[str]]:
    """What writer, officer and the user for retention need for one audit database, and no more."""
    return {
        WRITER: privileges.writer(database),
        OFFICER: privileges.officer(database),
        RETENTION: privileges.retention(database),
    }


# The engine's own session needs a user `default` without password from loopback: it may do no more than this.
LOOPBACK = ("127.0.0.1",)
ENGINE_NETWORK = ("::1",)  # where the engine's own session comes from; the listener is bound to IPv4 only
ENGINE_GRANTS = ("SYSTEM LISTEN ON *.*", "SELECT ON system.numbers")


@dataclass(frozen=True, slots=True)
class Accounts:
    """Names and passwords of the users; passwords stay out of the repr."""

    passwords: Mapping[str, str] = field(repr=False)

    @classmethod
    def generate(cls) -> "Accounts":
        """New passwords."""
        return cls({name: secrets.token_urlsafe(18) for name in (OWNER, WRITER, OFFICER, RETENTION)})


def _element(name: str, content: str) -> str:
    return f"<{name}>{content}</{name}>"


def _user(name: str, password: str, networks: Sequence[str], grants: Sequence[str] | None) -> str:
    """One user; without grants, the one that may do all."""
    key = "<no_password/>"
    if password:
        key = _element("password_sha256_hex", hashlib.sha256(password.encode()).hexdigest())
    where = _element("networks", "".join(_element("ip", network) for network in networks))
    rights = "<access_management>1</access_management>"
    if grants is not None:
        rights = _element("grants", "".join(_element("query", escape(f"GRANT {grant}")) for grant in grants))
    profile = OFFICER if name == OFFICER else "default"
    return _element(name, f"{key}{where}<profile>{profile}</profile><quota>default</quota>{rights}")


def users_xml(accounts: Accounts, grants: Mapping[str, Sequence[str]], networks: Sequence[str] = LOOPBACK) -> str:
    """The users file: the owner may do all unless `grants` says less, the others what it says; no grants, no user."""
    users = [_user("default", "", ENGINE_NETWORK, ENGINE_GRANTS)]
    known = [name for name in accounts.passwords if name == OWNER or name in grants]
    users += [_user(name, accounts.passwords[name], networks, grants.get(name)) for name in known]
    # readonly=2: reads only, yet a client may set e.g. its output format's settings
    officer = _element(OFFICER, "<readonly>2</readonly><max_execution_time>60</max_execution_time>")
    profiles = _element("profiles", f"<default/>{officer}")
    return _element("clickhouse", f"{profiles}<quotas><default/></quotas>{_element('users', ''.join(users))}")


def config_xml(folder: Path, http_port: int, tcp_port: int | None) -> str:
    """The server's file: loopback only, every path inside `folder`."""
    ports = f"<http_port>{http_port}</http_port>" + (f"<tcp_port>{tcp_port}</tcp_port>" if tcp_port else "")
    paths = "".join(
        _element(name, escape(f"{folder / place}/"))
        for name, place in (("tmp_path", "tmp"), ("user_files_path", "user_files"), ("format_schema_path", "schemas"))
    )
    users = _element("users_xml", _element("path", escape(str(folder / "users.xml"))))
    directories = _element("user_directories", users)
    return _element("clickhouse", f"{ports}<listen_host>127.0.0.1</listen_host>{paths}{directories}")
