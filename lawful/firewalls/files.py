"""Where protocols and abstractions come from: a file of one's own, or one of the packs that come with the product."""

from pathlib import Path
from typing import Final

from lawful.firewalls.abstraction import Abstraction
from lawful.firewalls.parse_abstraction import parse_abstraction
from lawful.firewalls.parse_protocol import parse_protocol
from lawful.firewalls.protocol import TaskProtocol
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.problems import did_you_mean
from lawful.schemas.textfile import read_text

PROTOCOL_FILE: Final = "protocol.yaml"
ABSTRACTION_FILE: Final = "abstraction.yaml"


def pack_names() -> tuple[str, ...]:
    """The packs that come with the product; each has a protocol and an abstraction."""
    return tuple(sorted(folder.parent.name for folder in _packs().glob(f"*/{PROTOCOL_FILE}")))


def load_protocol(source: str | Path) -> TaskProtocol:
    """The protocol of a pack, of a folder, or in a YAML file.

    Raises:
        ConfigurationError: there is none, or it is wrong (`InvalidFile`, which lists every problem with its place).
    """
    file = locate(source, PROTOCOL_FILE)
    return parse_protocol(read_text(file), str(file))


def load_abstraction(source: str | Path) -> Abstraction:
    """The abstraction of a pack, of a folder, or in a YAML file.

    Raises:
        ConfigurationError: there is none, or it is wrong (`InvalidFile`, which lists every problem with its place).
    """
    file = locate(source, ABSTRACTION_FILE)
    return parse_abstraction(read_text(file), str(file))


def locate(source: str | Path, name: str) -> Path:
    """The file that a pack's name, a folder or a path stands for.

    Raises:
        ConfigurationError: there is no such pack.
    """
    path = Path(source)
    if path.exists() or path.suffix in {".yaml", ".yml"} or "/" in str(source):
        return path / name if path.is_dir() else path
    if str(source) not in pack_names():
        hint = did_you_mean(str(source), pack_names()) or f"the packs are {', '.join(pack_names())}"
        raise ConfigurationError(f"there is no pack '{source}'", hint=hint)
    return _packs() / str(source) / name


def _packs() -> Path:
    return Path(__file__).parent / "packs"
