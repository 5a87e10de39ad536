"""Who a view is about: whose row it stands in, which person of that row, and where it must go on to.

Links of pseudonyms run from the higher to the lower and are never taken back, so whatever concerns
an alias passes through the row of its root, in one order. Setting an identifier apart divides
that row into persons; views say by which identifier they came (`View.origin`), and that tells the
persons apart.
"""

from dataclasses import dataclass

from lawful.policies.combinations.remembering import told_before
from lawful.policies.history import as_of, given_under
from lawful.policies.labels.remembering import labels_before
from lawful.policies.parting import OWN, aliases, members, moved, name_of, own, person, with_apart, with_person
from lawful.policies.rules.remembering import acts_before
from lawful.schemas.changing import changed
from lawful.schemas.history import EMPTY, ConsentFact, Entry, Fact, History, LinkFact, MergeFact
from lawful.schemas.state import LinkRow
from lawful.schemas.view import View


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """What the tables hold for one pseudonym: its history, and whose alias it is."""

    history: History = EMPTY
    link: LinkRow | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """One person's place in a row.

    Attributes:
        key: whose row it is.
        subject: by which pseudonym the person is meant.
        name: of the person in the row; empty for the row's own.
        offset: as of where in the log.
    """

    row: SubjectRow
    key: str
    subject: str
    name: str
    offset: int

    @property
    def history(self) -> History:
        """What is known of this person."""
        return person(self.row.history, self.name)

    @property
    def root(self) -> str | None:
        """Whose alias this person is at the offset, if anybody's."""
        if self.name == OWN:
            link = self.row.link
            return link.root if link is not None and link.offset < self.offset else None
        found = next((each for each in self.row.history.apart if each.name == self.name), None)
        return found.root if found is not None and found.root and found.linked_at < self.offset else None

    def seen(self, view: View) -> View:
        """The view as this person's: by their own name if the row's is somebody else's, and who gave a consent."""
        if (self.row.history.moves and name_of(self.row.history, self.key, self.offset) != OWN) or self.name != OWN:
            view = changed(view, key=self.subject, subject=self.subject)
        fact = view.fact
        if isinstance(fact, ConsentFact) and not fact.under and self.subject != own(self.name, self.key):
            view = changed(view, fact=changed(fact, under=(self.subject,)))
        return view

    def with_history(self, history: History) -> SubjectRow:
        """The row, in which this person's history has changed."""
        before = self.row
        return changed(before, history=with_person(before.history, self.name, history))

    def joined_by(self, fact: Fact | None) -> SubjectRow:
        """The row, in which everyone whose history comes in is this person: they come this way from now on."""
        if not isinstance(fact, MergeFact):
            return self.row
        came = aliases(fact.entries) | {fact.alias}
        after = moved(self.row.history, came, self.name, self.offset)
        return self.row if after is self.row.history else changed(self.row, history=after)

    def linked_to(self, root: str) -> SubjectRow:
        """The row, in which this person is an alias from the offset on."""
        before = self.row
        if self.name == OWN:
            return changed(before, link=LinkRow(root, self.offset))
        return changed(before, history=with_apart(before.history, self.name, root=root, linked_at=self.offset))

    def leaving(self, event_id: str) -> MergeFact:
        """What is known of this person, and by which names, to be merged with what is known elsewhere."""
        history, called = self.history, own(self.name, self.key)
        here = members(self.row.history, self.name, self.key, self.offset) | {self.subject}
        told = (entry for entry in as_of(history, self.offset) if not _left(entry, here))
        return MergeFact(
            event_id,
            called if called in here else self.subject,
            tuple(changed(entry, fact=given_under(entry.fact, called)) for entry in told),
            acts_before(history, self.offset),
            history.keys,
            labels_before(history, self.offset),
            told_before(history, self.offset),
        )


def _left(entry: Entry, here: set[str]) -> bool:
    """Whether the entry marks somebody who has been set apart since."""
    return isinstance(entry.fact, MergeFact) and entry.fact.alias not in here


def seat_of(row: SubjectRow, key: str, subject: str, offset: int) -> Seat:
    """The place of whom a pseudonym means in a row, at an offset."""
    name = name_of(row.history, subject, offset) if row.history.moves else OWN
    return Seat(row, key, subject, name, offset)


def onward(view: View, root: str) -> View:
    """The view as its subject's root sees it. Keys strictly descend, so this ends."""
    origin, fact = view.origin or view.key, view.fact
    if not isinstance(fact, LinkFact):
        return changed(view, key=root, subject=root, origin=origin)
    toward = fact.toward or fact.root
    if root >= fact.root:
        link = LinkFact(fact.event_id, root, fact.root, fact.toward if root > fact.root else toward)
        return changed(view, key=root, subject=root, origin=origin, fact=link)
    # The other end is the higher one now, so it is the one that becomes an alias.
    link = LinkFact(fact.event_id, fact.root, root, origin)
    return changed(view, key=fact.root, subject=fact.root, origin=fact.toward, fact=link)


def merging(view: View, seat: Seat, event_id: str, root: str, toward: str | None) -> View:
    """The view by which a person's history goes to the root that this person was just linked to."""
    return changed(view, key=root, subject=root, origin=toward, fact=seat.leaving(event_id))
