"""Words that tell what GDPR Art. 9 and 10 protect, beside a word that says of whom.

Long lists and other languages are for later; what is here is meant to be right where it speaks.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import Field
from lawful.extractors.hints import is_about_person, key_table
from lawful.extractors.names import listed_names
from lawful.extractors.sentences import sentences

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`data/lexicon.yaml`, compiled."""

    version: str
    terms: tuple[tuple[str, re.Pattern[str]], ...]
    cues: frozenset[str]
    not_about_people: re.Pattern[str]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped lists, read once."""
    data = load_yaml(DATA / "lexicon.yaml")
    terms = tuple(
        (category, _compiled([*entry["terms"], *entry.get("strong_terms", [])]))
        for category, entry in data["categories"].items()
    )
    cues = frozenset(word for words in data["cues"].values() for word in words)
    return Lexicon(str(data["version"]), terms, cues, _compiled(data["not_about_people"]))


class Lexicons:
    """Finds terms of the special categories in prose and JSON."""

    name = "lexicon"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Terms in sentences that are about somebody."""
        del around
        if field.is_key or not field.is_string:
            return []
        lists = lexicon()
        if not any(pattern.search(field.text) for _, pattern in lists.terms):
            return []
        of_person = field.is_json and is_about_person(key_table(), field)
        return [
            Candidate(
                *match.span(), category, f"lexicon.{category.rpartition('.')[2]}", lists.version, 0.7, Strength.LEXICON
            )
            for start, end in sentences(field.text)
            if _is_personal(lists, field.text[start:end], of_person=of_person)
            for category, pattern in lists.terms
            for match in pattern.finditer(field.text, start, end)
        ]


def _is_personal(lists: Lexicon, sentence: str, *, of_person: bool) -> bool:
    if lists.not_about_people.search(sentence):
        return False
    if of_person:
        return True
    words = {word.lower() for word in _WORD.findall(sentence)}
    return bool(words & lists.cues) or next(listed_names(sentence), None) is not None


def _compiled(terms: list[str]) -> re.Pattern[str]:
    loud = [term for term in terms if term.isupper()]
    rest = [term for term in terms if not term.isupper()]
    forms = [f"(?i:{_alternatives(rest)})", *([_alternatives(loud)] if loud else [])]
    return re.compile(rf"(?<![\w\-])(?:{'|'.join(forms)})(?![\w\-])")


def _alternatives(terms: list[str]) -> str:
    longest_first = sorted(terms, key=lambda term: (-len(term), term))
    return "|".join(re.escape(term).replace(r"\*", r"\w{0,12}") for term in longest_first)
