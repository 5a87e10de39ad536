"""Extractors in processes of their own: one that hangs or crashes costs its event, and nothing else.

Python cannot interrupt a recogniser that does not want to be; a process can be killed. A batch goes
to the children in equal parts, so that several use several cores. A child that does not answer in
time is killed and replaced, and the rest of its part goes to the new one.
"""

import contextlib
import logging
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor, Job
from lawful.extractors.purposes import claims
from lawful.infra.extraction.frames import Late
from lawful.infra.extraction.process import Child, Mother
from lawful.schemas.event import AgentEvent
from lawful.schemas.view import ExtractionStatus

log = logging.getLogger(__name__)

HUNG: Final = Extraction(status=ExtractionStatus.TIMEOUT, status_reason="extraction_hung")
CRASHED: Final = Extraction(status=ExtractionStatus.FAILED, status_reason="extraction_crashed")
SPARE_SECONDS: Final = 0.5
"""Beyond an event's own limit, within which a healthy extractor gives up by itself."""

_EVENTS: Final = 100_000  # after which a child is replaced: whatever a library may leak is let go


class ExtractorPool:
    """The port `Extractor` over child processes. Safe to share by threads.

    Args:
        build: builds an extractor; pickled, and called once, in the process that the others are forked from.
        processes: how many; as many as there are cores to spare.
        spare: seconds beyond an event's limit after which its process is killed.

    Raises:
        ConfigurationError: the extractor cannot be built.
    """

    def __init__(self, build: Callable[[], Extractor], processes: int = 1, spare: float = SPARE_SECONDS) -> None:
        self._build = build
        self._spare = spare
        self._processes = processes
        self._free: queue.SimpleQueue[Child | None] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="extraction")
        self._mother = Mother(build)
        try:
            self._mother.await_ready()
        except BaseException:
            self._mother.close()
            raise
        for _ in range(processes):
            self._free.put(None)  # forked when it is asked

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """See `lawful.extractors.port.Extractor`."""
        (extraction,) = self._part([(event, spec)])
        return extraction

    def extract_each(self, jobs: Sequence[Job]) -> Iterator[Extraction]:
        """See `lawful.extractors.port.BatchExtractor`."""
        size = -(-len(jobs) // self._processes) or 1
        parts = [jobs[start : start + size] for start in range(0, len(jobs), size)]
        answered = self._threads.map(self._part, parts) if len(parts) > 1 else map(self._part, parts)
        return (extraction for part in answered for extraction in part)

    def close(self) -> None:
        """Ends all processes."""
        self._threads.shutdown()
        self._mother.close()
        while not self._free.empty():
            child = self._free.get()
            if child is not None:
                child.close()

    def _part(self, jobs: Sequence[Job]) -> list[Extraction]:
        """The answers to some jobs, however many processes it takes."""
        answers: list[Extraction] = []
        while len(answers) < len(jobs):
            rest = jobs[len(answers) :]
            wrong = self._ask(rest, answers)
            # What went wrong before the first answer may lie with any of them: then each is asked alone.
            if wrong is not None and len(answers) == len(jobs) - len(rest) and len(rest) > 1:
                answers += [extraction for job in rest for extraction in self._part([job])]
            elif wrong is not None:
                answers.append(replace(wrong, purposes=claims(*jobs[len(answers)])))
        return answers

    def _ask(self, jobs: Sequence[Job], answers: list[Extraction]) -> Extraction | None:
        """Adds answers as far as they come; what the next event gets if they stop."""
        child = self._free.get()
        try:
            child = child or self._mother.fork()
            for answer in child.ask(jobs, self._spare):
                answers.append(answer)  # noqa: PERF402 - what came before a failure counts
        except (Late, EOFError, OSError) as error:
            wrong = HUNG if isinstance(error, Late) and child is not None else CRASHED
            log.warning("an extraction process is replaced (%s)", wrong.status_reason)
            self._replace(child)
            child = None
            return wrong
        else:
            if child.events >= _EVENTS:
                self._replace(child)
                child = None
            return None
        finally:
            self._free.put(child)

    def _replace(self, child: Child | None) -> None:
        """Ends a child; the next one is forked when it is asked. Without a child, it is the mother that failed."""
        if child is not None:
            self._mother.kill(child)
            return
        self._mother.close()
        with contextlib.suppress(Exception):  # what fails now is tried again with the next event
            self._mother = Mother(self._build)
            self._mother.await_ready()
