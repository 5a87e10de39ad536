"""Making two histories of one person as strict as both.

Two pseudonyms turn out to be one person, and each brings consents and withdrawals whose order in
time across the two logs cannot be trusted. So a side that ever withdrew a purpose keeps its say on
it: what that side does not allow, the merged history does not allow. Where no side ever withdrew,
consents simply add up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lawful.policies.standing import erasure, withdrawn
from lawful.schemas.event import Micros, RequestKind
from lawful.schemas.history import ConsentFact, Entry, Fact, RequestFact, WithdrawalFact
from lawful.schemas.taxonomy import covers, special_kind

Entries = Sequence[Entry]
Name = str | None
"""A purpose; `None` stands for all of them."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two histories: the purposes it ever withdrew, and the consents it still gives."""

    ended: frozenset[Name]
    given: tuple[ConsentFact, ...]

    def has_say_on(self, purpose: str) -> bool:
        return any(_reaches(name, purpose) for name in self.ended)


def strictest(ours: Entries, theirs: Entries, event_id: str) -> list[Fact]:
    """The facts to put behind both histories so that neither's strictness is lost.

    An erasure that holds on either side holds. Otherwise every purpose that was ever withdrawn is
    withdrawn again, broad ones first, and what both sides allow of it is given again.
    """
    erased = erasure(ours) or erasure(theirs)
    if erased is not None:
        return [erased]
    sides = (_side(ours), _side(theirs))
    ended = sorted(sides[0].ended | sides[1].ended, key=_breadth)
    again = sorted({*_spared(*sides), *_spared(*reversed(sides))}, key=repr)
    facts: list[Fact] = []
    for name in ended:
        facts.append(WithdrawalFact(event_id, None if name is None else (name,)))
        facts.extend(fact for fact in again if _nearest(ended, fact.purposes[0]) == (name,))
    return facts


def _side(entries: Entries) -> _Side:
    ended: set[Name] = set()
    given: list[ConsentFact] = []
    for index, entry in enumerate(entries):
        fact = entry.fact
        if isinstance(fact, WithdrawalFact):
            ended |= {None} if fact.purposes is None else set(fact.purposes)
        elif isinstance(fact, RequestFact) and fact.kind is RequestKind.ERASURE:
            ended.add(None)
        elif isinstance(fact, ConsentFact):
            later = entries[index + 1 :]
            given.extend(_only(fact, purpose) for purpose in fact.purposes if not withdrawn(later, purpose))
    return _Side(frozenset(ended), tuple(given))


def _spared(side: _Side, other: _Side) -> Iterable[ConsentFact]:
    """This side's consents as far as the withdrawals repeated for either side would cut them wrongly."""
    for fact in side.given:
        purpose = fact.purposes[0]
        if other.has_say_on(purpose):
            yield from (meet for theirs in other.given if (meet := _meet(fact, theirs)) is not None)
        elif side.has_say_on(purpose):
            yield fact


def _meet(one: ConsentFact, two: ConsentFact) -> ConsentFact | None:
    """What both consents allow; `None` if nothing."""
    purpose = _narrower(one.purposes[0], two.purposes[0])
    if purpose is None:
        return None
    categories = _meet_categories(one.categories, two.categories)
    if categories == ():
        return None
    ends = [each.expires_at for each in (one, two) if each.expires_at is not None]
    last: Micros | None = min(ends) if ends else None
    event_id = max(one.event_id, two.event_id)
    return ConsentFact(event_id, (purpose,), categories, last, one.re_enrols or two.re_enrols)


def _meet_categories(one: tuple[str, ...] | None, two: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if one is None or two is None:
        listed = one or two
        # What lists nothing covers all but special categories.
        return None if listed is None else tuple(name for name in listed if special_kind(name) is None)
    meets = {name for a in one for b in two if (name := _narrower_category(a, b)) is not None}
    return tuple(sorted(meets))


def _narrower_category(one: str, two: str) -> str | None:
    narrow = _narrower(one, two)
    if narrow is None:
        return None
    wide = two if narrow == one else one
    # A broad name does not cover a special category below it.
    return None if special_kind(narrow) is not None and special_kind(wide) is None else narrow


def _narrower(one: str, two: str) -> str | None:
    if covers(one, two):
        return two
    return one if covers(two, one) else None


def _only(fact: ConsentFact, purpose: str) -> ConsentFact:
    return ConsentFact(fact.event_id, (purpose,), fact.categories, fact.expires_at, fact.re_enrols)


def _reaches(name: Name, purpose: str) -> bool:
    return name is None or covers(name, purpose)


def _nearest(ended: Sequence[Name], purpose: str) -> tuple[Name, ...]:
    """The narrowest of these (given broad to narrow) that covers the purpose, if one does."""
    return tuple([name for name in ended if _reaches(name, purpose)][-1:])


def _breadth(name: Name) -> tuple[int, str]:
    return (0, "") if name is None else (name.count(".") + 1, name)
