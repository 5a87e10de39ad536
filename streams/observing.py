"""What can be watched of a worker: told afterwards to whoever wants to know, and never asked about.

Metrics, traces and health are made of this. An observer is told of a record once its outputs are
on their way, by what its view says, where identifiers are pseudonyms already; it can hold nothing
up and change nothing, and what it raises goes no further (invariant 4).
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from lawful.schemas.event import Micros
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import View

log = logging.getLogger(__name__)

STAGES: Final = ("annotate", "judge", "combine")


@dataclass(frozen=True, slots=True)
class Note:
    """An event as a stage saw it.

    Attributes:
        view: the event, without content.
        verdict: its effective answer, where the stage gave that.
    """

    view: View
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A record that a stage has dealt with.

    Attributes:
        stage: `annotate`, `judge` or `combine`.
        letter: why it was dead-lettered; empty if it was not.
        notes: the events it was about.
        began, ended: this process's clock, in microseconds.
    """

    stage: str
    partition: int
    offset: int
    began: Micros
    ended: Micros
    letter: str = ""
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a stage stands in one partition.

    Attributes:
        topic: the stage's source.
        done: the offset behind the last record whose outputs have arrived.
        end: where the log ends, as far as the broker has told.
        rows, size: of the stage's table: how many, and how many bytes they take (about).
    """

    stage: str
    topic: str
    partition: int
    done: int
    end: int | None
    rows: int
    size: int

    @property
    def lag(self) -> int:
        """Records that wait."""
        return max(0, (self.end or 0) - self.done)


class Observer(Protocol):
    """Whoever wants to know. Called from the worker's event loop: has to be quick."""

    def done(self, done: Done, /) -> None:
        """A record's outputs are on their way. A record that is done again is told again."""
        ...

    def stands(self, standings: Sequence[Standing], /) -> None:
        """How it stands, about once a second; nothing while no partition is open."""
        ...


class Observers:
    """Tells several; one that fails is told no more, and nobody else notices.

    Args:
        observers: whom to tell.
    """

    def __init__(self, *observers: Observer) -> None:
        self._observers = list(observers)

    def done(self, done: Done) -> None:
        """See `Observer`."""
        self._tell(lambda observer: observer.done(done))

    def stands(self, standings: Sequence[Standing]) -> None:
        """See `Observer`."""
        self._tell(lambda observer: observer.stands(standings))

    def _tell(self, what: Callable[[Observer], None]) -> None:
        for observer in tuple(self._observers):
            try:
                what(observer)
            except Exception as error:  # noqa: BLE001 - watching changes no verdict
                self._observers.remove(observer)
                log.error("%s failed and is off: %s", type(observer).__name__, type(error).__name__)  # noqa: TRY400
