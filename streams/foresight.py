"""Extraction for several events at once, ahead of each one's turn.

Events are answered in order, one by one; what takes time is reading them. So the annotate stage has
all that are waiting read at once, beside the event loop, and finds the result when an event's turn comes.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor, Job, extract_each
from lawful.schemas.event import AgentEvent

_MOST: Final = 1_024  # results that nobody came for


class Foresight:
    """An extractor that may have the answer already. The very same answer: extraction depends on nothing else.

    Args:
        inner: the extractor; safe to share by threads.
    """

    def __init__(self, inner: Extractor) -> None:
        self._inner = inner
        self._known: OrderedDict[str, tuple[Job, Extraction]] = OrderedDict()
        self._lock = threading.Lock()

    def look(self, jobs: Sequence[Job]) -> None:
        """Has these read at once, and keeps the results until they are asked for."""
        found = list(zip(jobs, extract_each(self._inner, jobs), strict=True))
        with self._lock:
            self._known.update((job[0].event_id, (job, extraction)) for job, extraction in found)
            while len(self._known) > _MOST:
                self._known.popitem(last=False)

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """See `lawful.extractors.port.Extractor`."""
        with self._lock:
            known = self._known.pop(event.event_id, None)
        if known is not None and known[0] == (event, spec):
            return known[1]
        return self._inner.extract(event, spec)
