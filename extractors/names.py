"""When something that looks like a person's name is taken for one.

A model trained on news calls products, cities and headings persons; a list alone misses whoever is
not in it. So a model's guess needs the form of a name and some evidence, and a listed first name
needs a surname behind it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lawful.extractors.budget import FREE, Budget
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.cues import Spans, any_around
from lawful.extractors.folding import folded
from lawful.extractors.lately import lately
from lawful.extractors.letters import CAPITALS, SMALL
from lawful.extractors.search import AnyOf, Finder

_WORD = rf"[{CAPITALS}](?:[{SMALL}]+|['\u2019][{CAPITALS}][{SMALL}]+)(?:[{CAPITALS}][{SMALL}]+)?"
_TOKEN = rf"{_WORD}(?:-{_WORD})*"
_PARTICLE = r"(?:de|da|del|della|di|van|von|der|den|la|le|bin|al|el|dos|du|ter|zu)"
_FULL_NAME = re.compile(
    rf"(?<![\w#@/\\.\-]){_TOKEN}(?:(?:[ \t]+(?:[A-Z]\.?|{_PARTICLE})){{0,3}}[ \t]+{_TOKEN}){{1,3}}(?![\w@])"
)
_NAME = Finder(_FULL_NAME.pattern)
_INTRODUCED = Finder(
    rf"(?i:\b(?:i am|i['\u2019]m|you are|my name is|name is|this is|named|called))[ ](?P<name>{_TOKEN})(?![\w@])"
)
# Lars: What a wife.
_SPEAKER = Finder(rf"(?m:^)[\"'*\-\u2022 ]{{0,3}}(?P<name>{_TOKEN})(?=:[ ]\S)")
# Namihiko Iijima lives at
_LIVES = Finder(
    rf"(?<![\w#@/\\.\-])(?P<name>{_TOKEN}(?:[ ](?:[A-Z]\.?|{_PARTICLE})){{0,2}}(?:[ ]{_TOKEN}){{1,2}})"
    r"(?=[ ](?:(?:lives|lived|resides|resided)[ ](?:at|in|on|with|near)|works[ ](?:at|for|as)|was[ ]born)\b)"
)
# With Heather; to Michael, Luis and Kayla.
_ALONE = Finder(rf"(?<=[\w,;:][ ])(?<!\bthe[ ])(?P<name>{_TOKEN})(?![\w@]|[ ](?:[{CAPITALS}\d]|&))")
_ANY = AnyOf(_NAME, _LIVES, _INTRODUCED, _SPEAKER, _ALONE)
_AMID = re.compile(_PARTICLE)
_SINGLE = re.compile(rf"{_TOKEN}")
_WORDS = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_TITLE = re.compile(r"[\s\"'*]*(?P<word>[A-Za-z]+)\.?\s+")
_LEADING = re.compile(r"^(?:[\W_]+)")
_SUFFIX = re.compile(r"(?:['\u2019]s|[\W_]+)$")
_PROSE_WORDS = 4
_CUE_REACH = 40

_PER_TEXT, _PER_NAME, _PER_WORD = 22, 10, 3  # steps
_PER_STEP = 12  # characters

LISTED, LIKELY, POSSIBLE = 0.9, 0.8, 0.6


@dataclass(frozen=True, slots=True)
class NameTable:
    """`data/names.yaml`, as sets."""

    version: str
    first: frozenset[str]
    also_words: frozenset[str]
    titles: frozenset[str]
    cues: frozenset[str]
    not_surnames: frozenset[str]


@lru_cache(maxsize=1)
def name_table() -> NameTable:
    """The shipped lists, read once."""
    data = load_yaml(DATA / "names.yaml")
    words = {key: frozenset(folded(value).split()) for key, value in data.items() if key != "version"}
    return NameTable(
        str(data["version"]),
        words["first_names"],
        words["also_words"],
        words["titles"],
        words["person_cues"],
        words["not_surnames"],
    )


def listed_names(text: str, budget: Budget = FREE) -> Iterator[tuple[int, int]]:
    """Spans of a listed first name with a surname or alone in a sentence, a title with a name, who is introduced."""
    budget.spend(len(text) // _PER_STEP)
    if not _ANY.may_match(text):
        return
    budget.spend(_PER_TEXT)
    table = name_table()
    full = [
        span
        for match in budget.each(_NAME.finditer(text), _PER_NAME)
        if (span := _listed_part(table, text, match)) is not None
    ]
    lives = budget.each(_LIVES.finditer(text), _PER_NAME)
    full += [span for match in lives if (span := _somebody(table, text, match)) is not None]
    yield from full
    begins = {start for start, _ in full}
    for match in budget.each((*_INTRODUCED.finditer(text), *_SPEAKER.finditer(text)), _PER_WORD):
        start, end = match.span("name")
        first = folded(match["name"])
        if first in table.first and first not in table.also_words and start not in begins:
            begins.add(start)
            yield start, end
    alone = [span for span in _alone(table, text, budget) if span[0] not in begins]
    if alone and is_prose(text):
        yield from alone


def looks_like_name(text: str) -> bool:
    """Whether a text is nothing but a person's name: listed, or a title and a name."""
    stripped = text.strip()
    return any(end - start >= len(stripped) - 1 for start, end in listed_names(stripped)) or _is_titled(stripped)


def accept_guess(text: str, start: int, end: int) -> tuple[int, int, float] | None:
    """What remains of a model's guess that a span is a person, with a score; or nothing.

    Args:
        text: the whole field.
        start: of the guess.
        end: of the guess.
    """
    table = name_table()
    start, end = _trimmed(text, start, end)
    guess = text[start:end]
    words = [folded(word) for word in _WORDS.findall(guess)]
    if not words or not _has_form(guess) or table.not_surnames.intersection(words):
        return None
    if len(words) > 1:
        known = words[0] in table.first
        return (start, end, LISTED if known else POSSIBLE) if known or is_prose(text) else None
    evidence = _follows_cue(table, text, start) or (words[0] in table.first and is_prose(text))
    return (start, end, POSSIBLE) if evidence and words[0] not in table.also_words | table.cues else None


def may_be_named(  # noqa: PLR0913 - a part of a text, and what is known of the whole
    text: str, start: int, end: int, budget: Budget = FREE, *, in_prose: bool, known: Spans = ()
) -> bool:
    """Whether a guess within a part of a text could be accepted, and say something new: a necessary condition.

    Args:
        text: the whole field.
        start: of the part.
        end: of the part.
        budget: of the event.
        in_prose: what `is_prose` says of the whole field.
        known: where names stand that are found without a model, in order.
    """
    table = name_table()
    for match in budget.each(_SINGLE.finditer(text, start, end), _PER_WORD):
        if known and any_around(known, *match.span()):
            continue
        following = _WORDS.match(text, match.end() + 1) if in_prose else None
        if following is not None and (following.group()[0].isupper() or _AMID.fullmatch(following.group())):
            return True  # a second capital, an initial, or `van`
        words = folded(match.group()).split("-")
        if words[0] in table.first or _follows_cue(table, text, match.start()):
            return True
    return False


def _listed_part(table: NameTable, text: str, match: re.Match[str]) -> tuple[int, int] | None:
    """From the first listed name on: `Hi John Smith` starts with a capital that is no name."""
    words = list(_WORDS.finditer(text, match.start(), match.end()))
    for index, word in enumerate(words[:-1]):
        rest = [following.group().lower() for following in words[index + 1 :]]
        first = folded(word.group())
        if not (first in table.first or first in table.titles):
            continue
        kept = _surnames(table, rest)
        if kept and (first not in table.also_words or kept > 1):
            start = words[index + 1].start() if first in table.titles else word.start()
            return start, words[index + kept].end()
    return None


def _alone(table: NameTable, text: str, budget: Budget) -> Iterator[tuple[int, int]]:
    """First names by themselves in a sentence, which are hardly ever anything else."""
    for match in budget.each(_ALONE.finditer(text), _PER_WORD):
        first = folded(match["name"])
        before = text.rfind(" ", 0, match.start() - 1) + 1  # where the word before it begins
        if first in table.first and first not in table.also_words and not text[before].isupper():
            yield match.span("name")


def _somebody(table: NameTable, text: str, match: re.Match[str]) -> tuple[int, int] | None:
    start, end = match.span("name")
    words = {word.lower() for word in _WORDS.findall(text[start:end])}
    return None if words & table.not_surnames else (start, end)


def _surnames(table: NameTable, words: list[str]) -> int:
    """How many of the words that follow a first name can be surnames."""
    for count, word in enumerate(words):
        if word in table.not_surnames:
            return count
    return len(words)


def _is_titled(text: str) -> bool:
    title, _, rest = text.partition(" ")
    return title.rstrip(".").lower() in name_table().titles and _SINGLE.fullmatch(rest.strip()) is not None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without what models drag along: line breaks, quotes, possessives."""
    guess = text[start:end]
    cut = min((guess.find(char) for char in "\n\r\t:;,|(){}[]" if char in guess), default=len(guess))
    guess = guess[:cut]
    lead = _LEADING.match(guess)
    start += lead.end() if lead else 0
    guess = guess[lead.end() if lead else 0 :]
    tail = _SUFFIX.search(guess)
    return start, start + (tail.start() if tail else len(guess))


def _has_form(guess: str) -> bool:
    return _FULL_NAME.fullmatch(guess) is not None or _SINGLE.fullmatch(guess) is not None


@lately
def is_prose(text: str) -> bool:
    """Whether a text is sentences rather than a heading: most of its words are written small."""
    words = _WORDS.findall(text)
    return len(words) >= _PROSE_WORDS and sum(map(str.islower, words)) * 3 >= len(words)


def _follows_cue(table: NameTable, text: str, start: int) -> bool:
    before = [word.lower() for word in _WORDS.findall(text[max(0, start - _CUE_REACH) : start])]
    return bool(before) and (before[-1] in table.titles or before[-1] in table.cues)


def accept_label(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The name behind a label such as `Patient:`, which is evidence enough for any capitalised words."""
    table = name_table()
    title = _TITLE.match(text, start, end)
    if title is not None and title["word"].lower() in table.titles:
        start = title.end()
    match = _FULL_NAME.search(text, start, end) or _SINGLE.search(text, start, end)
    if match is None or text[start : match.start()].strip(" \"'*"):
        return None
    words = {word.lower() for word in _WORDS.findall(match.group())}
    return None if words & table.not_surnames else match.span()
