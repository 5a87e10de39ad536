"""Long texts in pieces that overlap, so that no recogniser's worst case meets a whole document.

Runs of punctuation are blanked first, one for one: spaCy's tokeniser takes them off one at a time
and looks at the rest again each time (4,000 brackets cost two seconds).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

SIZE = 4_000
OVERLAP = 200  # longer than anything that a pattern matches
_RUN = re.compile(r"[^\w\s]{24,}|_{24,}")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a text and where it starts."""

    start: int
    text: str = field(repr=False)


def chunks(text: str) -> Iterator[Chunk]:
    """A text in pieces of at most `SIZE`, each starting before the end of the last."""
    calm = calmed(text)
    start = 0
    while True:
        end = _boundary(calm, start)
        yield Chunk(start, calm[start:end])
        if end == len(calm):
            return
        start = _backwards(calm, start, end)


def calmed(text: str) -> str:
    """A text with its long runs of punctuation blanked, one for one."""
    return _RUN.sub(lambda run: " " * len(run.group()), text)


def _boundary(text: str, start: int) -> int:
    """The end of a piece: at white space, when there is some in its last `OVERLAP` characters."""
    end = start + SIZE
    if end >= len(text):
        return len(text)
    space = max(text.rfind(char, end - OVERLAP, end) for char in " \n\t")
    return space if space > 0 else end


def _backwards(text: str, start: int, end: int) -> int:
    """Where the next piece starts: `OVERLAP` before the end, at the start of a word when possible."""
    begin = max(start + 1, end - OVERLAP)
    space = text.find(" ", begin, end)
    return space + 1 if 0 <= space < begin + OVERLAP // 2 else begin
