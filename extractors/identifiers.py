"""Who is meant: the subjects that the event declares, and the policy's own kinds of identifiers."""

from functools import lru_cache
from typing import Any

import regex  # type: ignore[import-untyped] # ships no types

from lawful.extractors.budget import TimeUp
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import Field
from lawful.extractors.keynames import normalise_key
from lawful.extractors.known import Lookout
from lawful.extractors.port import IdentifierPattern
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier
from lawful.schemas.pseudonym import Pseudonymiser


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
        self._lookout = Lookout(pseudonymiser.normalise)

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Where something has the normal form of one of the subjects' identifiers."""
        return [
            self._hit(span, subject.scheme, self._pseudonymiser.of(around.event.tenant_id, subject))
            for subject, spans in self._lookout.occurrences(around.event, field.text)
            for span in spans
        ]

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
            for match in matches(compiled(pattern.regex), field.text, around)
            if match.group()
        ]

    def _hit(self, span: tuple[int, int], text: str, pattern: IdentifierPattern, tenant: str) -> Candidate:
        identifier = Identifier(pattern.scheme, text) if pattern.scheme else None
        subject = self._pseudonymiser.of(tenant, identifier) if identifier else None
        return Candidate(*span, pattern.category, self.name, self.version, 1.0, Strength.IDENTIFIER, subject)


def matches(pattern: Any, text: str, around: Surroundings) -> list[Any]:
    """Every match, within the time that is left.

    Raises:
        TimeUp: it takes longer.
    """
    try:
        return list(pattern.finditer(text, timeout=around.budget.remaining()))
    except TimeoutError:
        raise TimeUp from None


def _matches_whole(pattern: str, text: str, around: Surroundings) -> bool:
    try:
        return compiled(pattern).fullmatch(text, timeout=around.budget.remaining()) is not None
    except TimeoutError:
        raise TimeUp from None
