"""Letters that names are written with, as classes of regular expressions: `Øystein`, `Łukasz`, `Şuheda`, `Ольга`.

A class that ends at `ÿ` finds the names of Western Europe only.
"""

import unicodedata
from typing import Final

_BLOCKS: Final = (range(0xC0, 0x250), range(0x1E00, 0x1F00), range(0x386, 0x3D0), range(0x400, 0x530))


def _of(category: str) -> str:
    return "".join(char for block in _BLOCKS for char in map(chr, block) if unicodedata.category(char) == category)


CAPITALS: Final = "A-Z" + _of("Lu")
"""What goes between the brackets of a class: Latin, Greek and Cyrillic capitals."""
SMALL: Final = "a-z" + _of("Ll")
"""The same of small letters."""
