"""What an extractor was shown before its first event."""

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor
from lawful.extractors.warming import warm
from lawful.schemas.event import AgentEvent, ToolCall, ToolResult, UserMessage
from lawful.schemas.view import ExtractionStatus


class _Watching:
    """An extractor that keeps what it is shown."""

    def __init__(self) -> None:
        self.seen: list[tuple[AgentEvent, ExtractionSpec]] = []

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """Reads nothing."""
        self.seen.append((event, spec))
        return Extraction()


def test_it_was_shown_whatever_is_read_in_another_way(extractor: Extractor) -> None:
    """Messages and JSON, long and short, ASCII and not; nothing of it may take too long, and all of it is read."""
    watching = _Watching()
    warm(watching)
    payloads = [event.payload for event, _ in watching.seen]
    texts = [payload.text for payload in payloads if isinstance(payload, UserMessage)]
    assert {type(payload) for payload in payloads} >= {UserMessage, ToolCall, ToolResult}
    assert {text.isascii() for text in texts} == {True, False}
    assert max(map(len, texts)) > 1_000 > min(map(len, texts))
    found = [extractor.extract(event, spec) for event, spec in watching.seen]
    assert {one.status for one in found} == {ExtractionStatus.COMPLETE}
    assert all(one.findings for one in found)
