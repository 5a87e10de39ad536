"""Personal data in the keys of JSON: the container that holds such a key is personal as a whole.

A finding's path goes into state and audit. A path that ran through `{"jane@example.com": ...}`
would carry the address there, so everything at or below such a key is found at its container.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from lawful.schemas.envelope import holds_identifier
from lawful.schemas.view import Finding

_LONGEST: Final = 64
_MOST_WORDS: Final = 5


def is_telling(key: str) -> bool:
    """Whether a key may hold what no recogniser found in it: a number, an address, a sentence.

    Only paths are kept from running through it: it is no finding, and where nothing personal stands
    below it, it stays as it is.
    """
    return len(key) > _LONGEST or len(key.split()) > _MOST_WORDS or holds_identifier(key)


def lifted(findings: Iterable[Finding], containers: dict[str, str]) -> Iterator[Finding]:
    """Findings with every path that runs through a personal key cut back to the key's container.

    Args:
        findings: as they were found.
        containers: path of the value below a personal key, to the path of the object that holds it.
    """
    for finding in findings:
        path = _safe_path(finding.path, containers)
        yield finding if path == finding.path else replace(finding, path=path, start=0, end=0)


def _safe_path(path: str, containers: dict[str, str]) -> str:
    """The path up to the outermost personal key, without it."""
    tokens = path.split("/")
    for depth in range(2, len(tokens) + 1):
        prefix = "/".join(tokens[:depth])
        if prefix in containers:
            return containers[prefix]
    return path
