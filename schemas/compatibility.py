"""Refuses a change of a schema before it is released, where it would break a running fleet.

Old and new workers, guards and readers run side by side, and topics keep what old ones wrote. So
the current schema must read what every released one wrote, and every released one must read what
the current one writes. `python -m lawful.schemas.compatibility` checks; with `release` it also
keeps the current schemas as the next version.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawful.schemas.catalogue import RECORDS, released, source_of, without
from lawful.schemas.errors import MustStop
from lawful.schemas.resolution import Mismatch, mismatches
from lawful.schemas.wire.hints import short


@dataclass(frozen=True, slots=True)
class Incompatible:
    """One reason why a schema must not be released.

    Attributes:
        record: the Avro record.
        direction: who cannot read whom.
        mismatch: where, what, and what to do instead.
    """

    record: str
    direction: str
    mismatch: Mismatch

    def __str__(self) -> str:
        where = f"{self.record}.{self.mismatch.field}" if self.mismatch.field else self.record
        return f"schema {self.record}, field {where}: {self.mismatch.what} ({self.direction}); {self.mismatch.todo}"


def compare(record: str, old: Any, new: Any, *, old_name: str = "the released schema") -> list[Incompatible]:
    """Everything that breaks between an old and a new schema of a record, in both directions."""
    backward = f"new software cannot read what {old_name} wrote"
    forward = f"software with {old_name} cannot read what the new one writes"
    return [
        *(Incompatible(record, backward, found) for found in mismatches(old, new)),
        *(Incompatible(record, forward, found) for found in mismatches(new, old)),
    ]


def check(records: Iterable[str] = tuple(RECORDS.values())) -> list[Incompatible]:
    """Everything that forbids releasing the schemas as the files have them now."""
    return [found for record in records for found in _check(record)]


def require_compatible() -> None:
    """Raises `MustStop` with all that `check` finds, if it finds anything."""
    found = check()
    if found:
        raise MustStop("\n".join(map(str, found)))


def release(folder: Path) -> list[Path]:
    """Keeps each current schema that differs from its last release as the next version.

    Args:
        folder: `schemas/avsc/released` of a checkout.

    Raises:
        MustStop: the check refuses.
    """
    require_compatible()
    written = []
    for record in RECORDS.values():
        versions, source = released(record), source_of(record)
        if not versions or _meaning(json.loads(versions[-1].text)) != _meaning(source):
            target = folder / record / f"v{len(versions) + 1}.avsc"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps(source, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
            written.append(target)
    return written


def unreleased() -> list[str]:
    """Records whose current schema is not the last released one."""
    return [
        record
        for record in RECORDS.values()
        if not released(record) or _meaning(json.loads(released(record)[-1].text)) != _meaning(source_of(record))
    ]


def _check(record: str) -> Iterator[Incompatible]:
    source = source_of(record)
    for name in _enums_without_default(source):
        todo = "give it a default symbol, the strictest there is, so that a symbol can be added one day"
        yield Incompatible(
            record,
            "old software would not know what to make of a new symbol",
            Mismatch(name, "an enum has no default", todo),
        )
    for version in released(record):
        yield from compare(record, json.loads(version.text), source, old_name=f"v{version.version}")


def _enums_without_default(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "symbols" in node and "default" not in node:
            yield short(node)
        for value in node.values():
            yield from _enums_without_default(value)
    elif isinstance(node, list):
        for item in node:
            yield from _enums_without_default(item)


def _meaning(source: Any) -> Any:
    return without(source, "doc")


def main(arguments: list[str] | None = None) -> int:
    """The command; 0 if nothing is incompatible."""
    parser = argparse.ArgumentParser(prog="python -m lawful.schemas.compatibility", description=__doc__)
    parser.add_argument("action", nargs="?", choices=["check", "release"], default="check")
    action = parser.parse_args(arguments).action
    try:
        require_compatible()
        written = release(Path(__file__).parent / "avsc" / "released") if action == "release" else []
    except MustStop as error:
        sys.stderr.write(f"{error}\n")
        return 1
    waiting = [] if written else unreleased()
    sys.stdout.write("".join(f"released {path}\n" for path in written))
    sys.stdout.write("".join(f"{record}: changed since its last release\n" for record in waiting))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
