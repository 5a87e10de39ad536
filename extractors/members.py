"""Whether a key of JSON is the name of a member, as schemas have them, or may hold anything.

Paths of findings are kept, and the keys in them with them, so a path runs only through keys that can
hardly be a person. No recogniser knows every surname, number and sentence. How schemas name their
members is known: in words without spaces, in small letters or camel case, with no long number. What
is written otherwise may hold somebody, unless it is made of the words that field names are made of.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.hints import key_table
from lawful.extractors.keynames import normalise_key
from lawful.extractors.names import name_table
from lawful.schemas.envelope import holds_identifier, without_ids

_LONGEST: Final = 64
_CODE: Final = 3  # characters: USD, AMS, NY
_PLAIN: Final = re.compile(r"[a-z]+(?:_[a-z]+)*")
_ITEM: Final = re.compile(r"[0-9]{1,3}|(?:19|20)[0-9]{2}")  # a place in a row, a year
_MEMBER: Final = re.compile(r"[@$_]*[A-Za-z][A-Za-z0-9]*(?:[_.\-]+[A-Za-z0-9]+)*_*")
_LONG_NUMBER: Final = re.compile(r"(?!(?:19|20)[0-9]{2}(?![0-9]))(?<![0-9])[0-9]{4}")
_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class _Words:
    """What the words of a key say.

    Attributes:
        known: they make up names of fields.
        named: they are first names, and hardly ever anything else.
    """

    known: frozenset[str]
    named: frozenset[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    table, names = key_table(), name_table()
    fields = {*table.anywhere, *table.exact, *table.of_person, *table.of_address, *table.person_siblings}
    fields |= table.person_words | table.address_words | table.address_siblings
    structural = load_yaml(DATA / "members.yaml")["words"].split()
    known = frozenset(structural).union(*(_WORD.findall(name) for name in fields))
    return _Words(known, names.first - names.also_words - known)


def is_member_name(key: str) -> bool:
    """Whether a key may stand in a path that is kept: it is written like the name of a member, and like no person's.

    What cannot be told from a member's name is taken for one: a surname alone, all in small letters.
    """
    if len(key) > _LONGEST:
        return False
    if _PLAIN.fullmatch(key):  # nearly every key
        return _words().named.isdisjoint(key.split("_"))
    if holds_identifier(key):
        return False
    if _ITEM.fullmatch(key) or without_ids(key) == "/":
        return True
    words, tables = _WORD.findall(normalise_key(key)), _words()
    known = [word in tables.known for word in words]
    if known and all(known) and not any(map(str.isdecimal, key)):
        return True
    if not _MEMBER.fullmatch(key) or _LONG_NUMBER.search(key) or not tables.named.isdisjoint(words):
        return False
    return len(key) <= _CODE or not key[0].isupper() or any(known)
