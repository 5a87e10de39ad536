"""One reading per place: of hits that overlap, the ones that say something of their own remain.

Deterministic: the order in which recognisers report does not matter.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from lawful.extractors.candidate import Candidate, Strength
from lawful.schemas.taxonomy import covers, special_kind

# Values that are prose: what stands inside is content of its own, not another reading.
_PROSE = frozenset({"user.health_and_medical", "user.workplace", "user.criminal_history", "user.financial"})
VERIFIED = 1.0  # the score of what a checksum or a domain confirms
_STRETCH = 64  # characters in which hits are neighbours
_MOST = 0.6  # of a weaker reading's span, beyond which the stronger one explains it


def merge(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The hits of one field without those that another one explains, by place.

    A hit goes when a stronger one covers most of it, as another reading of the same characters,
    or when any one covers it all with the same category or one above. What names another person
    than its cover, tells what Art. 9 or 10 protects, or stands in prose that is itself personal
    (a card number in a medical note), stays.
    """
    hits = set(candidates)
    if len(hits) <= 1:
        return list(hits)
    kept = _Places()
    for one in sorted(_whole(hits), key=_rank):
        if not any(_explains(other, one) for other in kept.near(one)):
            kept.add(one)
    # A weaker hit may be longer and of the same category: then the shorter says nothing more.
    told = [one for one in kept.hits if not any(_contains_alike(other, one) for other in kept.near(one))]
    return sorted(told, key=_order)


def _whole(candidates: set[Candidate]) -> Iterable[Candidate]:
    """The hits without stretches of a number with a checksum, such as the last groups of an account number.

    A checksum explains its digits even where a field's name says the same of the whole, and outdoes it.
    """
    sure = [hit for hit in candidates if hit.strength is Strength.PATTERN and hit.score >= VERIFIED]
    if not sure:
        return candidates
    places = _Places(sure)
    return [one for one in candidates if not any(_is_stretch(hit, one) for hit in places.near(one))]


def _is_stretch(sure: Candidate, one: Candidate) -> bool:
    within = sure.start <= one.start and one.end <= sure.end and one.end - one.start < sure.end - sure.start
    return within and one.strength is Strength.PATTERN and _explains(sure, one)


class _Places:
    """Hits by where they stand, so that each is held only against its neighbours.

    Args:
        hits: to begin with.
    """

    def __init__(self, hits: Iterable[Candidate] = ()) -> None:
        self.hits: list[Candidate] = []
        self._by_place: dict[int, list[Candidate]] = defaultdict(list)
        for hit in hits:
            self.add(hit)

    def add(self, hit: Candidate) -> None:
        """One more."""
        self.hits.append(hit)
        for place in self._places(hit):
            self._by_place[place].append(hit)

    def near(self, hit: Candidate) -> Iterator[Candidate]:
        """All that may overlap a hit, some of them more than once."""
        return (other for place in self._places(hit) for other in self._by_place.get(place, ()))

    def _places(self, hit: Candidate) -> range:
        return range(hit.start // _STRETCH, max(hit.start, hit.end - 1) // _STRETCH + 1)


def joined(plain: list[Candidate], disguised: Sequence[Candidate]) -> list[Candidate]:
    """Hits in a text as it reads, and what it hides.

    What is hidden may be several things at one place (all that one encoding holds), none of which
    explains another; it explains what the plain reading takes its letters for.
    """
    if not disguised:
        return plain
    seen, hidden = _Places(plain), _Places()
    for hit in dict.fromkeys(disguised):
        if not any(_is_same(one, hit) for one in seen.near(hit)):
            hidden.add(hit)
    shown = (one for one in plain if not any(_undoes(hit, one) for hit in hidden.near(one)))
    return sorted({*shown, *hidden.hits}, key=_order)


def _is_same(one: Candidate, hit: Candidate) -> bool:
    covered = one.start <= hit.start and hit.end <= one.end
    return covered and covers(one.category, hit.category) and hit.subject in {None, one.subject}


def _undoes(hit: Candidate, one: Candidate) -> bool:
    overlap = min(hit.end, one.end) - max(hit.start, one.start)
    return overlap > 0 and (hit.category == one.category or _explains(hit, one)) and one.strength < Strength.KEY


def _order(hit: Candidate) -> tuple[object, ...]:
    return (hit.start, hit.end, hit.category, hit.detector, hit.subject or "")


def _rank(hit: Candidate) -> tuple[object, ...]:
    specific = hit.category.count(".")
    named = hit.subject is None  # of equals, the one that names a person first
    length = hit.end - hit.start
    return (
        -hit.strength,
        -hit.score,
        -length,
        named,
        -specific,
        hit.category,
        hit.detector,
        hit.start,
        hit.subject or "",
    )


def _explains(strong: Candidate, weak: Candidate) -> bool:
    if _says_more(strong, weak):
        return False
    overlap = min(strong.end, weak.end) - max(strong.start, weak.start)
    length = weak.end - weak.start
    if overlap == strong.end - strong.start < length and covers(weak.category, strong.category):
        return False  # the weaker one says the same of more: the stronger will go
    covered = overlap > 0 and (overlap == length or overlap > _MOST * length)
    if not covered or strong.category not in _PROSE:
        return covered
    return covers(strong.category, weak.category) or overlap > _MOST * (strong.end - strong.start)


def _contains_alike(other: Candidate, one: Candidate) -> bool:
    inside = other.start <= one.start and one.end <= other.end
    smaller = (one.end - one.start) < (other.end - other.start)
    return inside and smaller and covers(other.category, one.category) and one.subject in {None, other.subject}


def _says_more(strong: Candidate, weak: Candidate) -> bool:
    # What Art. 9 and 10 protect is told whatever else stands at the same place.
    telling = special_kind(weak.category) is not None and not covers(strong.category, weak.category)
    return telling or _names_another(strong, weak)


def _names_another(strong: Candidate, weak: Candidate) -> bool:
    """Whether the weaker hit names a person whom the stronger one does not.

    Two identifications of the same characters as the same kind of thing name one person: the
    stronger knows whom (a phone number, with and without its country's code). Digits that belong
    to a number with a checksum are no phone number of anybody.
    """
    if weak.subject is None or weak.subject == strong.subject:
        return False
    if covers(strong.category, weak.category) or covers(weak.category, strong.category):
        return strong.subject is None
    return strong.strength is not Strength.PATTERN or strong.score < VERIFIED
