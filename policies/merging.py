"""Making two histories of one person as strict as both.

Two pseudonyms turn out to be one person, and each brings consents and withdrawals whose order in
time across the two logs cannot be trusted. So a side that ever withdrew a purpose keeps its say on
it: what that side does not allow, the merged history does not allow. Where no side ever withdrew,
consents simply add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lawful.policies.standing import ended_since, erasure, is_erasure
from lawful.schemas.event import Micros
from lawful.schemas.history import ConsentFact, Entry, Fact, WithdrawalFact
from lawful.schemas.taxonomy import covered_by, covers, special_kind

Entries = Sequence[Entry]
Name = str | None
"""A purpose; `None` stands for all of them."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two histories, and the purposes it ever withdrew (an erasure withdraws all)."""

    entries: Entries
    ended: frozenset[Name]

    def has_say_on(self, purpose: str) -> bool:
        """Whether it ever withdrew the purpose or a broader one."""
        return any(name is None or covers(name, purpose) for name in self.ended)

    def gives(self, purpose: str) -> list[ConsentFact]:
        """Its consents that are in force for the purpose, narrowed to that."""
        return given(self.entries, purpose)


def given(entries: Entries, purpose: str) -> list[ConsentFact]:
    """The consents that are in force for a purpose, narrowed to that."""
    return [
        replace(fact, purposes=(purpose,))
        for index, entry in enumerate(entries)
        if isinstance(fact := entry.fact, ConsentFact)
        and covered_by(purpose, fact.purposes)
        and not ended_since(entries[index + 1 :], purpose)
    ]


def named(entries: Entries) -> list[str]:
    """The purposes that these facts speak of, broad ones first: read from the back, the narrowest word counts."""
    told = [entry.fact for entry in entries if isinstance(entry.fact, ConsentFact | WithdrawalFact)]
    names = {purpose for fact in told for purpose in fact.purposes or ()}
    return sorted(names, key=lambda name: (name.count("."), name))


def strictest(ours: Entries, theirs: Entries, event_id: str) -> list[Fact]:
    """The facts to put behind both histories so that neither's strictness is lost.

    An erasure that holds on either side holds. Otherwise each purpose that anyone named and a side
    has its say on is withdrawn again, broad ones first, and what may still be done is given again.
    """
    erased = erasure(ours) or erasure(theirs)
    if erased is not None:
        return [erased]
    sides = (_side(ours), _side(theirs))
    facts: list[Fact] = [WithdrawalFact(event_id, None)] if any(None in side.ended for side in sides) else []
    for purpose in named((*ours, *theirs)):
        allowed = [side.gives(purpose) for side in sides if side.has_say_on(purpose)]
        if allowed:
            facts.append(WithdrawalFact(event_id, (purpose,)))
            facts.extend(sorted(_all_allow(allowed), key=repr))
    return facts


def _side(entries: Entries) -> _Side:
    ended: set[Name] = set()
    for entry in entries:
        fact = entry.fact
        if isinstance(fact, WithdrawalFact):
            ended |= {None} if fact.purposes is None else set(fact.purposes)
        elif is_erasure(fact):
            ended.add(None)
    return _Side(entries, frozenset(ended))


def _all_allow(allowed: Sequence[list[ConsentFact]]) -> set[ConsentFact]:
    """What every side that has a say allows."""
    if len(allowed) == 1:
        return set(allowed[0])
    return {meet for one in allowed[0] for two in allowed[1] if (meet := _meet(one, two)) is not None}


def _meet(one: ConsentFact, two: ConsentFact) -> ConsentFact | None:
    """What both consents to the same purpose allow; `None` if nothing."""
    categories = _meet_categories(one.categories, two.categories)
    if categories == ():
        return None
    ends = [each.expires_at for each in (one, two) if each.expires_at is not None]
    last: Micros | None = min(ends) if ends else None
    event_id = max(one.event_id, two.event_id)
    # Given by both; where one of them is the row's own, by that one, so that setting apart only takes away.
    under = tuple(sorted({*one.under, *two.under})) if one.under and two.under else ()
    return ConsentFact(event_id, one.purposes, categories, last, one.re_enrols or two.re_enrols, under)


def _meet_categories(one: tuple[str, ...] | None, two: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if one is None or two is None:
        listed = one or two
        # What lists nothing covers all but special categories.
        return None if listed is None else tuple(name for name in listed if special_kind(name) is None)
    meets = {name for a in one for b in two if (name := _narrower_category(a, b)) is not None}
    return tuple(sorted(meets))


def _narrower_category(one: str, two: str) -> str | None:
    """The narrower of two names, if one covers the other; a broad name does not cover special data."""
    narrow, wide = (one, two) if covers(two, one) else (two, one)
    if not covers(wide, narrow) or (special_kind(narrow) is not None and special_kind(wide) is None):
        return None
    return narrow
