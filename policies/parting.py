"""Setting an identifier apart from those it was linked with by mistake, and what each side keeps.

No restriction is lost: withdrawals, erasures and other requests stand on both sides. A consent
stays with whoever gave it, since nobody can consent for somebody else (GDPR Art. 7(1)). Both sides
stay in the row in which they were one, so there is one moment, in one log, before which they are
one person and after which they are two.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lawful.policies.combinations.remembering import told_before
from lawful.policies.history import as_of, insert
from lawful.policies.labels.remembering import labels_before
from lawful.policies.merging import given, named
from lawful.policies.rules.remembering import acts_before
from lawful.policies.standing import erasure
from lawful.schemas.event import Micros
from lawful.schemas.history import Apart, ConsentFact, Entry, Fact, History, MergeFact, Move, WithdrawalFact
from lawful.schemas.taxonomy import covered_by

OWN = ""
"""The name of the person whose row it is."""


def name_of(history: History, subject: str, offset: int) -> str:
    """Which person of the row a pseudonym is, at an offset."""
    found = OWN
    for move in history.moves:
        if move.subject == subject and move.offset < offset:
            found = move.to
    return found


def person(history: History, name: str) -> History:
    """The history of one person of the row."""
    if name == OWN:
        return history
    found = next((each for each in history.apart if each.name == name), Apart(name))
    return History(found.entries, found.through, found.acts, found.keys, labels=found.labels, told=found.told)


def with_person(history: History, name: str, changed: History) -> History:
    """The row with one person's history changed."""
    if name == OWN:
        return changed
    return with_apart(
        history,
        name,
        entries=changed.entries,
        through=changed.through,
        acts=changed.acts,
        keys=changed.keys,
        labels=changed.labels,
        told=changed.told,
    )


def with_apart(history: History, name: str, **changed: object) -> History:
    """The row with some fields of a person set apart changed."""
    if all(each.name != name for each in history.apart):
        history = replace(history, apart=(*history.apart, Apart(name)))
    apart = tuple(replace(each, **changed) if each.name == name else each for each in history.apart)  # type: ignore[arg-type]
    return replace(history, apart=apart)


def own(name: str, key: str) -> str:
    """The pseudonym that a person of the row is called by; `key` is the row's."""
    return name.partition("/")[0] or key


def aliases(entries: Iterable[Entry]) -> set[str]:
    """The pseudonyms whose histories have come in."""
    return {entry.fact.alias for entry in entries if isinstance(entry.fact, MergeFact)}


def members(history: History, name: str, key: str, offset: int) -> set[str]:
    """The pseudonyms that are this person at an offset."""
    linked = aliases(as_of(person(history, name), offset))
    return {each for each in {own(name, key), *linked} if name_of(history, each, offset) == name}


def moved(history: History, subjects: Iterable[str], name: str, offset: int) -> History:
    """The row in which these pseudonyms are this person from an offset on; unchanged if they are already."""
    new = [Move(each, offset, name) for each in sorted(set(subjects)) if name_of(history, each, offset + 1) != name]
    if not new:
        return history
    return replace(history, moves=tuple(sorted((*history.moves, *new), key=lambda move: move.offset)))


def set_apart(history: History, key: str, subject: str, offset: int, recorded_at: Micros, event_id: str) -> History:  # noqa: PLR0913, PLR0917 - whom, where, when and by which event
    """The row in which a pseudonym is a person of its own from an offset on.

    Unchanged if it is that already, or has been set apart at this offset before. Costs a walk
    through the person's facts.

    Args:
        history: the row.
        key: whose it is.
        subject: who is set apart.
        offset: where.
        recorded_at: when.
        event_id: the event that says so: the evidence of what ends with it.
    """
    name = name_of(history, subject, offset)
    together = members(history, name, key, offset)
    if together <= {subject} or any(move.subject == subject and move.offset == offset for move in history.moves):
        return history
    before, called = person(history, name), own(name, key)
    entries = as_of(before, offset)
    alone = f"{subject}/{offset}"
    after = History(
        tuple(Entry(offset, entry.recorded_at, entry.fact) for entry in going(entries, subject, called)),
        offset,
        tuple(replace(act, offset=offset) for act in acts_before(before, offset)),
        before.keys,
        labels=tuple(replace(label, offset=offset) for label in labels_before(before, offset)),
        told=tuple(replace(each, offset=offset) for each in told_before(before, offset)),
    )
    closing = tuple(Entry(offset, recorded_at, fact) for fact in ending(entries, subject, called, event_id))
    history = with_person(history, name, insert(before, offset, closing))
    return moved(with_person(history, alone, after), [subject], alone, offset)


def going(entries: Sequence[Entry], subject: str, called: str) -> list[Entry]:
    """What goes along with who is set apart: every restriction, and the consents given under that pseudonym.

    Args:
        entries: the facts of both.
        subject: who is set apart.
        called: whose consents those are that say nothing else.
    """
    taken = [entry for entry in entries if not isinstance(entry.fact, MergeFact)]
    return [
        Entry(entry.offset, entry.recorded_at, _as_own(entry.fact))
        for entry in taken
        if not isinstance(entry.fact, ConsentFact) or subject in (entry.fact.under or (called,))
    ]


def staying(entries: Sequence[Entry], subject: str, called: str) -> list[Entry]:
    """What would be there without the consents that only whoever is set apart gave."""
    return [
        entry
        for entry in entries
        if not isinstance(entry.fact, ConsentFact) or set(entry.fact.under or (called,)) != {subject}
    ]


def ending(entries: Sequence[Entry], subject: str, called: str, event_id: str) -> list[Fact]:
    """The facts to put behind, so that the rest is as if the one set apart had consented to nothing."""
    rest = staying(entries, subject, called)
    erased = erasure(rest)
    if erased is not None:
        return [erased] if erasure(entries) is None else []
    theirs = {
        purpose
        for entry in entries
        if isinstance(entry.fact, ConsentFact) and entry not in rest
        for purpose in entry.fact.purposes
    }
    facts: list[Fact] = []
    for purpose in named(entries):
        if covered_by(purpose, tuple(theirs)):
            facts.append(WithdrawalFact(event_id, (purpose,)))
            facts += given(rest, purpose)
    return facts


def _as_own(fact: Fact) -> Fact:
    return replace(fact, under=()) if isinstance(fact, ConsentFact) else fact
