"""How much that cannot be read is borne: a few bad records are an incident, a stream of them is a fault."""

from collections import deque

from lawful.infra.settings import DeadLetterSettings
from lawful.schemas.errors import MustStop

WINDOW = 1_000
_ENOUGH = 100


class Limit:
    """Counts readable and unreadable records, and stops the process when there are too many of these."""

    def __init__(self, settings: DeadLetterSettings) -> None:
        self._settings = settings
        self._recent: deque[bool] = deque(maxlen=WINDOW)
        self._bad = 0
        self._in_a_row = 0

    def add(self, *, readable: bool, where: str) -> None:
        """Notes one record.

        Raises:
            MustStop: too many in a row, or too large a share of the last thousand.
        """
        if len(self._recent) == WINDOW:
            self._bad -= not self._recent[0]
        self._recent.append(readable)
        self._bad += not readable
        self._in_a_row = 0 if readable else self._in_a_row + 1
        if self._in_a_row > self._settings.consecutive:
            self._stop(f"{self._in_a_row} records in a row", where)
        if len(self._recent) >= _ENOUGH and self._bad > self._settings.ratio * len(self._recent):
            self._stop(f"{self._bad} of the last {len(self._recent)} records", where)

    def _stop(self, what: str, where: str) -> None:
        raise MustStop(
            f"{what} could not be read, the last at {where}: this is no accident. Is a newer version writing, or "
            "another program? The table dead_letters lists them; LAWFUL_DEAD_LETTERS_RATIO and "
            "LAWFUL_DEAD_LETTERS_CONSECUTIVE set the limits"
        )
