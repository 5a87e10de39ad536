"""Taking part in an upgrade: while a fleet holds processes of two releases, each must read what the other writes.

Either the newer ones write as the older release does (`write_as`) until all are upgraded, or the older ones are
given the newer release's schemas (`also_read`) before the first newer one starts.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from lawful.infra.settings import Settings
from lawful.schemas.codec import PROCESS
from lawful.schemas.errors import ConfigurationError, InvalidRecord

_PAIR = re.compile(r"\s*(\w+)=(\d+)\s*")


def take_part(settings: Settings) -> None:
    """Has this process read and write as the settings say; call it before the first record.

    Raises:
        ConfigurationError: there is no such record or release, or a schema cannot be read or does not fit.
    """
    if not (settings.write_as or settings.also_read):
        return
    try:
        PROCESS.upgrade(_versions(settings.write_as), _texts(settings.also_read))
    except InvalidRecord as error:
        raise ConfigurationError(
            f"a schema in {settings.also_read} cannot be used: {error}",
            hint="copy the files of schemas/avsc/released of the newer release there",
        ) from None


def _versions(text: str) -> Mapping[str, int]:
    """`AnnotatedView=1,Verdict=2` as a mapping."""
    pairs = [_PAIR.fullmatch(part) for part in text.split(",") if part.strip()]
    if None in pairs:
        raise ConfigurationError(
            f"write_as is {text!r}", hint="name records and releases: LAWFUL_WRITE_AS=AnnotatedView=1,Verdict=2"
        )
    return {pair.group(1): int(pair.group(2)) for pair in pairs if pair}


def _texts(folder: Path | None) -> tuple[str, ...]:
    """All schemas in a folder, however deep."""
    if folder is None:
        return ()
    files = sorted(folder.rglob("*.avsc"))
    if not files:
        raise ConfigurationError(f"there is no schema (.avsc) in {folder}", hint="check LAWFUL_ALSO_READ")
    try:
        return tuple(file.read_text(encoding="utf-8") for file in files)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"a schema in {folder} cannot be read: {type(error).__name__}", hint="check LAWFUL_ALSO_READ"
        ) from None
