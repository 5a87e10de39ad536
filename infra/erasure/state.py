"""Who a person is and what is remembered of them, read off the workers' state as Kafka has it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lawful.infra.erasure.logs import Advance, Logs
from lawful.policies.standing import erasure
from lawful.schemas.codec import decode
from lawful.schemas.history import EMPTY, History
from lawful.schemas.state import LinkRow
from lawful.streams.claims import Claims
from lawful.streams.linking import Seat, SubjectRow, seat_of
from lawful.streams.steps import HISTORY, LINK

_NOW: Final = 2**62
"""An offset behind every other one."""


@dataclass(slots=True)
class State:
    """The rows of the judge stage.

    Attributes:
        links: by alias: whose alias it is.
        histories: by pseudonym: the row as it was last written, not decoded.
    """

    links: dict[str, LinkRow] = field(default_factory=dict)
    histories: dict[str, bytes] = field(default_factory=dict)

    def seat(self, pseudonym: str) -> Seat:
        """Where a pseudonym's person is, links followed to their end."""
        key = pseudonym
        while True:
            raw = self.histories.get(key)
            row = SubjectRow(EMPTY if raw is None else decode(raw, History), self.links.get(key))
            seat = seat_of(row, key, pseudonym, _NOW)
            if seat.root is None:
                return seat
            key = seat.root

    def family(self, pseudonyms: Iterable[str]) -> set[str]:
        """All pseudonyms of the persons behind these."""
        wanted = {(seat.key, seat.name) for seat in map(self.seat, pseudonyms)}
        hosts = {key for key, _ in wanted}
        near = {*pseudonyms, *hosts, *(alias for alias in self.links if self._host(alias) in hosts)}
        return {each for each in near if ((seat := self.seat(each)).key, seat.name) in wanted}

    def _host(self, pseudonym: str) -> str:
        while (link := self.links.get(pseudonym)) is not None:
            pseudonym = link.root
        return pseudonym


@dataclass(frozen=True, slots=True)
class Person:
    """A person as the product knows them.

    Attributes:
        pseudonyms: all of them.
        facts: how many facts are remembered.
        erased: an erasure holds.
        keys: ids of the keys that their payloads were sealed with.
    """

    pseudonyms: tuple[str, ...]
    facts: int
    erased: bool
    keys: tuple[str, ...]


def person(state: State, pseudonyms: Iterable[str]) -> Person:
    """The person (or several, taken together) behind pseudonyms."""
    given = tuple(pseudonyms)
    family = tuple(sorted(state.family(given)))
    rows = {(seat.key, seat.name): seat.history for seat in map(state.seat, family)}
    return Person(
        family,
        sum(len(history.entries) for history in rows.values()),
        any(erasure(history.entries) is not None for history in rows.values()),
        tuple(sorted({key for history in rows.values() for key in history.keys})),
    )


def read_state(logs: Logs, topic: str, advance: Advance = lambda _done, _of: None) -> State:
    """The rows, from the changelog of the judge stage. Costs a walk through it, and memory for all rows.

    Raises:
        RetryLater: Kafka is away.
    """
    state, claims = State(), defaultdict[int | None, Claims](Claims)
    for message in logs.read(topic, advance):
        name, value = message.key() or b"", message.value()
        if not claims[message.partition()].count(name, value, message.offset() or 0, message.headers()):
            continue
        kind, pseudonym = name[:1], name[1:].decode(errors="replace")
        if kind == LINK and value is not None:
            state.links[pseudonym] = decode(value, LinkRow)
        elif kind == HISTORY:
            if value is None:
                state.histories.pop(pseudonym, None)
            else:
                state.histories[pseudonym] = value
    return state
