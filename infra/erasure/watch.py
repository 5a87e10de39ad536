"""Counts whom an erasure should have been told to by now, so that somebody is called (GDPR Art. 19).

Nobody on the way to a verdict could: workers know no recipient of the past, and the audit's writer
may not read findings. So it is a process of its own that asks as an officer, now and then, and
tells numbers only: whom, about whom and in which tenant `lawful erasure overdue` says to officers.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from lawful.infra.clickhouse.query import Officer
from lawful.infra.erasure.report import recipients
from lawful.infra.erasure.trail import NOTICE, Trail, tenants
from lawful.infra.signals import on_signals
from lawful.schemas.errors import LawfulError

logger = logging.getLogger(__name__)

_TURN_SECONDS: Final = 5.0
_AGAIN_SECONDS: Final = 60.0


@dataclass(slots=True)
class Counters:
    """What the last look that succeeded found.

    Attributes:
        overdue: recipients who were not told in time.
        waiting: recipients who were not told yet, and whose time is not over.
        looked_at: when it was, in seconds since 1970; `None` before the first.
        began_at: when watching began.
    """

    overdue: int = 0
    waiting: int = 0
    looked_at: float | None = None
    began_at: float = 0.0

    def age(self, now: float) -> float:
        """For how many seconds nobody has looked."""
        return max(0.0, now - (self.began_at if self.looked_at is None else self.looked_at))


class OverdueWatch:
    """Looks at the erasures of every tenant that the officer may see.

    Args:
        officer: who may read the audit.
        due: within what time recipients are to be told.
        notice: the purpose under which they are.
        clock: seconds since 1970.
    """

    def __init__(
        self, officer: Officer, due: timedelta, notice: str = NOTICE, clock: Callable[[], float] = time.time
    ) -> None:
        self._officer = officer
        self._due = due
        self._notice = notice
        self._clock = clock
        self.counters = Counters(began_at=clock())

    def look(self) -> None:
        """Counts anew.

        Raises:
            LawfulError: ClickHouse is away, or the officer may not read.
        """
        now = datetime.fromtimestamp(self._clock(), UTC)
        overdue = waiting = 0
        for tenant in tenants(self._officer):
            found = recipients(Trail(self._officer, tenant, self._notice).recipients(), self._due, now)
            overdue += sum(each.overdue for each in found)
            waiting += sum(each.told_at is None and not each.overdue for each in found)
        self.counters.overdue, self.counters.waiting = overdue, waiting
        self.counters.looked_at = now.timestamp()

    def run(
        self,
        every: float,
        stop: threading.Event,
        on_turn: Callable[[bool], None] = lambda _fine: None,
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        """Looks every so many seconds until told to stop; after a failure, sooner.

        Args:
            every: seconds between two looks.
            stop: ends it; SIGTERM and SIGINT do, too, when this is the main thread.
            on_turn: told of every turn of the loop, and whether the last look succeeded.
            ready: called after the first look.
        """
        due, fine, first = time.monotonic(), False, True
        with on_signals(stop.set):
            while not stop.is_set():
                if time.monotonic() >= due:
                    fine = self._tried()
                    due = time.monotonic() + (every if fine else min(every, _AGAIN_SECONDS))
                on_turn(fine)
                if first:
                    ready()
                    first = False
                stop.wait(min(_TURN_SECONDS, max(0.0, due - time.monotonic())))

    def _tried(self) -> bool:
        try:
            self.look()
        except LawfulError as error:
            logger.warning("whom erasures should have been told to could not be counted: %s", type(error).__name__)
            return False
        return True
