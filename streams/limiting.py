"""A limit that holds even for a detector that does not return.

Detectors are asked for the time they have left, and a well-behaved one ends in it. One that hangs (a loop that
does not end on some text) would stop its worker, and after a restart the next one, on the same event. So a
timer's signal interrupts it, and its event is one that could not be searched: by default, blocked.
"""

import signal
import threading

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor
from lawful.extractors.purposes import claims
from lawful.schemas.event import AgentEvent
from lawful.schemas.view import ExtractionStatus

OVERTIME = "extraction_overtime"
_FACTOR, _GRACE_SECONDS, _AGAIN_SECONDS = 2.0, 0.5, 0.5


class _Overtime(BaseException):
    """No `Exception`: a detector that takes care of its own failures must not take care of this one."""


class Limited:
    """An extractor that returns in time.

    Only where it runs on a process's main thread, as in a worker, can it be interrupted; elsewhere it is as
    it was. What runs outside of Python (a call into a library that never comes back) cannot be either.

    Args:
        inner: the extractor.
    """

    def __init__(self, inner: Extractor) -> None:
        self._inner = inner
        self._running = False

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """See `Extractor`. Twice the policy's `extraction_ms` and half a second is the end."""
        if threading.current_thread() is not threading.main_thread():
            return self._inner.extract(event, spec)
        before = signal.signal(signal.SIGALRM, self._ring)
        self._running = True
        try:
            # Again and again: what is raised into a finaliser is lost.
            signal.setitimer(signal.ITIMER_REAL, self._seconds(spec), _AGAIN_SECONDS)
            return self._inner.extract(event, spec)
        except _Overtime:
            return Extraction((), claims(event, spec), ExtractionStatus.TIMEOUT, OVERTIME)
        finally:
            self._running = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _ring(self, *_: object) -> None:
        if self._running:
            raise _Overtime

    @staticmethod
    def _seconds(spec: ExtractionSpec) -> float:
        return spec.limits.extraction_ms / 1_000 * _FACTOR + _GRACE_SECONDS
