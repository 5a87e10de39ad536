"""Where a running `lawful up` left its addresses, so that the other commands find it.

The file is readable by its owner only: it holds the passwords of the embedded ClickHouse. It names
the pseudonym key's file, never the key.
"""

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from lawful.infra.settings_load import variable
from lawful.schemas.errors import ConfigurationError

FILE = "up.json"
KEY_FILE = "pseudonym.key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """One installation on this machine.

    Attributes:
        pid: the process that keeps it running.
        values: settings by dotted name, as they stand in `LAWFUL_*` variables.
        passwords: of ClickHouse's users.
        key_file: holds the pseudonym key.
    """

    pid: int
    values: Mapping[str, str]
    passwords: Mapping[str, str] = field(repr=False)
    key_file: str

    def environment(self, user: str) -> dict[str, str]:
        """`LAWFUL_*` variables for a process that talks to ClickHouse as this user."""
        named = {variable(name): value for name, value in self.values.items()}
        return {
            **named,
            variable("pseudonym_key") + "_FILE": self.key_file,
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
    path = data_dir / KEY_FILE
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        write_private(path, secrets.token_hex(32).encode())
    return path.resolve()


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, from its first moment on."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
