"""Opaque names: what stands for a free string while an agent reads and writes, and the way back."""

import re
from dataclasses import dataclass, field
from typing import Final

from lawful.firewalls.values import Reason, Refused
from lawful.schemas.normalising import plain

_OPAQUE: Final = re.compile(r"(?<![\w])[a-z][a-z0-9_]{0,62}_[1-9][0-9]{0,8}(?!\w)")


@dataclass(slots=True)
class Names:
    """The opaque names of one session. Kept in memory only, and never written down.

    Attributes:
        by_string: category and normal form of a string, to its opaque name.
        strings: each opaque name's string, as it was first written.
        counts: how many names there are of a category.
    """

    by_string: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    strings: dict[str, str] = field(default_factory=dict, repr=False)
    counts: dict[str, int] = field(default_factory=dict)

    def opaque(self, category: str, string: str, most: int) -> str:
        """The name of a string: the same one whenever the string comes again.

        Raises:
            Refused: there are so many names already.
        """
        key = (category, plain(string))
        known = self.by_string.get(key)
        if known is not None:
            return known
        if len(self.strings) >= most:
            raise Refused(Reason.TOO_MANY)
        self.counts[category] = number = self.counts.get(category, 0) + 1
        name = f"{category}_{number}"
        self.by_string[key], self.strings[name] = name, string
        return name

    def restore(self, text: str) -> str:
        """A text with the strings that its opaque names stand for. What was put in is not looked at again."""
        return _OPAQUE.sub(lambda match: self.strings.get(match[0], match[0]), text)
