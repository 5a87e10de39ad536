"""What a word announces: `Kontoinhaber Jane Roe`, `mot de passe : ...`, `I earn $80,000`.

A list of names knows some names; `my name is` knows them all.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.cues import Cues, Spans, any_between
from lawful.extractors.fields import Field
from lawful.extractors.folding import folded
from lawful.extractors.letters import CAPITALS
from lawful.extractors.names import name_table
from lawful.extractors.placeholders import is_placeholder
from lawful.extractors.search import Finder

_UP: Final = f"[{CAPITALS}]"
_WORD: Final = rf"{_UP}(?:[^\W\d_]|['\u2019\-](?=[^\W\d_]))*[^\W\d_]"
_PARTICLE: Final = r"(?:de|da|del|della|di|van|von|der|den|la|le|bin|al|el|dos|du|ter|zu|y)"
_NAME: Final = re.compile(rf"{_WORD}(?:[ ](?:{_PARTICLE}[ ]){{0,2}}(?:{_WORD}|[A-Z](?:\.|(?!\w)))){{0,3}}")
_AMOUNT: Final = Finder(  # $85,000; £30k; 52.000 €; 38 000 EUR
    r"(?<![\w.,])(?:[$€£][ ]?\d[\d.,]*\d(?:[ ]?k\b)?|\d{1,3}(?:(?:[ .,\u202f]\d{3})+|\d*)(?:[.,]\d{1,2})?"
    r"[ ]?(?:€|EUR|USD|GBP|CHF|euros?\b|dollars\b|pounds\b|k\b))",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"[.!?](?=\s+[A-ZÀ-Þ])|[\n\r]")
_REACH: Final = 60
_SCORE: Final = 0.8
_PER_TEXT, _PER_CUE = 6, 15  # steps
_KINDS: Final = {
    "name": "name_follows",
    "full_name": "full_name_follows",
    "title": "title",
    "pay": "pay",
    "password": "password",
    "username": "username",
}


@dataclass(frozen=True, slots=True)
class Words:
    """`data/said.yaml`, compiled for folded texts.

    Attributes:
        cues: where the words of each kind begin.
        name, full_name, title: end where the name begins.
        password, username: hold the value as `value`.
    """

    version: str
    cues: Cues
    name: re.Pattern[str]
    full_name: re.Pattern[str]
    title: re.Pattern[str]
    password: re.Pattern[str]
    username: re.Pattern[str]

    def matches(self, kind: str, near: str, begins: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
        """Where a kind's pattern matches, given where its words begin."""
        pattern: re.Pattern[str] = getattr(self, kind)
        for start in dict.fromkeys(start for start, _ in begins):
            match = pattern.match(near, start)
            if match is not None:
                yield match


@lru_cache(maxsize=1)
def said_words() -> Words:
    """The shipped words, read once."""
    data = load_yaml(DATA / "said.yaml")

    def among(*keys: str) -> str:
        entries = sorted({folded(str(word)) for key in keys for word in data[key]}, key=len, reverse=True)
        return "|".join(map(re.escape, entries))

    behind = rf"(?![\w\-])(?:[ ](?:{among('is')}))?[ ]?[:=]?[ ]*[\"'<]?"
    return Words(
        str(data["version"]),
        Cues({kind: data[key] for kind, key in _KINDS.items()}),
        re.compile(rf"(?<![\w@.\-])(?:{among('name_follows')})[ ]?[:,]?[ ]+"),
        re.compile(rf"(?<![\w@.\-])(?:{among('full_name_follows')})[ ]?:?[ ]+"),
        re.compile(rf"(?<![\w@.\-])(?:{among('title')})\.?[ ]+"),
        re.compile(rf"(?<![\w\-])(?:{among('password')}){behind}(?P<value>[^\s\"'<>]{{4,64}})"),
        re.compile(rf"(?<![\w\-])(?:{among('username')}){behind}(?P<value>[\w.\-]{{3,40}})"),
    )


class Said:
    """Finds what words announce."""

    name = "said"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Names, logins, passwords and pay in prose."""
        if field.is_key or not field.is_string or " " not in field.text:
            return []
        around.budget.spend(_PER_TEXT)
        words, near = said_words(), folded(field.text)
        if len(near) != len(field.text):
            return []
        return [
            Candidate(start, end, category, self.name, words.version, _SCORE, Strength.LEXICON)
            for start, end, category in _all(words, field.text, near, around.budget)
        ]


def _all(words: Words, text: str, near: str, budget: Budget) -> Iterator[tuple[int, int, str]]:
    begins = words.cues.places(near)
    for kind, fewest in (("name", 1), ("title", 1), ("full_name", 2)):
        for cue in words.matches(kind, near, list(budget.each(begins.get(kind, ()), _PER_CUE))):
            span = _name_at(text, cue.end(), fewest)
            if span is not None and (kind != "title" or text[cue.start()].isupper() or text[cue.start()] == "s"):
                yield *span, "user.name"
    for kind, category in (("password", "user.authorization.password"), ("username", "user.account.username")):
        for match in words.matches(kind, near, list(budget.each(begins.get(kind, ()), _PER_CUE))):
            yield from _value(text, match, category)
    yield from _pay(begins.get("pay", ()), text, budget)


def _name_at(text: str, start: int, fewest: int) -> tuple[int, int] | None:
    """The name that begins at a place, up to the first word that cannot be one."""
    match = _NAME.match(text, start)
    if match is None:
        return None
    never = name_table().not_surnames | name_table().titles
    end, count = start, 0
    for word in re.finditer(r"\S+", match.group()):
        if folded(word.group()).strip(".") in never:
            break
        if word.group()[0].isupper():
            count, end = count + 1, start + word.end()
    return (start, end) if count >= fewest else None


def _value(text: str, match: re.Match[str], category: str) -> Iterator[tuple[int, int, str]]:
    """A value that is no ordinary word: it has a digit or a sign, or stands behind a colon."""
    start, end = match.span("value")
    value = text[start:end].rstrip(".,;:)")
    announced = ":" in match.group()[: start - match.start()] or "=" in match.group()[: start - match.start()]
    odd = any(not char.isalpha() for char in value[:-1])
    if len(value) >= 3 and (odd or (announced and value.lower() not in _NOTHING)) and not is_placeholder(value):  # noqa: PLR2004 - shorter ones are words
        yield start, start + len(value), category


_NOTHING: Final = frozenset({"none", "null", "required", "optional", "string", "here", "below", "unknown", "n/a"})


def _pay(begins: Spans, text: str, budget: Budget) -> Iterator[tuple[int, int, str]]:
    if not begins:
        return
    for amount in budget.each(_AMOUNT.finditer(text), _PER_CUE):
        first = max(0, amount.start() - _REACH)
        if not any_between(begins, first, amount.start()):
            continue
        ends = [place.end() for place in _BREAK.finditer(text, first, amount.start())]
        if any_between(begins, ends[-1] if ends else first, amount.start()):
            yield *amount.span(), "user.financial"
