"""One tree of errors, a class per thing the engine must do about it.

The class names the action (stop, dead-letter, block, retry); the message says what was wrong,
where, and what to do. Messages never hold personal data: a value that was read from a record
is described (its type, its length, its place), not quoted.
"""

from dataclasses import dataclass


class LawfulError(Exception):
    """Root of every error this product raises on purpose."""


class RetryLater(LawfulError):
    """The other side is away for now; the same call may succeed later. Nothing was lost."""


class InvalidRecord(LawfulError):
    """These bytes can never be read: dead-letter the record once and go on."""


class MustBlock(LawfulError):
    """This event cannot be judged safely: answer `block` with this message as the reason."""


class MustStop(LawfulError):
    """Going on would break a promise: stop the process and say why."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a text file something is wrong (1-based line and column)."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class ConfigurationError(LawfulError):
    """A file or setting of the operator is wrong; nothing starts until it is mended.

    Args:
        message: what is wrong, in one sentence.
        place: the file, line and column, where there is one.
        hint: what to do about it.
    """

    def __init__(self, message: str, *, place: Place | None = None, hint: str = "") -> None:
        self.message = message
        self.place = place
        self.hint = hint
        where = f"{place}: " if place else ""
        super().__init__(f"{where}{message}" + (f" ({hint})" if hint else ""))
