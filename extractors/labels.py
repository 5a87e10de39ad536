"""Labelled values in prose: `SSN: 123-45-6788 | DOB: 1965-03-15 | Annual income: 150000`.

Agents hand each other records as text; what stands before the colon is a field's name, and is
looked up like one.
"""

import re
from collections.abc import Iterator

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.hints import KeyTable, key_table, longest_suffix
from lawful.extractors.keynames import normalise_key
from lawful.extractors.names import accept_label
from lawful.extractors.placeholders import is_placeholder

# A name of up to four words, a colon or equals sign, and a value up to the next thing that ends one.
_LABELLED = re.compile(
    r"(?:^|(?<=[\n\r(\[{,;|\u2022.\"'*])|(?<=[-*]\s)|(?<=\s))"
    r"(?P<label>[A-Za-z][A-Za-z.'\u2019\-]{0,30}(?:[ _][A-Za-z0-9][A-Za-z0-9.'\u2019\-]{0,30}){0,3})"
    r"[\"'*]{0,2}[ \t]{0,3}[:=][ \t\"'*]{0,3}(?P<value>[^\n\r|;)\]}\"]{1,120})"
)
# A list or object in quotes, or of numbers, begins: `records.py` reads what is in it.
_OPENS = re.compile(r"\{|\[\s*(?:[\[{\"'\\\d]|$)")
_NEXT = re.compile(r",\s+[A-Za-z][\w .\-]{0,40}[:=]|\s[\u2013\u2014\-]\s|\.(?:\s|$)|\s(?:and|but|please)\s")
_ONE_WORD = re.compile(r"\S+")
_LIST = ("user.health_and_medical", "user.contact.address", "user.criminal_history", "user.name")
# Generic names that are clear enough before a colon.
_AMONG_LABELS = frozenset(
    {"name", "patient", "customer", "passenger", "employee", "address", "condition", "conditions"}
)
_SCORE = 0.8
_PER_LABEL = 10  # steps


class Labels:
    """Finds values by the label before them."""

    name = "labels"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """The values behind known labels."""
        if field.is_key or not field.is_string or not (":" in field.text or "=" in field.text):
            return []
        table = key_table()
        policy = {normalise_key(hint.key): hint.category for hint in around.spec.key_hints}
        return [
            Candidate(start, end, category, self.name, table.version, _SCORE, Strength.PATTERN)
            for start, end, category in _labelled(table, field.text, policy, around.budget)
        ]


def _labelled(table: KeyTable, text: str, policy: dict[str, str], budget: Budget) -> Iterator[tuple[int, int, str]]:
    position = 0
    while (match := _LABELLED.search(text, position)) is not None:
        # The value may hold the next label: go on right behind this one's.
        position = match.start("value")
        budget.spend(_PER_LABEL)
        category = _category(table, match["label"], policy)
        if category is not None:
            span = _value(text, match, category)
            if span is not None and not _OPENS.match(text, span[0]) and _has_shape(table, text[slice(*span)], category):
                yield *span, category


def _category(table: KeyTable, label: str, policy: dict[str, str]) -> str | None:
    words = label.replace("_", " ").split()
    for first in range(len(words)):
        name = normalise_key(" ".join(words[first:]))
        if name in policy:
            return policy[name]
        category = table.exact.get(name) or table.anywhere.get(name)
        if category is None and name in _AMONG_LABELS:
            category = table.of_person[name]
        if category is not None:
            return category
    return longest_suffix(table.anywhere, normalise_key(label)) if len(words) == 1 else None


def _value(text: str, match: re.Match[str], category: str) -> tuple[int, int] | None:
    start, end = match.span("value")
    if category == "user.name" or category.startswith("user.name."):
        return accept_label(text, start, end)
    stop = _NEXT.search(text, start, end)
    end = stop.start() if stop else end
    if not category.startswith(_LIST):
        end = _first_words(text, start, end)
    end = start + len(text[start:end].rstrip(" ,.'\"*"))
    return (start, end) if end > start else None


def _first_words(text: str, start: int, end: int) -> int:
    """The words of a value up to the first that is neither a number nor the first."""
    for index, word in enumerate(_ONE_WORD.finditer(text, start, end)):
        if index and not any(char.isdecimal() for char in word.group()):
            return word.start()
        if word.group().endswith(","):
            return word.end()
    return end


def _has_shape(table: KeyTable, value: str, category: str) -> bool:
    if value.lower() in table.empty or is_placeholder(value):
        return False
    numeric = (*table.digits, *table.number, "user.government_id", "user.financial", "user.unique_id")
    if category.startswith(numeric):
        return any(char.isdecimal() for char in value)
    return category != "user.contact.email" or "@" in value
