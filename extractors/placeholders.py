"""What redaction leaves behind is not found again, and says nothing of what stands beside it."""

import re
from typing import Final

from lawful.schemas.taxonomy import categories

_CATEGORY: Final = r"(?:user|system|lawful)(?:\.[a-z0-9_]+)*"
_PLACEHOLDER: Final = re.compile(
    rf"\[{_CATEGORY}(?:\|{_CATEGORY})*(?:#[a-z]{{8,16}})?\]|\*{{3,}}|\[redacted\]|<[A-Z_]{{3,}}>", re.IGNORECASE
)
_OURS: Final = re.compile(rf"\[(?P<categories>{_CATEGORY}(?:\|{_CATEGORY})*)(?:#[b-df-hj-np-t]{{8,16}})?\]")


def is_placeholder(text: str) -> bool:
    """Whether a text is nothing but a placeholder such as `[user.contact.email]`, a tagged one, or a mask."""
    return _PLACEHOLDER.fullmatch(text.strip()) is not None


def wordless(text: str) -> str:
    """The text without the words in placeholders as redaction writes them; as long as the text.

    `phone_number` in one of them is a word of ours. What only looks like one (`[user.passport] C01X00T47`,
    where there is no such category) keeps its words, and all keep their brackets, which end the word before.
    """
    return _OURS.sub(_without_words, text) if "[" in text else text


def _without_words(match: re.Match[str]) -> str:
    if not all(name in categories() for name in match["categories"].split("|")):
        return match.group()
    return f"[{'x' * (len(match.group()) - 2)}]"
