"""Two processes that read the same texts in turn, one by our extractor and one by default Presidio.

Each has its memory and its caches for itself, as it would have where it is used; both read a portion before
either reads the next, so that a busy moment of the machine hits both.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final

from lawful.extractors.port import Extractor, extract_each
from lawful.extractors.presidio.default import DefaultPresidio
from lawful.infra.bench.lasting import Spent, portions, timed
from lawful.infra.bench.timing import quiet
from lawful.infra.corpus.generate import Part, corpus
from lawful.infra.scoring.evaluate import OURS, THEIRS
from lawful.infra.scoring.readers import SPEC, event_of, our_extractor, presidio, whole
from lawful.schemas.event import AgentEvent, Payload

WHOLE: Final = "whole"
"""Default Presidio, asked about a document as one text."""
_WARM: Final = 200
_tasks: dict[str, Callable[[Sequence[Payload], int], Spent]] = {}


Turn = Callable[[str, Sequence[Payload], int], Spent]
"""What a reader takes for some payloads; our extractor gets so many of them at once."""


@contextmanager
def turns() -> Iterator[Turn]:
    """Both readers, warm, each in a process of its own: `OURS`, `THEIRS`, and the latter as `WHOLE`."""
    with _process(OURS) as mine, _process(THEIRS) as theirs:

        def take(name: str, payloads: Sequence[Payload], batch: int) -> Spent:
            return (mine if name == OURS else theirs).submit(_read, name, payloads, batch).result()

        yield take


def _process(name: str) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_begin, initargs=(name,))


def _begin(name: str) -> None:
    """Builds a reader; what it learns at first use (RE2's automata, words' vectors) it learns from other texts."""
    if name == OURS:
        extractor = our_extractor()
        _tasks[OURS] = lambda some, batch: timed(extract_all, extractor, [event_of(each) for each in some], batch)
    else:
        stock = DefaultPresidio()
        _tasks[THEIRS] = _each(presidio(stock))
        _tasks[WHOLE] = _each(whole(stock))
    for task in _tasks.values():
        task([sample.payload for sample in corpus(Part.TUNING, _WARM, seed=0)], 1)


def _each(read: Callable[[Payload], object]) -> Callable[[Sequence[Payload], int], Spent]:
    """Presidio reads one text after the other."""

    def all_of(payloads: Sequence[Payload]) -> None:
        for payload in payloads:
            read(payload)

    return lambda payloads, _: timed(all_of, payloads)


def _read(name: str, payloads: Sequence[Payload], batch: int) -> Spent:
    with quiet():
        return _tasks[name](payloads, batch)


def extract_all(extractor: Extractor, events: Sequence[AgentEvent], batch: int) -> None:
    """Has our extractor read events, so many at once."""
    if batch == 1:
        for event in events:
            extractor.extract(event, SPEC)
        return
    for some in portions(events, batch):
        list(extract_each(extractor, [(event, SPEC) for event in some]))
