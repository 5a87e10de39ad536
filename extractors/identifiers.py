"""Who is meant: the subjects that the event declares, and the policy's own kinds of identifiers."""

import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import Field
from lawful.extractors.keynames import normalise_key
from lawful.extractors.known import Lookout
from lawful.extractors.patterns import finditer, in_time, matches_whole, of_people
from lawful.extractors.port import IdentifierPattern
from lawful.extractors.written import Spans, price
from lawful.schemas import normalising
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
    return schemes.get(normalising.scheme(scheme), default)


def is_exempt(field: Field, around: Surroundings) -> bool:
    """Whether the policy says of a value that it only looks like personal data (an article number)."""
    rules = (rule for rule in around.spec.not_personal if normalise_key(rule.key) == field.key)
    return not field.is_key and any(matches_whole(rule.regex, field.text, around) for rule in rules)


class Names:
    """Pseudonyms of identifiers that an event holds, each worked out and paid for once.

    Args:
        pseudonymiser: makes them.
    """

    def __init__(self, pseudonymiser: Pseudonymiser) -> None:
        self._pseudonymiser = pseudonymiser
        self._last = threading.local()

    def of(self, identifier: Identifier, around: Surroundings) -> str:
        """The pseudonym of an identifier.

        Raises:
            TooMuchWork: the event has cost too much already.
        """
        if getattr(self._last, "budget", None) is not around.budget:
            self._last.budget, self._last.known = around.budget, {}
        known: dict[Identifier, str] = self._last.known
        if identifier not in known:
            around.budget.spend(price(identifier))
            known[identifier] = self._pseudonymiser.of(around.event.tenant_id, identifier)
        return known[identifier]


class DeclaredSubjects:
    """Finds the identifiers of the event's own subjects, as they are written or nearly so.

    Args:
        pseudonymiser: names the subject that a hit points to.
    """

    name = "subjects"
    reads_disguises = True
    version = "1"

    def __init__(self, pseudonymiser: Pseudonymiser) -> None:
        self._names = Names(pseudonymiser)
        self._lookout = Lookout(pseudonymiser.normalise)

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Where something has the normal form of one of the subjects' identifiers."""
        return [
            hit
            for subject, spans in self._lookout.occurrences(around.event, field.text, around.budget)
            for hit in self._hits(spans, subject.scheme, self._names.of(subject, around))
        ]

    def _hits(self, spans: Spans, scheme: str, pseudonym: str) -> Iterator[Candidate]:
        category = category_of(scheme)
        for span in spans:
            yield Candidate(*span, category, self.name, self.version, 1.0, Strength.IDENTIFIER, pseudonym)


class PolicyPatterns:
    """Finds the policy's own identifiers, such as customer numbers.

    Args:
        pseudonymiser: names the subject that a hit points to.
    """

    name = "policy.identifiers"
    reads_disguises = True
    version = "1"

    def __init__(self, pseudonymiser: Pseudonymiser) -> None:
        self._names = Names(pseudonymiser)

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Every match of every pattern of the policy."""
        return [
            self._hit(match.span(), match.group(), pattern, around)
            for pattern in around.spec.identifiers
            for match in in_time(_found(pattern, field.text, around.budget))
            if match.group()
        ]

    def _hit(self, span: tuple[int, int], text: str, pattern: IdentifierPattern, around: Surroundings) -> Candidate:
        subject = self._names.of(Identifier(pattern.scheme, text), around) if pattern.scheme else None
        return Candidate(*span, pattern.category, self.name, self.version, 1.0, Strength.IDENTIFIER, subject)


def _found(pattern: IdentifierPattern, text: str, budget: Budget) -> Iterator[Any]:
    find = of_people if pattern.scheme else finditer
    return find(pattern.regex, text, budget.remaining(), budget)
