"""Sentences, well enough to say which words stand together."""

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?])[ \t]+(?=[\"'(\[]?[A-ZÀ-Þ0-9])|[\n\r]+|[;|](?=\s)")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Spans that end at a full stop before a capital, a line's end, a semicolon or a bar."""
    start = 0
    for match in _END.finditer(text):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(text):
        yield start, len(text)
