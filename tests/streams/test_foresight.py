"""Answers that are there before they are asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lawful.extractors.port import Extraction, ExtractionSpec, Job
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.view import Finding
from lawful.streams import foresight
from lawful.streams.foresight import Foresight
from tests.extractors.support import SPEC, event


class Counting:
    """Finds the whole text, and counts how often it is asked."""

    def __init__(self) -> None:
        self.alone, self.together = 0, 0

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """One event."""
        self.alone += 1
        return self._found(event)

    def extract_each(self, jobs: Sequence[Job]) -> Iterator[Extraction]:
        """Many."""
        self.together += 1
        return (self._found(one) for one, _ in jobs)

    def _found(self, event: AgentEvent) -> Extraction:
        text = event.payload.text if isinstance(event.payload, UserMessage) else ""
        return Extraction((Finding("/text", 0, len(text), "user.name", "counting", "1", 1.0),))


def named(event_id: str, text: str) -> AgentEvent:
    """An event."""
    return replace(event(UserMessage(text)), event_id=event_id)


def test_what_was_looked_at_is_not_read_again() -> None:
    """Many at once, then each from memory, once."""
    inner = Counting()
    extractor = Foresight(inner)
    events = [named(str(number), "x" * number) for number in range(5)]
    extractor.look([(one, SPEC) for one in events])
    assert [extractor.extract(one, SPEC).findings[0].end for one in events] == list(range(5))
    assert (inner.together, inner.alone) == (1, 0)
    extractor.extract(events[0], SPEC)
    assert inner.alone == 1


def test_only_the_very_same_question_has_the_answer() -> None:
    """Another payload under the same id, or another policy, is read by itself."""
    for other, spec in ((named("a", "yy"), SPEC), (named("a", "x"), replace(SPEC, names=False))):
        inner = Counting()
        extractor = Foresight(inner)
        extractor.look([(named("a", "x"), SPEC)])
        assert extractor.extract(other, spec) == inner._found(other)
        assert inner.alone == 1


def test_what_nobody_asks_for_is_forgotten() -> None:
    """Memory is bounded."""
    extractor = Foresight(Counting())
    many = foresight._MOST + 10
    extractor.look([(named(str(number), "x"), SPEC) for number in range(many)])
    assert len(extractor._known) == foresight._MOST
