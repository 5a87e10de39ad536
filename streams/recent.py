"""What the judge stage keeps in memory to be quick and to know duplicates; the log and the rows hold it all."""

from collections import OrderedDict

from lawful.schemas.codec import decode, encode
from lawful.schemas.history import EMPTY, History
from lawful.streams.sameness import First


class Firsts:
    """Where recent views stood first, so that a duplicate is judged as of there."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._places: OrderedDict[tuple[str, str, int], First] = OrderedDict()

    def of(self, key: tuple[str, str, int], now: First) -> First:
        """The first place of this view: the one it has `now`, unless it was seen before."""
        known = self._places.get(key)
        if known is not None and known.at.offset <= now.at.offset:
            return known
        self._places[key] = now
        if len(self._places) > self._limit:
            self._places.popitem(last=False)
        return now


class Histories:
    """Recent people's histories, decoded: the very same object for the very same bytes.

    Whoever acts now acts again soon, and rules look back at acts by the thousand.
    """

    def __init__(self, most: int = 1_000) -> None:
        self._most = most
        self._known: OrderedDict[bytes, tuple[bytes, History]] = OrderedDict()

    def read(self, name: bytes, raw: bytes | None) -> History:
        """The history that a row holds."""
        if raw is None:
            return EMPTY
        known = self._known.get(name)
        if known is not None and known[0] == raw:
            return known[1]
        return self._noted(name, raw, decode(raw, History))

    def write(self, name: bytes, history: History) -> bytes:
        """The row that holds a history."""
        raw = encode(history)
        self._noted(name, raw, history)
        return raw

    def _noted(self, name: bytes, raw: bytes, history: History) -> History:
        self._known[name] = raw, history
        self._known.move_to_end(name)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return history
