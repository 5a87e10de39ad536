"""Names in lower case and in capitals, written as a model knows them.

A model learns from newspapers, where names begin with a capital and other words don't. What people
type to an agent is often all small, and what old systems print is all capitals. Here the words
that can be names get their capital, one for one, so that spans stay; the model then says whether
they are.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from spacy.lang.en.stop_words import STOP_WORDS

from lawful.extractors.budget import FREE, Budget
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.names import NameTable, name_table
from lawful.extractors.search import Finder

_PART: Final = r"(?:[od]['\u2019])?[a-zß-öø-ÿ]{2,}"
_SMALL: Final = re.compile(rf"(?<![\w@#/\\.\-'\u2019]){_PART}(?:-{_PART})?(?![\w@/\\\-]|\.\w)")
_PARTS: Final = re.compile(r"[^\W\d_]+")
_INTRODUCED: Final = Finder(
    r"\b(?:my name is|name is|named|called|this is|speak(?:ing)? (?:to|with)|contact|ask|tell|dear|mrs?|ms|dr|patient)"
    r"[.:]? "
)
_PER_WORD: Final = 2  # steps
_MOST_WORDS: Final = 3
_ENDINGS: Final = ("s", "es", "d", "ed", "ing")


def recased(text: str, budget: Budget = FREE) -> str:
    """The text with a capital on each word that can be part of a name; itself if there is none.

    As long as the text, so that every place stays.

    Args:
        text: in any case.
        budget: of the event.
    """
    table = name_table()
    plain = _lowered(text) if _is_loud(text) else text
    introduced = {match.end() for match in budget.each(_INTRODUCED.finditer(plain), _PER_WORD)}
    capitals: list[int] = []
    until = run = 0
    for word in budget.each(_SMALL.finditer(plain), _PER_WORD):
        start = word.start()
        follows = 0 < run < _MOST_WORDS and plain[until:start] == " "
        if _is_name(table, word.group(), follows=follows or start in introduced):
            capitals += [part.start() for part in _PARTS.finditer(plain, start, word.end())]
            run = run + 1 if follows else 1
            until = word.end()
    return _with_capitals(plain, capitals) if capitals else text


def _is_name(table: NameTable, word: str, *, follows: bool) -> bool:
    """Whether a word can be part of a name: one of a list, or one that follows a name or an introduction."""
    if not follows:
        first = _without_marks(word.partition("-")[0])
        if first not in table.first or first in table.also_words:
            return False
    return not is_common(word) and word not in table.not_surnames


def is_common(word: str) -> bool:
    """Whether a word in small letters is an ordinary one, in one of its forms."""
    words = _words()
    return word in words or any(word.endswith(end) and word[: -len(end)] in words for end in _ENDINGS)


def _without_marks(word: str) -> str:
    if word.isascii():
        return word
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))


def _is_loud(text: str) -> bool:
    """Whether a text is written in capitals throughout."""
    return sum(map(str.isupper, text)) > 0.8 * sum(map(str.isalpha, text))


def _lowered(text: str) -> str:
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)


def _with_capitals(text: str, places: list[int]) -> str:
    chars = list(text)
    for place in places:
        capital = chars[place].upper()
        chars[place] = capital if len(capital) == 1 else chars[place]
    return "".join(chars)


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    return frozenset(STOP_WORDS) | frozenset(load_yaml(DATA / "words.yaml")["words"].split())
