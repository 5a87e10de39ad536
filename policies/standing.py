"""What holds for a subject, read off its facts: seen, erased, consented.

Each function takes the facts from before a position, in log order, and looks from the newest back:
the first fact that speaks to the question answers it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from lawful.schemas.event import Micros, RequestKind
from lawful.schemas.history import ConsentFact, Entry, Fact, History, RequestFact, SeenFact, WithdrawalFact
from lawful.schemas.taxonomy import SpecialKind, covered_by, line, special_kind


class Lack(StrEnum):
    """Why there is no consent. The values are reason codes of violations."""

    MISSING = "consent_missing"
    WITHDRAWN = "consent_withdrawn"
    EXPIRED = "consent_expired"
    NOT_COVERING = "consent_not_covering_category"


@dataclass(frozen=True, slots=True)
class CategoryNeed:
    """A category that a consent must cover.

    Attributes:
        names: names in a consent that cover it.
        special: set when the consent must name it: why.
    """

    category: str
    names: frozenset[str]
    special: SpecialKind | None


@dataclass(frozen=True, slots=True)
class ConsentNeed:
    """A purpose that needs consent, and for what data.

    Attributes:
        names: names in a consent that cover the purpose.
        explicit: one of the categories must be named.
    """

    purpose: str
    names: frozenset[str]
    categories: tuple[CategoryNeed, ...]
    explicit: bool


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What a needed consent falls short of; `evidence` is the event id of the fact that tells."""

    lack: Lack
    categories: tuple[CategoryNeed, ...] = ()
    evidence: str | None = None


def need(purpose: str, categories: Sequence[str], *, explicit: bool) -> ConsentNeed:
    """What consent for a purpose must cover.

    With `explicit`, special categories must be named by the consent itself (Art. 9(2)(a)).
    """
    needs = tuple(_category_need(category, explicit=explicit) for category in categories)
    return ConsentNeed(purpose, frozenset(line(purpose)), needs, any(each.special for each in needs))


def _category_need(category: str, *, explicit: bool) -> CategoryNeed:
    special = special_kind(category) if explicit else None
    # A broad `user` does not name health data: a name counts if it is itself special.
    names = (name for name in line(category) if special is None or special_kind(name) is not None)
    return CategoryNeed(category, frozenset(names), special)


def erasure(entries: Sequence[Entry]) -> RequestFact | None:
    """The erasure that holds: the latest one, unless the subject has enrolled again since."""
    for entry in reversed(entries):
        fact = entry.fact
        if isinstance(fact, ConsentFact) and fact.re_enrols:
            return None
        if isinstance(fact, RequestFact) and fact.kind is RequestKind.ERASURE:
            return fact
    return None


def known(entries: Sequence[Entry]) -> bool:
    """Whether there is anything of the subject's to erase."""
    return any(isinstance(entry.fact, SeenFact | ConsentFact | WithdrawalFact) for entry in entries)


def seen(history: History, offset: int) -> bool:
    """Whether the subject's data was processed before this offset."""
    for entry in history.entries:
        if type(entry.fact) is SeenFact:
            return entry.offset < offset
    return False


def has_opinion(entries: Sequence[Entry]) -> bool:
    """Whether the subject ever gave or withdrew a consent, or asked for erasure, which withdraws all."""
    return any(isinstance(entry.fact, ConsentFact | WithdrawalFact) or is_erasure(entry.fact) for entry in entries)


def is_erasure(fact: Fact) -> bool:
    """Whether the fact is a request under Art. 17."""
    return isinstance(fact, RequestFact) and fact.kind is RequestKind.ERASURE


def withdrawn(entries: Sequence[Entry], purpose: str | None) -> bool:
    """Whether the latest word on the purpose is a withdrawal (`None`: on purposes at large)."""
    for entry in reversed(entries):
        fact = entry.fact
        if isinstance(fact, ConsentFact) and purpose is not None and covered_by(purpose, fact.purposes):
            return False
        if isinstance(fact, WithdrawalFact) and _withdraws(fact, purpose):
            return True
        if isinstance(fact, RequestFact) and fact.kind is RequestKind.ERASURE:
            return True
    return False


def ended_since(later: Sequence[Entry], purpose: str) -> bool:
    """Whether a consent to the purpose, given before these facts, was ended by one of them.

    Consents among them don't matter: they give anew, they don't bring back.
    """
    return withdrawn([entry for entry in later if not isinstance(entry.fact, ConsentFact)], purpose)


def _withdraws(fact: WithdrawalFact, purpose: str | None) -> bool:
    return fact.purposes is None or (purpose is not None and covered_by(purpose, fact.purposes))


def plainly_given(entries: Sequence[Entry], offset: int, wanted: ConsentNeed, time: Micros) -> bool:
    """Whether the latest consent to the purpose before `offset` covers all that is needed by itself.

    A quick check for the judge's usual case. `False` only means that `shortfall` must be asked.
    """
    names = wanted.names
    for entry in reversed(entries):
        fact = entry.fact
        if entry.offset >= offset or isinstance(fact, SeenFact):
            continue
        if not isinstance(fact, ConsentFact):
            return False
        if names.isdisjoint(fact.purposes):
            continue
        if fact.expires_at is not None and not _lasts(fact.expires_at, entries, time):
            return False
        return not (wanted.explicit if fact.categories is None else _still_missing(wanted.categories, fact.categories))
    return False


def _lasts(expires_at: Micros, entries: Sequence[Entry], time: Micros) -> bool:
    """Whether the end is later than anything known of, even of what comes after."""
    return time < expires_at and all(entry.recorded_at < expires_at for entry in entries)


def shortfall(entries: Sequence[Entry], wanted: ConsentNeed, time: Micros) -> Shortfall | None:
    """What the consent in force at `time` lacks; `None` if it covers all that is needed.

    Consents add up: one for the e-mail address and one for the name cover both. An erasure ends
    every consent before it (Art. 17(1)(b)).
    """
    names, missing = wanted.names, wanted.categories
    active: ConsentFact | None = None
    expired: ConsentFact | None = None
    for entry in reversed(entries):
        fact = entry.fact
        if isinstance(fact, ConsentFact):
            if names.isdisjoint(fact.purposes):
                continue
            if fact.expires_at is not None and time >= fact.expires_at:
                expired = expired or fact
                continue
            active = active or fact
            missing = _still_missing(missing, fact.categories)
            if not missing:
                return None
        elif isinstance(fact, WithdrawalFact):
            if fact.purposes is None or not names.isdisjoint(fact.purposes):
                return _fall_short(active, expired, fact, missing)
        elif isinstance(fact, RequestFact) and fact.kind is RequestKind.ERASURE:
            return _fall_short(active, expired, fact, missing)
    return _fall_short(active, expired, None, missing)


def _still_missing(missing: tuple[CategoryNeed, ...], given: tuple[str, ...] | None) -> tuple[CategoryNeed, ...]:
    if given is None:
        return tuple([each for each in missing if each.special])
    return tuple([each for each in missing if each.names.isdisjoint(given)])


def _fall_short(
    active: ConsentFact | None,
    expired: ConsentFact | None,
    end: WithdrawalFact | RequestFact | None,
    missing: tuple[CategoryNeed, ...],
) -> Shortfall:
    if active is not None:
        return Shortfall(Lack.NOT_COVERING, missing, active.event_id)
    if expired is not None:
        return Shortfall(Lack.EXPIRED, evidence=expired.event_id)
    if end is not None:
        return Shortfall(Lack.WITHDRAWN, evidence=end.event_id)
    return Shortfall(Lack.MISSING)
