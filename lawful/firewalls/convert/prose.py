"""Sentences: a label near a value of its type, and values that need no label.

No grammar and no guessing beyond that. What a sentence is read as may be wrong; it can never be more than the
protocol says.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lawful.firewalls.convert.draft import Found
from lawful.firewalls.forms import (
    BooleanForm,
    ChoiceForm,
    CoordinatesForm,
    DurationForm,
    EmailForm,
    MoneyForm,
    NameForm,
    NumberForm,
    PhoneForm,
)
from lawful.firewalls.vocabulary import Slot, Vocabulary

_ENDS: Final = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z]|[\"'\u201c(])|\n+|\s;\s|;\s")
_BEHIND: Final = 80
_BEFORE: Final = 40
_TOUCHING: Final = re.compile(r"[\s-]{0,2}")
_LINK: Final = re.compile(
    r"\s*(?:(?:is|are|was|named|called|the|at|by|ist|hei\u00dft)\s+|[,:=\u2013-]\s*){0,3}", re.IGNORECASE
)
_NEGATED: Final = re.compile(
    r"(?:^|\W)(?:no|not|without|excluding|kein|keine|ohne|nicht)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_GIVEN: Final = re.compile(
    r"(?:^|\W)(?:includ\w+|with|has|have|having|offer\w*|provid\w+|free|plus|inklusive|mit)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"(?:The|A|An|Our|Your|Der|Die|Das)\s+")
_ALONE: Final = (MoneyForm, PhoneForm, EmailForm, CoordinatesForm, DurationForm)
"""Forms whose values are known without a label, if only one field has the form."""


def sentences(text: str) -> Iterator["Sentence"]:
    """The sentences of a text, in one pass."""
    return (Sentence(each) for each in _ENDS.split(text) if each.strip())


@dataclass(slots=True)
class Sentence:
    """One sentence, and which parts of it have been taken for a value."""

    text: str = field(repr=False)
    taken: list[tuple[int, int]] = field(default_factory=list)

    def read(self, vocabulary: Vocabulary) -> list[Found]:
        """What it says, label by label, and then what it says without a label."""
        labels = [(match.start(), match.end()) for match in vocabulary.labels.finditer(self.text)]
        found: list[Found] = []
        for number, (start, end) in enumerate(labels):
            upto = labels[number + 1][0] if number + 1 < len(labels) else len(self.text)
            since = labels[number - 1][1] if number else 0
            label = self.text[start:end]
            for slot in vocabulary.slots(label)[:1]:
                value = self._near(slot, max(since, start - _BEFORE), start, end, min(upto, end + _BEHIND))
                if value is not None:
                    found.append(Found(label, value))
        found += self._alone(vocabulary, {each.label for each in found})
        return found + self._mentioned(vocabulary)

    def _near(self, slot: Slot, since: int, start: int, end: int, upto: int) -> str | None:
        form = slot.field.form
        if isinstance(form, ChoiceForm):
            return None if form.mentioned else next(iter(form.mentions(self.text[end:upto])), None)
        if isinstance(form, BooleanForm):
            return self._yes_or_no(form, since, start, end, upto)
        pattern = form.pattern
        if pattern is None:
            return None
        before = self._last(pattern, since, start)
        if isinstance(form, NumberForm | NameForm) and before and _TOUCHING.fullmatch(self.text, before[1], start):
            return self._take(before)
        behind = self._first(pattern, end, end + _BEHIND, upto)
        if isinstance(form, NameForm):
            is_close = behind is not None and _LINK.fullmatch(self.text, end, behind[0]) is not None
            return self._take(behind) if behind is not None and is_close else None
        return self._take(behind or before)

    def _yes_or_no(self, form: BooleanForm, since: int, start: int, end: int, upto: int) -> str | None:
        before = self.text[since:start]
        if _NEGATED.search(before):
            return "no"
        span = self._first(form.pattern, end, upto) if form.pattern else None
        if span is not None:
            return self.text[span[0] : upto]
        return "yes" if _GIVEN.search(before) else None

    def _alone(self, vocabulary: Vocabulary, labels: set[str]) -> list[Found]:
        said = {slot.name for label in labels for slot in vocabulary.slots(label)}
        found: list[Found] = []
        for slot in vocabulary.only:
            pattern = slot.field.form.pattern
            if slot.name in said or pattern is None or not isinstance(slot.field.form, _ALONE):
                continue
            span = self._first(pattern, 0, len(self.text))
            if span is not None:
                found.append(Found(slot.field.key, self._take(span)))
        return found

    def _mentioned(self, vocabulary: Vocabulary) -> list[Found]:
        found: list[Found] = []
        for slot, form in vocabulary.mentioned:
            values = list(dict.fromkeys(form.mentions(self.text)))
            if values and (slot.field.most is not None or len(values) == 1):
                found.append(Found(slot.field.key, values if slot.field.most is not None else values[0]))
        return found

    def _first(self, pattern: re.Pattern[str], start: int, end: int, upto: int | None = None) -> tuple[int, int] | None:
        """The first place of a value that begins before the next label; it may reach over that."""
        spans = (match.span() for match in pattern.finditer(self.text, start, end))
        return next((span for span in spans if self._is_free(span) and (upto is None or span[0] < upto)), None)

    def _last(self, pattern: re.Pattern[str], start: int, end: int) -> tuple[int, int] | None:
        spans = [match.span() for match in pattern.finditer(self.text, start, end)]
        return next((span for span in reversed(spans) if self._is_free(span)), None)

    def _is_free(self, span: tuple[int, int]) -> bool:
        return all(span[1] <= start or end <= span[0] for start, end in self.taken[-4:])

    def _take(self, span: tuple[int, int] | None) -> str | None:
        if span is None:
            return None
        self.taken.append(span)
        return _ARTICLE.sub("", self.text[span[0] : span[1]], count=1)
