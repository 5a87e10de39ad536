"""Text as people see it: what cannot be seen goes, and what only looks different becomes one."""

import re
import unicodedata
from typing import Final

# Unicode's default-ignorable characters: they change nothing that anybody sees.
UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)

# What else leaves no trace in an id: control characters, the empty braille cell, anchors of annotations.
_TRACELESS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2800\ufff9-\ufffb]")


def legible(text: str) -> str:
    """The text without what cannot be seen, and with one character for those that only look different."""
    return text if text.isascii() else unicodedata.normalize("NFKC", UNSEEN.sub("", text))


def plain_id(text: str) -> str:
    """An id or a name as it is compared: legible, without blanks around it; case is kept. Idempotent."""
    return legible(_TRACELESS.sub("", text)).strip()
