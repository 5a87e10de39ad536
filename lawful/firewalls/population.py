"""A table of people, to count how many of them a disclosure could be about.

Blocking whoever is too rare tells that they are rare. So people are divided by what each of them would be
answered, refusals included, and no part may have fewer than k: neither answers nor refusals then narrow
down further than that, whatever is asked and in whatever order (k-anonymity, Sweeney 2002; simulatable
auditing, Kenthapadi, Mishra and Nissim 2005).
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lawful.firewalls.abstraction import Abstraction
from lawful.firewalls.words import words
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.generalising import generalise
from lawful.schemas.normalising import plain

MOST_ROWS: Final = 200_000
COUNT: Final = "count"
Rows = Sequence[int]


def step_of(text: str, how: str) -> str | None:
    """A value in one of a field's forms, as it would go out; nothing if it has no such form."""
    return text if not how else generalise(text, how)


@dataclass(frozen=True, slots=True)
class Told:
    """What is answered to a question, and what that leaves.

    Attributes:
        step: the number of the form it is told in; nothing for a refusal.
        text: as it is told.
        rows: of all who would be answered the same.
    """

    step: int | None
    text: str = field(repr=False)
    rows: Rows = field(repr=False)


@dataclass(frozen=True, slots=True)
class Population:
    """People by what may be told of them. Equal people are one row, equal values have one spelling.

    Attributes:
        columns: by field name, each row's value.
        weights: how many people a row stands for.
    """

    columns: Mapping[str, Sequence[str]] = field(repr=False)
    weights: Sequence[int] = field(repr=False)
    _spellings: dict[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    _forms: dict[tuple[str, str], list[str | None]] = field(default_factory=dict, repr=False)

    def everyone(self) -> Rows:
        """All rows."""
        return range(len(self.weights))

    def people(self, rows: Iterable[int]) -> int:
        """How many people some rows stand for."""
        return sum(self.weights[row] for row in rows)

    def form(self, name: str, how: str) -> list[str | None]:
        """Each row's value of a field in a form. Computed once; as many as there are rows."""
        key = (name, how)
        if key not in self._forms:
            made = {text: step_of(text, how) for text in set(self.columns[name])}
            self._forms[key] = [made[text] for text in self.columns[name]]
        return self._forms[key]

    def answer(self, rows: Rows, name: str, value: str, steps: Sequence[str], k: int) -> Told:
        """In which form a person's value may be told, and who could be meant after that.

        Args:
            rows: who could be meant until now.
            name: the field.
            value: what is true of the person.
            steps: the forms, the most exact first.
            k: how many people must remain.
        """
        cells, rest = self._divided(rows, name, steps, k)
        value = self._spelling(name).get(plain(value), value)
        column = self.columns[name]
        mine = [key for key, cell in cells.items() if any(column[row] == value for row in cell)]
        if not mine and not any(column[row] == value for row in rest):
            # Nobody there has this value; its coarser forms may still be somebody's.
            mine = [key for key in enumerate(step_of(value, how) or "" for how in steps) if key in cells]
        if not mine:
            return Told(None, "", rest if self.people(rest) >= k else ())
        return Told(*mine[0], cells[mine[0]])

    def _spelling(self, name: str) -> Mapping[str, str]:
        if name not in self._spellings:
            self._spellings[name] = {plain(text): text for text in set(self.columns[name])}
        return self._spellings[name]

    def _divided(self, rows: Rows, name: str, steps: Sequence[str], k: int) -> tuple[dict[tuple[int, str], Rows], Rows]:
        """Rows by what they would be answered; the last ones would be refused."""
        cells: dict[tuple[int, str], Rows] = {}
        rest: Rows = rows
        for number, how in enumerate(steps):
            groups, left = self._grouped(rest, self.form(name, how))
            for out, group in groups.items():
                if self.people(group) >= k:
                    cells[number, out] = group
                else:
                    left += group
            rest = left
        return self._filled(cells, rest, k)

    @staticmethod
    def _grouped(rows: Rows, forms: Sequence[str | None]) -> tuple[Mapping[str, list[int]], list[int]]:
        groups: dict[str, list[int]] = defaultdict(list)
        left: list[int] = []
        for row in rows:
            out = forms[row]
            (left if out is None else groups[out]).append(row)
        return groups, left

    def _filled(
        self, cells: dict[tuple[int, str], Rows], rest: Rows, k: int
    ) -> tuple[dict[tuple[int, str], Rows], Rows]:
        """A refusal must not name anybody either: too few refused are joined by the smallest cells."""
        together = list(rest)
        people = self.people(together)
        if not together or people >= k:
            return cells, together
        for key in sorted(cells, key=lambda each: (self.people(cells[each]), each)):
            cell = cells.pop(key)
            together += cell
            people += self.people(cell)
            if people >= k:
                break
        return cells, together


def load_population(path: str | Path, rules: Abstraction) -> Population:
    """The people of a CSV file with a header, as far as the rules count them.

    A column bears the name of a field of `population.fields`, or its last key; a column `count`, if there is one,
    says how many people a row stands for.

    Raises:
        ConfigurationError: the file cannot be read, lacks a column, or has more different rows than `MOST_ROWS`.
    """
    names = rules.crowd.fields if rules.crowd else ()
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            return population(csv.DictReader(file), names, str(path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigurationError(
            f"{path} cannot be read: {type(error).__name__}", hint="give a CSV file in UTF-8"
        ) from None


def population(people: Iterable[Mapping[str, str | None]], names: Sequence[str], source: str = "") -> Population:
    """Some people, as far as the named fields tell of them.

    Raises:
        ConfigurationError: a field is missing, or there are more different people than `MOST_ROWS`.
    """
    seen: dict[tuple[str, ...], int] = defaultdict(int)
    read: Callable[[Mapping[str, str | None]], tuple[tuple[str, ...], int]] | None = None
    for line, person in enumerate(people, 2):
        read = read or _reader(list(person), names, source)
        row, count = read(person)
        if count < 0:
            raise ConfigurationError(f"{source}:{line}: '{COUNT}' is no whole number", hint="write how many people")
        seen[row] += count
        if len(seen) > MOST_ROWS:
            hint = f"put equal people into one row with a column '{COUNT}', or generalise the table"
            raise ConfigurationError(f"{source} has more than {MOST_ROWS} different rows", hint=hint)
    columns = {name: [row[at] for row in seen] for at, name in enumerate(names)}
    return Population(columns, list(seen.values()))


def _reader(
    header: Sequence[str], names: Sequence[str], source: str
) -> Callable[[Mapping[str, str | None]], tuple[tuple[str, ...], int]]:
    spelt = {words(column): column for column in header if column}
    found = [spelt.get(words(name)) or spelt.get(words(name.rpartition(".")[2])) for name in names]
    for name, column in zip(names, found, strict=True):
        if column is None:
            raise ConfigurationError(f"{source} has no column '{name}'", hint=f"it has {', '.join(spelt.values())}")
    columns = [column for column in found if column is not None]
    counts = spelt.get(COUNT)
    spellings: list[dict[str, str]] = [{} for _ in columns]

    def read(person: Mapping[str, str | None]) -> tuple[tuple[str, ...], int]:
        texts = [" ".join((person[column] or "").split()) for column in columns]
        row = tuple(known.setdefault(plain(text), text) for known, text in zip(spellings, texts, strict=True))
        said = (person[counts] or "").strip() if counts else "1"
        return row, int(said) if said.isascii() and said.isdecimal() else -1

    return read
