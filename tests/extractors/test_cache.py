"""What was found before."""

from lawful.extractors.cache import Cached
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from tests.extractors.support import around


class Counting:
    """A recogniser that counts how often it is asked."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """The whole text."""
        self.asked += 1
        if self.fails:
            raise RuntimeError
        return [Candidate(0, len(field.text), "user.name", self.name, "1", 1.0, Strength.GUESS)]


def test_the_same_text_is_read_once() -> None:
    """A repeated text costs nothing and gives the same; another name, kind or text is another question."""
    inner, surroundings = Counting(), around()
    cached = Cached(inner)
    first = cached.find(Field("/a", "text", ("k",)), surroundings)
    assert cached.find(Field("/b", "text", ("k",)), surroundings) == first
    assert inner.asked == 1
    for other in (
        Field("/a", "text", ("j",)),
        Field("/a", "texts", ("k",)),
        Field("/a", "text", ("k",), is_key=True),
        Field("/a", "text", ("k",), is_string=False),
        Field("/a", "ktext"),
    ):
        cached.find(other, surroundings)
    assert inner.asked == 6


def test_the_cache_is_bounded_and_forgets_the_oldest() -> None:
    """Beyond its bound the least used text goes."""
    inner, surroundings = Counting(), around()
    cached = Cached(inner, entries=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        cached.find(Field("/x", text), surroundings)
    assert inner.asked == 4


def test_failures_and_texts_are_not_remembered() -> None:
    """What raised is asked again, and no text is kept (A36)."""
    inner, surroundings = Counting(), around()
    cached = Cached(inner)
    inner.fails = True
    for _ in range(2):
        try:
            cached.find(Field("/x", "jane@example.com"), surroundings)
        except RuntimeError:
            continue
    inner.fails = False
    cached.find(Field("/x", "jane@example.com"), surroundings)
    assert inner.asked == 3
    assert "jane" not in repr(vars(cached))
