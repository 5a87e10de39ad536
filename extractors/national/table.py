"""`data/numbers.yaml`, checked and compiled: which rows a text can hold is known from its words, or from one scan."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.cues import Cues
from lawful.extractors.national.checks import Check, check_of
from lawful.extractors.search import Finder, Together
from lawful.schemas.errors import ConfigurationError

NEEDS_WORD: Final = 30
"""Of a thousand random strings of a form, from so many on that pass its check a word must say what it is."""
REACH: Final = 60
"""How far before a number the word that names it may stand, if its row does not say."""
LONGEST: Final = 40
"""Characters of a number's form, at the most (`data/numbers.yaml`)."""
_NUMBERS: Final = Together(told_by_outline=True)
_EDGES: Final = r"(?<![\w.,\-/#$€£]){}(?![\w]|[.,\-/]\w)"


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of number.

    Attributes:
        form: finds it, with nothing that would make it part of something longer around it.
        chance: of a thousand random strings of the form, how many pass.
        reach: how far before a number the word may stand.
    """

    name: str
    category: str
    source: str
    form: Finder
    check: Check | None
    chance: int
    alone: bool
    reach: int

    @property
    def needs_word(self) -> bool:
        """Whether it counts beside a word only."""
        return not self.alone and self.chance >= NEEDS_WORD


class Table:
    """All rows, and which of them to look for in a text. Safe to share by threads.

    Args:
        version: of the table.
        rows: all kinds of numbers, in their order.
        words: that say what each is, by the row's name.
    """

    def __init__(self, version: str, rows: Sequence[Row], words: Mapping[str, Sequence[str]]) -> None:
        self.version = version
        self.rows = tuple(rows)
        self.cues = Cues(words)
        self._asked = [(row, row.form.number, row.name if row.needs_word else None) for row in rows]

    def possible(self, text: str, said: Container[str]) -> list[Row]:
        """The rows that a text can hold: those that one of their words stands for, and those that need none.

        Args:
            text: what may hold numbers.
            said: names of the rows of which a word stands anywhere near.
        """
        met = _NUMBERS.met(text)
        return [row for row, number, word in self._asked if (word is None or word in said) and number in met]


@lru_cache(maxsize=1)
def number_table() -> Table:
    """The shipped table, read once.

    Raises:
        ConfigurationError: a row is wrong.
    """
    data = load_yaml(DATA / "numbers.yaml")
    entries = data["numbers"]
    rows = [_row(entry) for entry in entries]
    return Table(str(data["version"]), rows, {entry["name"]: entry["words"] for entry in entries})


def _row(entry: dict[str, Any]) -> Row:
    try:
        source = f"(?:{entry['form']})"
        check = check_of(entry["check"]) if "check" in entry else None
        return Row(
            entry["name"],
            entry["category"],
            source,
            Finder(_EDGES.format(source), beside=_NUMBERS),
            check,
            int(entry["chance"]),
            bool(entry.get("alone", False)),
            int(entry.get("reach", REACH)),
        )
    except (KeyError, re.error) as error:
        raise ConfigurationError(f"numbers.yaml: the entry {entry.get('name')!r} is wrong", hint=str(error)) from error
