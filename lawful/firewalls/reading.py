"""A YAML file read key by key, each problem at its place.

The agent's process has no pydantic, so the two kinds of file are read by hand; a file that is wrong anywhere
is not used at all.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from lawful.schemas.errors import ConfigurationError
from lawful.schemas.problems import InvalidFile, Problem, did_you_mean

if TYPE_CHECKING:
    from lawful.schemas.yamltree import Path, Tree

KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,62}")
_KEY_FORM: Final = "lower-case letters, digits and '_', beginning with a letter"
_MISSING: Final = object()


def read_tree(text: str, file: str) -> "Tree":
    """A YAML text with the places of its parts.

    Raises:
        ConfigurationError: it is no YAML, or the parser is not installed.
    """
    try:
        from lawful.schemas.yamltree import read_yaml  # noqa: PLC0415 - the light client has no YAML parser
    except ImportError:
        hint = "install the extra: pip install 'lawful[firewalls]'"
        raise ConfigurationError(f"{file} cannot be read without a YAML parser", hint=hint) from None
    return read_yaml(text, file)


@dataclass(slots=True)
class Reader:
    """Takes a document apart and collects what is wrong with it."""

    tree: "Tree"
    problems: list[Problem] = field(default_factory=list)

    def finish(self) -> None:
        """Ends the reading.

        Raises:
            InvalidFile: something was wrong.
        """
        if self.problems:
            raise InvalidFile(self.problems)

    def wrong(self, path: "Path", message: str, hint: str = "", *, key: bool = False) -> None:
        """Notes a problem."""
        self.problems.append(Problem(self.tree.place(path, key=key), message, hint))

    def at(self, path: "Path") -> Any:
        """What stands at a path; nothing if it is not there."""
        found = self._find(path)
        return None if found is _MISSING else found

    def mapping(self, path: "Path", known: Sequence[str], needed: Sequence[str] = ()) -> Mapping[str, Any]:
        """A mapping with known keys; empty if it is none."""
        data = self.at(path)
        if data is None and path:
            return {}
        if not isinstance(data, Mapping):
            self.wrong(path, f"this must be a mapping with the keys {', '.join(known)}")
            return {}
        for key in data:
            if key not in known:
                hint = did_you_mean(key, known) or f"the keys are {', '.join(known)}"
                self.wrong((*path, key), f"unknown key '{key}'", hint, key=True)
        for key in needed:
            if key not in data:
                self.wrong((*path, key), f"the key '{key}' is missing")
        return data

    def entries(self, path: "Path", form: re.Pattern[str] = KEY) -> Iterator[str]:
        """The keys of a mapping that names things of one's own."""
        data = self.at(path)
        if data is not None and not isinstance(data, Mapping):
            self.wrong(path, "this must be a mapping")
            return
        for key in data or {}:
            if form.fullmatch(key):
                yield key
            else:
                self.wrong((*path, key), f"'{key}' is no name", _KEY_FORM, key=True)

    def text(self, path: "Path", default: str = "", form: re.Pattern[str] | None = None) -> str:
        """A text."""
        found = self._find(path)
        if found is _MISSING:
            return default
        if not isinstance(found, str) or (form is not None and not form.fullmatch(found)):
            self.wrong(path, f"'{path[-1]}' must be {'text' if form is None else _KEY_FORM}", "write it in quotes")
            return default
        return found

    def word(self, path: "Path", words: Sequence[str], default: str = "") -> str:
        """One of some words."""
        found = self._find(path)
        if found is _MISSING:
            return default
        if found not in words:
            hint = did_you_mean(str(found), words) or f"one of: {', '.join(words)}"
            self.wrong(path, f"'{found}' is no value for '{path[-1]}'", hint)
            return default
        return str(found)

    def texts(self, path: "Path") -> tuple[str, ...]:
        """A list of texts."""
        found = self.at(path)
        if found is None:
            return ()
        if not isinstance(found, list) or not all(isinstance(each, str) and each.strip() for each in found):
            self.wrong(path, f"'{path[-1]}' must be a list of texts")
            return ()
        return tuple(found)

    def flag(self, path: "Path") -> bool:
        """True or false; false if it is not there."""
        found = self.at(path)
        if found is not None and not isinstance(found, bool):
            self.wrong(path, f"'{path[-1]}' must be true or false")
        return found is True

    def count(self, path: "Path", default: int, most: int, least: int = 1) -> int:
        """A whole number within bounds."""
        found = self._find(path)
        if found is _MISSING:
            return default
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
            self.wrong(path, f"'{path[-1]}' must be a whole number from {least} to {most}")
            return default
        return found

    def number(self, path: "Path") -> Decimal | None:
        """A number that must be there."""
        found = self._find(path)
        if found is _MISSING:
            self.wrong(path, f"the key '{path[-1]}' is missing", "a protocol's numbers have bounds")
            return None
        if isinstance(found, bool) or not isinstance(found, int | float) or abs(found) > 10**15:
            self.wrong(path, f"'{path[-1]}' must be a number of at most 15 digits")
            return None
        return Decimal(str(found))

    def day(self, path: "Path", default: date) -> date:
        """A date as `2026-05-01`."""
        found = self._find(path)
        if found is _MISSING:
            return default
        try:
            return date.fromisoformat(str(found))
        except ValueError:
            self.wrong(path, f"'{found}' is no date", "write it as 2026-05-01")
            return default

    def _find(self, path: "Path") -> Any:
        data = self.tree.data
        for part in path:
            is_there = part in data if isinstance(data, Mapping) else _is_index(data, part)
            if not is_there:
                return _MISSING
            data = data[part]
        return data


def _is_index(data: object, part: object) -> bool:
    return isinstance(data, list) and isinstance(part, int) and part < len(data)
