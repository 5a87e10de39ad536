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

OWNER, WRITER, OFFICER = "owner", "writer", "officer"

# The writer may add rows and find its position; it may not change or remove any. The officer may read.
GRANTS: Mapping[str, Sequence[str]] = {
    WRITER: ("INSERT ON *.*", "SELECT ON *.*"),
    OFFICER: ("SELECT ON *.*", "SHOW ON *.*"),
}
# The engine's own session needs a user `default` without password from loopback: it may do no more than this.
ENGINE_GRANTS = ("SYSTEM LISTEN ON *.*", "SELECT ON system.numbers")


@dataclass(frozen=True, slots=True)
class Accounts:
    """Names and passwords of the three users; passwords stay out of the repr."""

    passwords: Mapping[str, str] = field(repr=False)

    @classmethod
    def generate(cls) -> "Accounts":
        """New passwords."""
        return cls({name: secrets.token_urlsafe(18) for name in (OWNER, WRITER, OFFICER)})


def _element(name: str, content: str) -> str:
    return f"<{name}>{content}</{name}>"


def _user(name: str, password: str | None, grants: Sequence[str] | None) -> str:
    secret = hashlib.sha256(password.encode()).hexdigest() if password else ""
    key = _element("password_sha256_hex", secret) if password else "<no_password/>"
    # The engine's own session comes from ::1; the listener is bound to IPv4 loopback only.
    networks = _element("networks", _element("ip", "127.0.0.1" if password else "::1"))
    rights = "<access_management>1</access_management>"
    if grants is not None:
        rights = _element("grants", "".join(_element("query", escape(f"GRANT {grant}")) for grant in grants))
    profile = "officer" if name == OFFICER else "default"
    return _element(name, f"{key}{networks}<profile>{profile}</profile><quota>default</quota>{rights}")


def users_xml(accounts: Accounts, grants: Mapping[str, Sequence[str]] = GRANTS) -> str:
    """The users file: the owner may do all, the others what `grants` says."""
    users = [_user("default", None, ENGINE_GRANTS)]
    users += [_user(name, password, grants.get(name)) for name, password in accounts.passwords.items()]
    # readonly=2: reads only, yet a client may set e.g. its output format's settings
    officer = "<officer><readonly>2</readonly><max_execution_time>60</max_execution_time></officer>"
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
