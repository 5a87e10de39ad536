"""What was made of the last texts."""

from collections.abc import Callable

from lawful.extractors.lately import forget, lately
from lawful.extractors.port import Extractor
from lawful.schemas.event import UserMessage
from tests.extractors.support import extract


def _made() -> tuple[list[str], Callable[[str], int]]:
    made: list[str] = []

    @lately
    def length(text: str) -> int:
        made.append(text)
        return len(text)

    return made, length


def test_texts_that_are_read_together_are_looked_at_once() -> None:
    """Recognisers take turns, and texts that were read ahead come again."""
    made, length = _made()
    texts = ["", *map(str, range(100))]
    assert [length(text) for text in (*texts, *texts)] == [*map(len, texts)] * 2
    assert made == texts


def test_what_was_read_is_not_kept(extractor: Extractor) -> None:
    """At the end of a batch no text of it remains, and a text that comes again costs what it cost before."""
    made, length = _made()
    length("a")
    extract(extractor, UserMessage("ask Maria Lopez"))
    length("a")
    forget()
    length("a")
    assert made == ["a", "a", "a"]


def test_what_is_remembered_is_bounded() -> None:
    """A long text is remembered alone, and many short ones make way for others."""
    made, length = _made()
    long = "x" * 4_001
    assert [length(text) for text in ("a", long, long, "a")] == [1, 4_001, 4_001, 1]
    assert made == ["a", long, "a"]
    for number in range(1_000):
        length(f"b{number}")
    length("a")
    assert made[-1] == "a"
