"""What redaction leaves behind is not found again: a redacted payload passes as it is."""

import re
from typing import Final

_CATEGORY = r"(?:user|system|lawful)(?:\.[a-z0-9_]+)*"
_PLACEHOLDER = re.compile(
    rf"\[{_CATEGORY}(?:\|{_CATEGORY})*(?:#[a-z]{{8,16}})?\]|\*{{3,}}|\[redacted\]|<[A-Z_]{{3,}}>", re.IGNORECASE
)


_LEFT: Final = re.compile(rf"\[{_CATEGORY}(?:\|{_CATEGORY})*(?:#[a-z]{{8,16}})?\]|\*{{3,}}|\[redacted\]")


def blanked(text: str) -> str:
    """The text with one word of no meaning for each thing that redaction left; as long as the text.

    What stands there says nothing of what stands beside it: `phone_number` in a placeholder is a word of ours.
    """
    if "[" not in text and "***" not in text:
        return text
    return _LEFT.sub(lambda match: "x" * len(match.group()), text)


def is_placeholder(text: str) -> bool:
    """Whether a text is nothing but a placeholder such as `[user.contact.email]`, a tagged one, or a mask."""
    return _PLACEHOLDER.fullmatch(text.strip()) is not None
