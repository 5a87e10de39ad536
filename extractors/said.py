"""What a word announces: `Kontoinhaber Jane Roe`, `mot de passe : ...`, `I earn $80,000`.

A list of names knows some names; `my name is` knows them all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import Field
from lawful.extractors.folding import folded
from lawful.extractors.names import name_table
from lawful.extractors.placeholders import is_placeholder

_UP: Final = "[A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĴĶĹĻĽŁŃŅŇŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽ]"
_WORD: Final = rf"{_UP}(?:[^\W\d_]|['\u2019\-](?=[^\W\d_]))*[^\W\d_]"
_PARTICLE: Final = r"(?:de|da|del|della|di|van|von|der|den|la|le|bin|al|el|dos|du|ter|zu|y)"
_NAME: Final = re.compile(rf"{_WORD}(?:[ ](?:{_PARTICLE}[ ]){{0,2}}(?:{_WORD}|[A-Z]\.)){{0,3}}")
_AMOUNT: Final = re.compile(  # $85,000; £30k; 52.000 €; 38 000 EUR
    r"(?<![\w.,])(?:[$€£][ ]?\d[\d.,]*\d(?:[ ]?k\b)?|\d{1,3}(?:(?:[ .,\u202f]\d{3})+|\d*)(?:[.,]\d{1,2})?"
    r"[ ]?(?:€|EUR|USD|GBP|CHF|euros?\b|dollars\b|pounds\b|k\b))",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"[.!?](?=\s+[A-ZÀ-Þ])|[\n\r]")
_REACH: Final = 60
_SCORE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Words:
    """`data/said.yaml`, compiled for folded texts.

    Attributes:
        name, full_name, title: end where the name begins.
        secret, login: hold the value as `value`.
    """

    version: str
    name: re.Pattern[str]
    full_name: re.Pattern[str]
    title: re.Pattern[str]
    pay: re.Pattern[str]
    secret: re.Pattern[str]
    login: re.Pattern[str]


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
        re.compile(rf"(?<![\w@.\-])(?:{among('name_follows')})[ ]?[:,]?[ ]+"),
        re.compile(rf"(?<![\w@.\-])(?:{among('full_name_follows')})[ ]?:?[ ]+"),
        re.compile(rf"(?<![\w@.\-])(?:{among('title')})\.?[ ]+"),
        re.compile(rf"(?<![a-z0-9])(?:{among('pay')})"),
        re.compile(rf"(?<![\w\-])(?:{among('password')}){behind}(?P<value>[^\s\"'<>]{{4,64}})"),
        re.compile(rf"(?<![\w\-])(?:{among('username')}){behind}(?P<value>[\w.\-]{{3,40}})"),
    )


class Said:
    """Finds what words announce."""

    name = "said"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Names, logins, passwords and pay in prose."""
        del around
        if field.is_key or not field.is_string or " " not in field.text:
            return []
        words, near = said_words(), folded(field.text)
        if len(near) != len(field.text):
            return []
        return [
            Candidate(start, end, category, self.name, words.version, _SCORE, Strength.LEXICON)
            for start, end, category in _all(words, field.text, near)
        ]


def _all(words: Words, text: str, near: str) -> Iterator[tuple[int, int, str]]:
    for pattern, fewest in ((words.name, 1), (words.title, 1), (words.full_name, 2)):
        for cue in pattern.finditer(near):
            span = _name_at(text, cue.end(), fewest)
            if span is not None and (
                pattern is not words.title or text[cue.start()].isupper() or text[cue.start()] == "s"
            ):
                yield *span, "user.name"
    for match in words.secret.finditer(near):
        yield from _value(text, match, "user.authorization.password")
    for match in words.login.finditer(near):
        yield from _value(text, match, "user.account.username")
    yield from _pay(words, text, near)


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


def _pay(words: Words, text: str, near: str) -> Iterator[tuple[int, int, str]]:
    if words.pay.search(near) is None:
        return
    for amount in _AMOUNT.finditer(text):
        first = max(0, amount.start() - _REACH)
        ends = [place.end() for place in _BREAK.finditer(text, first, amount.start())]
        if words.pay.search(near, ends[-1] if ends else first, amount.start()):
            yield *amount.span(), "user.financial"
