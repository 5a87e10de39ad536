"""What a sentence tells about somebody in figures: a date of birth, an age."""

import re

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = (
    rf"(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}"
    rf"|{_MONTH}[ ]\d{{1,2}}(?:st|nd|rd|th)?,?[ ]\d{{4}}|\d{{1,2}}(?:st|nd|rd|th|\.)?[ ](?:of[ ])?{_MONTH},?[ ]\d{{4}})"
)
_BORN = re.compile(
    rf"\b(?:born|date of birth|birth ?date|birthday|d\.?o\.?b\.?)\b[^.!?\n\d]{{0,30}}?(?P<date>{_DATE})(?!\w)",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"(?<![\w.])(?:(?:i am|i['\u2019]m|he is|she is|he['\u2019]s|she['\u2019]s|aged?|age of)[ ](?P<said>\d{1,3})"
    r"(?![\w%.,:/\-]|[ ](?:minutes|hours|days|percent|items|miles|km))"
    r"|(?P<old>\d{1,3})[ \-]years?[ \-]old)(?!\w)",
    re.IGNORECASE,
)


class Facts:
    """Finds dates of birth and ages in prose. Other dates are about no one."""

    name = "facts"
    version = "1"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Dates behind a word such as `born`; ages of persons."""
        del around
        if field.is_key or not field.is_string:
            return []
        born = [self._hit(match.span("date"), "user.demographic.date_of_birth") for match in _BORN.finditer(field.text)]
        ages = [
            self._hit(match.span("said" if match["said"] else "old"), "user.demographic.age_range")
            for match in _AGE.finditer(field.text)
        ]
        return [*born, *ages]

    def _hit(self, span: tuple[int, int], category: str) -> Candidate:
        return Candidate(*span, category, self.name, self.version, 0.8, Strength.PATTERN)
