"""Reading small files that people write by hand."""

from pathlib import Path
from typing import Final

from lawful.schemas.errors import ConfigurationError

LARGEST: Final = 2_000_000


def read_text(file: Path) -> str:
    """The text of a small file.

    Raises:
        ConfigurationError: it cannot be read, is too large, or is no UTF-8.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be read: {error.strerror}", hint="check the path") from None
    if len(data) > LARGEST:
        raise ConfigurationError(f"{file} is larger than {LARGEST} bytes", hint="is it the right file?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file} is not UTF-8", hint="save it as UTF-8") from None
