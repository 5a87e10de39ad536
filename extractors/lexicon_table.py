"""`data/lexicon.yaml`, compiled into one automaton over all languages' terms."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import ahocorasick_rs

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.folding import folded

ANY: Final = "any"
LANGUAGES: Final = ("en", "de", "fr", "es", ANY)
_OF_NOTES: Final = ("opens_notes", "may_open_notes", "follow_terms", "beside_terms", "also_things", "prose_keys")
_REACH: Final = 48  # how far the words around a term's longest fragment may go


@dataclass(frozen=True, slots=True)
class Term:
    """One entry of a list.

    Attributes:
        fragment: its longest stretch without a wildcard, folded: what the automaton looks for.
        form: all of it, where it has wildcards.
        loud: how it must be written, for an entry in capitals.
        is_name: also a name, so that it needs a word that says what somebody is.
        needs: a word that says what came of it must be in the sentence.
    """

    category: str
    language: str
    fragment: str
    form: re.Pattern[str] | None
    loud: str | None
    is_name: bool
    needs: bool

    @property
    def detector(self) -> str:
        """The list's name."""
        return f"lexicon.{self.category.rpartition('.')[2]}"

    def span(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        """The whole term around its fragment in a folded text; nothing when it is part of a longer word."""
        if self.form is not None:
            first = max(0, start - _REACH)
            around = (match.span() for match in self.form.finditer(text, first, end + _REACH))
            return next((span for span in around if span[0] <= start and end <= span[1]), None)
        if _is_inner(text[start - 1 : start]) or _is_inner(text[end : end + 1]):
            return None
        return start, end


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All lists.

    Attributes:
        by_fragment: terms by the automaton's index.
    """

    version: str
    automaton: Any
    by_fragment: tuple[tuple[Term, ...], ...]
    cues: dict[str, frozenset[str]]
    all_cues: frozenset[str]
    topics: frozenset[str]
    says_what_one_is: frozenset[str]
    came_of_it: frozenset[str]
    opens_notes: frozenset[str]
    may_open_notes: frozenset[str]
    follow_terms: frozenset[str]
    beside_terms: frozenset[str]
    also_things: frozenset[str]
    prose_keys: frozenset[str]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped lists, read once."""
    data = load_yaml(DATA / "lexicon.yaml")
    names = _folded_set(data["also_names"])
    by_fragment: dict[str, list[Term]] = {}
    for term in _terms(data["categories"], names):
        by_fragment.setdefault(term.fragment, []).append(term)
    cues = {language: _folded_set(words) for language, words in data["cues"].items()}
    crimes = data["categories"]["user.criminal_history"]
    return Lexicon(
        str(data["version"]),
        ahocorasick_rs.AhoCorasick(list(by_fragment)),
        tuple(tuple(terms) for terms in by_fragment.values()),
        cues,
        frozenset().union(*cues.values()),
        _folded_set(data["about_a_topic"]),
        _folded_set(data["says_what_one_is"]),
        _folded_set(crimes["came_of_it"]),
        *(_folded_set(data[name]) for name in _OF_NOTES),
    )


def _terms(categories: dict[str, dict[str, list[str]]], names: frozenset[str]) -> Iterator[Term]:
    for category, lists in categories.items():
        for language in LANGUAGES:
            for entry in lists.get(language, []):
                yield _term(category, language, str(entry), names)
        for entry in lists.get("crimes", []):
            yield _term(category, ANY, str(entry), names, needs=True)


def _term(category: str, language: str, entry: str, names: frozenset[str], *, needs: bool = False) -> Term:
    text = folded(entry)
    fragment = max(text.split("*"), key=len).strip()
    form = _form(text) if "*" in text else None
    # An entry in capitals is an acronym that is a word as well: HIV is not, AIDS is.
    loud = entry if entry.isupper() else None
    return Term(category, language, fragment, form, loud, text in names, needs)


def _form(text: str) -> re.Pattern[str]:
    """`diabet*`: any ending; `of * descent`: one word."""
    words = (r"[\w'\-]+" if word == "*" else re.escape(word).replace(r"\*", r"\w{0,14}") for word in text.split())
    spaced = r"[ \-]".join(words)
    return re.compile(rf"(?<![\w\-]){spaced}(?![\w\-])")


def _folded_set(words: list[str]) -> frozenset[str]:
    return frozenset(folded(str(word)) for word in words)


def _is_inner(char: str) -> bool:
    return bool(char) and (char.isalnum() or char in "_-")
