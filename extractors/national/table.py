"""`data/numbers.yaml`, checked and compiled: one scan says which rows a text can hold."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import re2  # type: ignore[import-not-found, import-untyped, unused-ignore] # ships no types

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.folding import folded
from lawful.extractors.national.checks import Check, check_of
from lawful.schemas.errors import ConfigurationError

NEEDS_WORD: Final = 30
"""Of a thousand random strings of a form, from so many on that pass its check a word must say what it is."""
REACH: Final = 60
"""How far before a number the word that names it may stand, if its row does not say."""
_EDGES: Final = r"(?<![\w.,\-/#$€£]){}(?![\w]|[.,\-/]\w)"


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of number.

    Attributes:
        form: finds it, with nothing that would make it part of something longer around it.
        words: finds a word that says what it is, in folded text.
        chance: of a thousand random strings of the form, how many pass.
        reach: how far before a number the word may stand.
    """

    name: str
    category: str
    source: str
    form: re.Pattern[str]
    check: Check | None
    words: re.Pattern[str]
    chance: int
    alone: bool
    reach: int

    @property
    def needs_word(self) -> bool:
        """Whether it counts beside a word only."""
        return not self.alone and self.chance >= NEEDS_WORD


@dataclass(frozen=True, slots=True)
class Table:
    """All rows, and the one scan over their forms (safe to share by threads)."""

    version: str
    rows: tuple[Row, ...]
    forms: Any

    def possible(self, text: str) -> list[Row]:
        """The rows whose form is somewhere in a text, by their order."""
        return [self.rows[index] for index in sorted(self.forms.Match(text) or ())]


@lru_cache(maxsize=1)
def number_table() -> Table:
    """The shipped table, read once.

    Raises:
        ConfigurationError: a row is wrong.
    """
    data = load_yaml(DATA / "numbers.yaml")
    rows = tuple(_row(entry) for entry in data["numbers"])
    forms: Any = re2.Set.SearchSet()
    for row in rows:
        forms.Add(row.source)
    forms.Compile()
    return Table(str(data["version"]), rows, forms)


def _row(entry: dict[str, Any]) -> Row:
    try:
        source = f"(?:{entry['form']})"
        check = check_of(entry["check"]) if "check" in entry else None
        words = "|".join(re.escape(folded(word)) for word in sorted(entry["words"], key=len, reverse=True))
        return Row(
            entry["name"],
            entry["category"],
            source,
            re.compile(_EDGES.format(source)),
            check,
            re.compile(rf"(?<![a-z0-9])(?:{words})"),
            int(entry["chance"]),
            bool(entry.get("alone", False)),
            int(entry.get("reach", REACH)),
        )
    except (KeyError, re.error) as error:
        raise ConfigurationError(f"numbers.yaml: the entry {entry.get('name')!r} is wrong", hint=str(error)) from error
