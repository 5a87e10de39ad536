"""What has been found in a message so far, and which thing it is said of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lawful.firewalls.convert.port import Candidate, Conversion
from lawful.firewalls.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Found:
    """A label and a value that were found together, not yet said of a thing."""

    label: str = field(repr=False)
    value: object = field(repr=False)


@dataclass(slots=True)
class Draft:
    """Collects candidates. A thing ends where one of its fields would be said again.

    Attributes:
        item: the number of the thing that is being told of.
        kind: what the text calls it.
        said: what has been said of it, by the protocol's names.
        kinds: of which records it may be, by what has been said of it; nothing yet if empty.
    """

    vocabulary: Vocabulary
    candidates: list[Candidate] = field(default_factory=list, repr=False)
    not_understood: int = 0
    unreadable: int = 0
    item: int = 0
    kind: str = field(default="", repr=False)
    said: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    last: int = 0

    def tell(self, found: Sequence[Found]) -> None:
        """Adds what one line or sentence says, to the thing that is being told of or to the next one."""
        if any(self._is_of_another(each) for each in found):
            self.next(self.kind)
        for each in found:
            if self._is_of_another(each):
                self.next(self.kind)
            slots = self.vocabulary.slots(each.label)
            self.said |= {slot.name for slot in slots if slot.kind and slot.field.most is None}
            kinds = {slot.kind for slot in slots if slot.kind}
            self.kinds = self.kinds & kinds or kinds or self.kinds
            self.candidates.append(Candidate(each.label, each.value, self.kind, self.item))

    def _is_of_another(self, found: Found) -> bool:
        """Whether it cannot be said of this thing: it has been, or it is of another kind."""
        slots = [slot for slot in self.vocabulary.slots(found.label) if slot.kind]
        kinds = {slot.kind for slot in slots}
        said = {slot.name for slot in slots if slot.kind in (self.kinds or kinds)}
        return bool(said & self.said) or bool(kinds and self.kinds and not kinds & self.kinds)

    def next(self, kind: str = "") -> None:
        """Begins with another thing."""
        self.last += 1
        self.item, self.kind = self.last, kind
        self.said, self.kinds = set(), set()

    def done(self) -> Conversion:
        """All of it."""
        return Conversion(self.candidates, self.not_understood, self.unreadable)
