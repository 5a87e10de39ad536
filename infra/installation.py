"""Where a running `lawful up` left its addresses, so that the other commands find it.

The file is readable by its owner only: it holds the passwords of the embedded ClickHouse. It names
files with keys, never a key.
"""

import json
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from lawful.infra.audit_chain.keys import SigningKey, new_signing_key
from lawful.infra.settings_load import variable
from lawful.schemas.errors import ConfigurationError

FILE = "up.json"
KEY_FILE = "pseudonym.key"
CHAIN_KEY_FILE = "audit-chain.key"
SIGNING_KEY_FILE = "audit-signing.pem"
PUBLIC_KEY_FILE = "audit-public.pem"
ANCHOR_FILE = "audit-anchors.jsonl"


@dataclass(frozen=True, slots=True)
class AuditKeys:
    """Files of the audit's keys and anchors; what is in the last two is no secret."""

    chain: Path
    signing: Path
    public: Path
    anchors: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """One installation on this machine.

    Attributes:
        pid: the process that keeps it running.
        values: settings by dotted name, as they stand in `LAWFUL_*` variables.
        passwords: of ClickHouse's users.
        key_file: holds the pseudonym key.
        audit_key_files: hold keys of the audit, by the setting's dotted name.
    """

    pid: int
    values: Mapping[str, str]
    passwords: Mapping[str, str] = field(repr=False)
    key_file: str
    audit_key_files: Mapping[str, str] = field(default_factory=dict)

    def environment(self, user: str) -> dict[str, str]:
        """`LAWFUL_*` variables for a process that talks to ClickHouse as this user."""
        named = {variable(name): value for name, value in self.values.items()}
        return {
            **named,
            variable("pseudonym_key") + "_FILE": self.key_file,
            **{variable(name) + "_FILE": path for name, path in self.audit_key_files.items()},
            variable("clickhouse.user"): user,
            variable("clickhouse.password"): self.passwords[user],
        }

    @property
    def alive(self) -> bool:
        """Whether the process that wrote this still runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True

    def save(self, path: Path) -> None:
        """Write the file, complete or not at all."""
        document = {
            "pid": self.pid,
            "settings": dict(self.values),
            "passwords": dict(self.passwords),
            "key_file": self.key_file,
            "audit_key_files": dict(self.audit_key_files),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{self.pid}")
        write_private(draft, json.dumps(document, indent=2).encode())
        draft.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """The installation that a file tells of; `None` if there is no file.

        Raises:
            ConfigurationError: the file is not one of ours.
        """
        try:
            document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                pid=int(document["pid"]),
                values=dict(document["settings"]),
                passwords=dict(document["passwords"]),
                key_file=str(document["key_file"]),
                audit_key_files=dict(document.get("audit_key_files", {})),
            )
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(
                f"{path} does not say how to find `lawful up` ({type(error).__name__})",
                hint="stop `lawful up`, remove the file and start it again",
            ) from None


def pseudonym_key(data_dir: Path) -> Path:
    """The file with this installation's pseudonym key, made at first use.

    Losing it loses the link to all that is remembered: back it up with the data.
    """
    return _kept(data_dir / KEY_FILE, lambda: secrets.token_hex(32).encode())


def audit_keys(data_dir: Path) -> AuditKeys:
    """The files with the keys of this installation's audit, made at first use.

    Losing the chain key, nobody can check old rows any more; losing the signing key, a new one can
    sign what comes, and old anchors still need the old public key.
    """
    signing = _kept(data_dir / SIGNING_KEY_FILE, new_signing_key)
    public = data_dir / PUBLIC_KEY_FILE
    if not public.exists():
        public.write_bytes(SigningKey.parse(signing.read_bytes()).public.pem())
    return AuditKeys(
        chain=_kept(data_dir / CHAIN_KEY_FILE, lambda: secrets.token_hex(32).encode()),
        signing=signing,
        public=public.resolve(),
        anchors=(data_dir / ANCHOR_FILE).resolve(),
    )


def _kept(path: Path, make: Callable[[], bytes]) -> Path:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private(path, make())
    return path.resolve()


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, from its first moment on."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
