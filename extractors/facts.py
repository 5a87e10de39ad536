"""What a sentence tells about somebody in figures: a date of birth, an age."""

import re

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.search import Finder

_MONTH = (
    r"(?:jan|janv|feb|févr|fevr|mar|mär|apr|avr|abr|may|mai|jun|juin|jul|juil|aug|août|aout|ago|sep|oct|okt|nov|dec|dez|dic|ene)"
    r"[^\W\d_]{0,8}\.?"
)
_DATE = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    rf"|{_MONTH}[ ]\d{{1,2}}(?:st|nd|rd|th)?,?[ ]\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)?[ ](?:(?:of|de)[ ])?{_MONTH},?[ ](?:de[ ])?\d{{4}})"
)
_BORN = Finder(
    r"\b(?:born|date of birth|birth ?date|birthday|d\.?o\.?b\.?"
    r"|geboren|geb\.|geburtsdatum|geburtstag|née?|naissance|nac[ií]|nacid[oa]|nacimiento|cumpleaños)(?!\w)"
    rf"[^.!?\n\d]{{0,30}}?(?:[.!?][ ]it(?:['\u2019]s|[ ]is)[ ])?(?P<date>{_DATE})(?!\w)",
    re.IGNORECASE,
)
_AGE = Finder(
    r"(?<![\w.])(?:(?:i am|i['\u2019]m|he is|she is|he['\u2019]s|she['\u2019]s|aged?|age of|turn(?:ed|s|ing)?"
    r"|when (?:i|he|she) was)[ ](?P<said>\d{1,3})"
    r"(?![\w%:/\-]|[.,]\d|[ ](?:minutes|hours|days|percent|items|miles|km))"
    r"|(?:daughter|son|child|kid|toddler|boy|girl)\b[^.!?\n\d]{0,30}\b(?:is|turned|aged)[ ](?P<child>\d{1,2})"
    r"(?![\w%:/\-]|[.,]\d|[ ](?:minutes|hours|days|cm|kg|inches))"
    r"|(?<!\d-)(?P<old>\d{1,3})[ \-](?:years?[ \-]old|jahre[ ]alt|jährig\w*|ans(?=[ .,!?]|$)|años))(?!\w)",
    re.IGNORECASE,
)
_OF_AGE = re.compile(r"(?i:\b(?:j['\u2019]ai|a|ai|avait|tengo|tiene|tenía|de|âgée?)[ ])$")
_STEPS = 5  # per match
_GROUPS = ("said", "child", "old")


class Facts:
    """Finds dates of birth and ages in prose. Other dates are about no one."""

    name = "facts"
    version = "3"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Dates behind a word such as `born`; ages of persons."""
        if field.is_key or not field.is_string:
            return []
        born = [
            self._hit(match.span("date"), "user.demographic.date_of_birth")
            for match in around.budget.each(_BORN.finditer(field.text), _STEPS)
        ]
        ages = [
            self._hit(match.span(group), "user.demographic.age_range")
            for match in around.budget.each(_AGE.finditer(field.text), _STEPS)
            for group in _GROUPS
            if match[group] and _is_age(field.text, match)
        ]
        return [*born, *ages]

    def _hit(self, span: tuple[int, int], category: str) -> Candidate:
        return Candidate(*span, category, self.name, self.version, 0.8, Strength.PATTERN)


def _is_age(text: str, match: re.Match[str]) -> bool:
    """`10 ans`, `10 años` may be a warranty's: they need `j'ai`, `tiene`, `de` before them."""
    romance = match.group().lower().endswith(("ans", "años"))
    return not romance or _OF_AGE.search(text[max(0, match.start() - 8) : match.start()]) is not None
