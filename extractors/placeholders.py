"""What redaction leaves behind is not found again: a redacted payload passes as it is."""

import re

_CATEGORY = r"(?:user|system|lawful)(?:\.[a-z0-9_]+)*"
_PLACEHOLDER = re.compile(
    rf"\[{_CATEGORY}(?:\|{_CATEGORY})*(?:#[a-z]{{8,16}})?\]|\*{{3,}}|\[redacted\]|<[A-Z_]{{3,}}>", re.IGNORECASE
)


def is_placeholder(text: str) -> bool:
    """Whether a text is nothing but a placeholder such as `[user.contact.email]`, a tagged one, or a mask."""
    return _PLACEHOLDER.fullmatch(text.strip()) is not None
