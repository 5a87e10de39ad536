"""What a field's name says about its value: `dob`, `surname`, `diagnosis`.

A value alone often gives nothing away (`1957-10-05`, `Silva`); its name does. Generic names
(`name`, `city`) count only where an object is plainly about a person or an address, so that
products and search terms pass.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import Field
from lawful.extractors.identifiers import Names
from lawful.extractors.keynames import normalise_key
from lawful.extractors.names import looks_like_name
from lawful.extractors.placeholders import is_placeholder
from lawful.extractors.port import KeyHint
from lawful.schemas.event import Identifier
from lawful.schemas.pseudonym import Pseudonymiser

_SCORE = 0.9
_LONGEST_IDENTIFIER = 128
_DIGITS = 5  # the shortest phone numbers that point to a person


@dataclass(frozen=True, slots=True)
class KeyTable:
    """`data/keys.yaml`, turned around: name to category."""

    version: str
    anywhere: dict[str, str]
    exact: dict[str, str]
    of_person: dict[str, str]
    of_address: dict[str, str]
    person_words: frozenset[str]
    person_siblings: frozenset[str]
    address_words: frozenset[str]
    address_siblings: frozenset[str]
    nested: tuple[str, ...]
    digits: tuple[str, ...]
    number: tuple[str, ...]
    not_of_person: dict[str, frozenset[str]]
    empty: frozenset[str]


@lru_cache(maxsize=1)
def key_table() -> KeyTable:
    """The shipped table, read once."""
    data = load_yaml(DATA / "keys.yaml")
    return KeyTable(
        version=str(data["version"]),
        anywhere=_inverted(data["anywhere"]),
        exact=_inverted(data["exact"]),
        of_person=_inverted(data["of_person"]),
        of_address=_inverted(data["of_address"]),
        person_words=frozenset(data["person_words"]),
        person_siblings=frozenset(data["person_siblings"]),
        address_words=frozenset(data["address_words"]),
        address_siblings=frozenset(data["address_siblings"]),
        nested=tuple(data["nested"]),
        digits=tuple(data["shapes"]["digits"]),
        number=tuple(data["shapes"]["number"]),
        not_of_person={category: frozenset(values) for category, values in data["not_of_person"].items()},
        empty=frozenset(data["empty"]),
    )


class KeyHints:
    """Finds whole values by the name of their field.

    Args:
        pseudonymiser: for policy hints that name an identifier's scheme.
    """

    name = "keys"

    def __init__(self, pseudonymiser: Pseudonymiser) -> None:
        self._table = key_table()
        self._names = Names(pseudonymiser)

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """At most one hit: the whole value."""
        if field.is_key or not field.keys or self._says_nothing(field):
            return []
        for hint in around.spec.key_hints:
            if normalise_key(hint.key) == field.key:
                return [self._by_policy(field, hint, around)]
        category = self._category(field)
        return [self._hit(field, category)] if category else []

    def _says_nothing(self, field: Field) -> bool:
        text = field.text.strip()
        return text.lower() in self._table.empty or is_placeholder(text)

    def _category(self, field: Field) -> str | None:
        table = self._table
        category = table.exact.get(field.key) or longest_suffix(table.anywhere, field.key)
        if category is None:
            category = self._generic(field) or self._inherited(field)
        return category if category and self._has_shape(field, category) else None

    def _generic(self, field: Field) -> str | None:
        table = self._table
        if field.key in table.of_address:
            near = bool(table.address_siblings & field.siblings) or _is_below(field, table.address_words)
            return table.of_address[field.key] if near else None
        category, prefix = _of_person(table, field.key)
        if category is None or not field.is_string:
            return None
        of_whom = bool(table.person_words.intersection(prefix.split("_")))
        if category == "user.name":
            named = of_whom or (field.key == "name" and is_about_person(table, field))
            return category if named or looks_like_name(field.text) else None
        return category if of_whom or is_about_person(table, field) else None

    def _inherited(self, field: Field) -> str | None:
        for key in reversed(field.keys[:-1]):
            category = longest_suffix(self._table.anywhere, key)
            if category and category.startswith(self._table.nested):
                return category
        return None

    def _has_shape(self, field: Field, category: str) -> bool:
        text = field.text.strip()
        digits = sum(char.isdecimal() for char in text)
        if text.lower() in self._table.not_of_person.get(category, ()):
            return False
        if text.lower() in {"true", "false"}:
            return category.startswith(self._table.nested)
        if category in self._table.digits:
            return digits > 0
        if category == "user.contact.address":
            return any(char.isalpha() for char in text) and "://" not in text
        # A code that stands in for a number or an address says as much: `PHONE_E5R1HR5B`.
        is_code = digits > 1 and " " not in text
        if category in self._table.number:
            return is_code or digits >= _DIGITS
        return category != "user.contact.email" or "@" in text or is_code

    def _hit(self, field: Field, category: str) -> Candidate:
        return Candidate(0, len(field.text), category, self.name, self._table.version, _SCORE, Strength.KEY)

    def _by_policy(self, field: Field, hint: KeyHint, around: Surroundings) -> Candidate:
        subject = None
        if hint.scheme is not None and len(field.text) <= _LONGEST_IDENTIFIER:
            subject = self._names.of(Identifier(hint.scheme, field.text), around)
        end = len(field.text)
        return Candidate(0, end, hint.category, "policy.keys", "1", 1.0, Strength.IDENTIFIER, subject)


def longest_suffix(table: dict[str, str], key: str) -> str | None:
    """The entry for a name or for the longest end of it that is listed (`billing_email`: `email`)."""
    while key:
        if key in table:
            return table[key]
        key = key.partition("_")[2]
    return None


def is_about_person(table: KeyTable, field: Field) -> bool:
    """Whether the object that holds a field is plainly about a person."""
    return bool(table.person_siblings & (field.siblings - {field.key})) or _is_below(field, table.person_words)


def _is_below(field: Field, words: frozenset[str]) -> bool:
    return any(key in words or key.rpartition("_")[2] in words for key in field.keys[:-1])


def _of_person(table: KeyTable, key: str) -> tuple[str | None, str]:
    """The category of a generic name, and what stands before it (`passenger` of `passenger_name`)."""
    if key in table.of_person:
        return table.of_person[key], ""
    prefix, _, last = key.rpartition("_")
    return table.of_person.get(last) if prefix else None, prefix


def _inverted(categories: dict[str, Any]) -> dict[str, str]:
    return {key: category for category, keys in categories.items() for key in keys}
