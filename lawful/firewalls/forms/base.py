"""What every form of a value can do: read one, know one when it sees one, and find one in prose."""

import re
from typing import Protocol

from lawful.firewalls.values import Scalar
from lawful.schemas.strict_json import Number


class Form(Protocol):
    """A type of a protocol's field with its bounds. Pure, total, and linear in the length of what it reads."""

    @property
    def pattern(self) -> re.Pattern[str] | None:
        """Where prose may hold such a value; nothing where prose cannot be trusted to show its ends."""
        ...

    def read(self, text: str) -> Scalar:
        """The value that a text stands for, in the one spelling that the protocol has for it.

        Raises:
            Refused: it is none.
        """
        ...

    def holds(self, value: object) -> bool:
        """Whether `read` could have given this."""
        ...


def is_exact(text: str) -> bool:
    """Whether a text is a number as JSON writes it, with a point and nothing else."""
    return isinstance(text, Number)
