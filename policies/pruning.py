"""Forgetting facts that can no longer change any answer.

A subject who toggles a consent every day for years must not make every later event slower. What a
later fact of the same prefix has made meaningless goes; everything an answer could still rest on,
or name as its evidence, stays.
"""

from collections.abc import Sequence

from lawful.policies.standing import ended_since, known
from lawful.schemas.event import Micros
from lawful.schemas.history import ConsentFact, Entry, Fact, MergeFact, RequestFact, SeenFact, WithdrawalFact


def compact(entries: Sequence[Entry], cut: Micros) -> tuple[Entry, ...]:
    """The entries that still matter to whatever stands behind all of them.

    Args:
        entries: the leading facts of a history.
        cut: no later event is judged as of a time before this.
    """
    first_seen = next((entry for entry in entries if isinstance(entry.fact, SeenFact)), None)
    # The clock of later decisions is never behind the latest of these.
    latest = max(entries, key=lambda entry: entry.recorded_at, default=None)
    said: set[object] = set()
    kept: list[Entry] = []
    for index in range(len(entries) - 1, -1, -1):
        entry = entries[index]
        gist = _gist(entry.fact, cut)
        matters = gist is not None and gist not in said and not _is_over(entry.fact, entries[index + 1 :])
        if matters or entry is first_seen or entry is latest:
            kept.append(entry)
        said.add(gist)
    if known(entries) and not known(kept):  # whoever was known stays so, also when all that was said is over
        kept.append(next(entry for entry in reversed(entries) if known((entry,))))
        kept.sort(key=entries.index, reverse=True)
    return tuple(reversed(kept))


def _gist(fact: Fact, cut: Micros) -> object:
    """What a fact says, whoever reported it and when; `None` if it says nothing to a later event."""
    if isinstance(fact, ConsentFact):
        past = fact.expires_at is not None and fact.expires_at <= cut
        return (fact.purposes, fact.categories, "past" if past else fact.expires_at, fact.re_enrols, fact.under)
    if isinstance(fact, WithdrawalFact):
        return (fact.purposes,)
    if isinstance(fact, MergeFact):
        return ("alias", fact.alias)
    return fact.kind if isinstance(fact, RequestFact) else None


def _is_over(fact: Fact, later: Sequence[Entry]) -> bool:
    """Whether all that a consent allowed was withdrawn since, and it did nothing else."""
    if not isinstance(fact, ConsentFact) or fact.re_enrols:
        return False
    return all(ended_since(later, purpose) for purpose in fact.purposes)
