"""A guard's reports on their way to the audit topic: kept until the broker has them."""

import itertools
import threading
from collections.abc import Callable
from typing import Any, Final

from lawful.client.spool import Spool
from lawful.schemas.audit import GuardReport

MOST: Final = 10_000
"""More reports than this mean hours without a broker; then the oldest go, and the log says so."""

Produce = Callable[[GuardReport, Callable[[Any, Any], None]], None]
"""Starts sending a report, and calls back with an error or `None`."""


class Outbox:
    """Unsent reports. Safe to share by threads.

    Args:
        spool: where they are kept between processes.
    """

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: dict[int, GuardReport] = {}
        self._flying: dict[int, GuardReport] = {}
        self.lost = 0

    def load(self) -> None:
        """Takes over what an earlier process left."""
        for report in self._spool.load():
            self.add(report)

    def add(self, report: GuardReport) -> None:
        """One more to send."""
        with self._lock:
            self._waiting[next(self._numbers)] = report
            if len(self._waiting) > MOST:
                del self._waiting[min(self._waiting)]
                self.lost += 1

    def send(self, produce: Produce) -> None:
        """Starts sending all that wait. Those that fail wait again."""
        with self._lock:
            going, self._waiting = self._waiting, {}
            self._flying |= going
        for number, report in going.items():
            try:
                produce(report, self._callback(number))
            except Exception:  # noqa: BLE001 - whatever it was, the report is kept
                self._landed(number, arrived=False)

    def keep(self) -> None:
        """Writes what has not arrived to the spool."""
        with self._lock:
            left = self._flying | self._waiting
        self._spool.save(left[number] for number in sorted(left))

    def _callback(self, number: int) -> Callable[[Any, Any], None]:
        return lambda error, _: self._landed(number, arrived=error is None)

    def _landed(self, number: int, *, arrived: bool) -> None:
        with self._lock:
            report = self._flying.pop(number, None)
            if report is not None and not arrived:
                self._waiting[number] = report
