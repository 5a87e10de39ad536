"""What new demonstrations change in rules: line by line, and whether more gets through than before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lawful.firewalls.reading import read_tree

_IGNORED: Final = ("protocol", "abstraction", "version", "description")
_LESS: Final = ("min", "earliest")


@dataclass(frozen=True, slots=True)
class Change:
    """One place that differs.

    Attributes:
        path: with dots.
        before, after: nothing where the place is not there.
        wider: more may get through than before; what cannot be told counts as wider.
    """

    path: str
    before: str | None
    after: str | None
    wider: bool

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return {"path": self.path, "before": self.before, "after": self.after, "wider": self.wider}


def changes(before: str, after: str, file: str = "rules.yaml") -> tuple[Change, ...]:
    """What differs between two YAML texts of one kind.

    Raises:
        ConfigurationError: one of them is no YAML.
    """
    was, now = (dict(_flat(read_tree(text, file).data, "")) for text in (before, after))
    return tuple(
        Change(path, was.get(path), now.get(path), _is_wider(path, was.get(path), now.get(path)))
        for path in sorted(was.keys() | now.keys())
        if was.get(path) != now.get(path)
    )


def _flat(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if path or key not in _IGNORED:
                yield from _flat(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for inner in value:
            yield f"{path}[{inner}]", "listed"
    else:
        yield path, str(value)


def _is_wider(path: str, before: str | None, after: str | None) -> bool:
    if after is None or after == "block":
        return False
    if before is None:
        return True
    try:
        grows = float(after) > float(before)
    except ValueError:
        return after > before if path.endswith("latest") else after < before if path.endswith(_LESS) else True
    return not grows if path.endswith(_LESS) else grows
