"""Free strings, which never come through: they are told apart, and replaced by opaque names."""

import re
from dataclasses import dataclass
from typing import Final

from lawful.firewalls.values import Reason, Refused
from lawful.schemas.legible import legible

_CAPITAL: Final = r"[A-Z\u00c0-\u00de][\w&'\u2019-]{0,30}"
_LITTLE: Final = r"(?:(?:of|the|and|&|de|la|am|an|der|zum) )?"
_IN_PROSE: Final = re.compile(
    r"[\"\u201c\u00ab\u201e](?P<quoted>[^\"\u201c\u201d\u00ab\u00bb\u201e\n]{1,80})[\"\u201d\u00bb\u201c]"
    rf"|(?<!\w){_CAPITAL}(?: {_LITTLE}{_CAPITAL}){{0,5}}"
)


@dataclass(frozen=True)
class NameForm:
    """A free string; what comes out is `category_1`.

    Attributes:
        longest: characters; a longer one is dropped.
    """

    category: str
    longest: int = 80

    @property
    def pattern(self) -> re.Pattern[str]:
        """What is in quotes, or words with capitals."""
        return _IN_PROSE

    def read(self, text: str) -> str:
        """The string in one line. It is not yet a value: the session's names make one of it."""
        line = " ".join(legible(text).split()).strip(" \"'\u201c\u201d\u201e\u00ab\u00bb*_`")
        if len(line) > self.longest:
            raise Refused(Reason.TOO_LONG)
        if not any(char.isalnum() for char in line):
            raise Refused(Reason.WRONG_TYPE)
        return line

    def holds(self, value: object) -> bool:
        """Whether it is an opaque name of the category."""
        return isinstance(value, str) and re.fullmatch(rf"{self.category}_[1-9][0-9]{{0,8}}", value) is not None
