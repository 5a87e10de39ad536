"""Reading a file that holds one secret, for guards and workers alike.

What makes such files often ends them with a newline. If one side took it for a part of the key and the
other did not, their pseudonyms would differ and nobody would notice.
"""

from pathlib import Path

from lawful.schemas.errors import ConfigurationError


def read_secret(file: Path, what: str = "a key") -> bytes:
    """What a file holds, without the newlines at its end.

    Args:
        file: where it is.
        what: names it in an error.

    Raises:
        ConfigurationError: it cannot be read. Never says what is in it.
    """
    try:
        return file.read_bytes().rstrip(b"\r\n")
    except OSError as error:
        raise ConfigurationError(f"{what}: cannot read {file}: {error.strerror}", hint="check the name") from None
