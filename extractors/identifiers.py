"""Who is meant: the subjects that the event declares, and the policy's own kinds of identifiers."""

from functools import lru_cache
from typing import Any

import regex  # type: ignore[import-untyped] # ships no types

from lawful.extractors.budget import TimeUp
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import Field
from lawful.extractors.keynames import normalise_key
from lawful.extractors.port import IdentifierPattern
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier
from lawful.schemas.pseudonym import Pseudonymiser, normalise_identifier

_SHORT = 4  # shorter values occur by chance: they must be the whole field
_PHONE_DIGITS = 7
_PHONE = regex.compile(r"(?<!\w)\+?[(\d](?:[ .\-/()]{0,2}\d){6,16}(?!\w)")


@lru_cache(maxsize=1)
def scheme_categories() -> tuple[dict[str, str], str]:
    """The shipped table of schemes, and the category of all others."""
    data = load_yaml(DATA / "schemes.yaml")
    return dict(data["schemes"]), str(data["default"])


def category_of(scheme: str) -> str:
    """The category of a scheme's values."""
    schemes, default = scheme_categories()
    return schemes.get(scheme.strip().lower(), default)


@lru_cache(maxsize=1_024)
def compiled(pattern: str) -> Any:
    """A policy's pattern, compiled.

    Raises:
        ConfigurationError: it is not a regular expression.
    """
    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise ConfigurationError(f"a pattern of the policy's extraction is wrong: {error}") from error


def is_exempt(field: Field, around: Surroundings) -> bool:
    """Whether the policy says of a value that it only looks like personal data (an article number)."""
    rules = (rule for rule in around.spec.not_personal if normalise_key(rule.key) == field.key)
    return not field.is_key and any(_matches_whole(rule.regex, field.text, around) for rule in rules)


class DeclaredSubjects:
    """Finds the identifiers of the event's own subjects, as they are written or nearly so.

    Args:
        pseudonymiser: names the subject that a hit points to.
    """

    name = "subjects"
    reads_disguises = True
    version = "1"

    def __init__(self, pseudonymiser: Pseudonymiser) -> None:
        self._pseudonymiser = pseudonymiser

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Literal occurrences: any case, any white space, whole words; phone numbers by their digits."""
        found = []
        for subject in around.event.subjects:
            if spans := _occurrences(field.text, subject):
                pseudonym = self._pseudonymiser.of(around.event.tenant_id, subject)
                found += [self._hit(span, subject.scheme, pseudonym) for span in spans]
        return found

    def _hit(self, span: tuple[int, int], scheme: str, pseudonym: str) -> Candidate:
        category = category_of(scheme)
        return Candidate(*span, category, self.name, self.version, 1.0, Strength.IDENTIFIER, pseudonym)


class PolicyPatterns:
    """Finds the policy's own identifiers, such as customer numbers.

    Args:
        pseudonymiser: names the subject that a hit points to.
    """

    name = "policy.identifiers"
    reads_disguises = True
    version = "1"

    def __init__(self, pseudonymiser: Pseudonymiser) -> None:
        self._pseudonymiser = pseudonymiser

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Every match of every pattern of the policy."""
        return [
            self._hit(match.span(), match.group(), pattern, around.event.tenant_id)
            for pattern in around.spec.identifiers
            for match in _matches(compiled(pattern.regex), field.text, around)
            if match.group()
        ]

    def _hit(self, span: tuple[int, int], text: str, pattern: IdentifierPattern, tenant: str) -> Candidate:
        identifier = Identifier(pattern.scheme, text) if pattern.scheme else None
        subject = self._pseudonymiser.of(tenant, identifier) if identifier else None
        return Candidate(*span, pattern.category, self.name, self.version, 1.0, Strength.IDENTIFIER, subject)


def _matches(pattern: Any, text: str, around: Surroundings) -> list[Any]:
    try:
        return list(pattern.finditer(text, timeout=around.budget.remaining()))
    except TimeoutError:
        raise TimeUp from None


def _matches_whole(pattern: str, text: str, around: Surroundings) -> bool:
    try:
        return compiled(pattern).fullmatch(text, timeout=around.budget.remaining()) is not None
    except TimeoutError:
        raise TimeUp from None


def _occurrences(text: str, subject: Identifier) -> list[tuple[int, int]]:
    normal = normalise_identifier(subject)
    if not normal.value:
        return []
    if normal.scheme == "phone":
        return _phone_occurrences(text, normal.value)
    if len(normal.value) < _SHORT:
        whole = normalise_identifier(Identifier(subject.scheme, text)).value == normal.value
        return [(0, len(text))] if whole else []
    words = r"\s+".join(regex.escape(word) for word in subject.value.split())
    return [match.span() for match in regex.finditer(rf"(?<!\w){words}(?!\w)", text, regex.IGNORECASE)]


def _phone_occurrences(text: str, digits: str) -> list[tuple[int, int]]:
    """Numbers with the same digits, with or without the country's code in front."""
    wanted = digits.lstrip("+")
    if len(wanted) < _PHONE_DIGITS or not any(char.isdecimal() for char in text):
        return []
    return [match.span() for match in _PHONE.finditer(text) if _same_number(wanted, match.group())]


def _same_number(wanted: str, written: str) -> bool:
    found = "".join(char for char in written if char.isdecimal()).removeprefix("00")
    shorter, longer = sorted((wanted, found), key=len)
    return longer.endswith(shorter.lstrip("0")) and len(shorter) >= _PHONE_DIGITS and len(longer) - len(shorter) <= 3  # noqa: PLR2004 - a country's code
