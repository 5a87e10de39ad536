"""Cost over many events."""

import json
from collections.abc import Sequence

import pytest

from lawful.infra.bench.lasting import lasting, new_word
from lawful.schemas.event import AgentEvent, AgentMessage, Payload, ToolCall, ToolResult, UserMessage
from lawful.schemas.strict_json import parse_container


def test_every_text_has_words_of_its_own() -> None:
    """What is read is the payloads, JSON still JSON, each with words that no other has."""
    payloads: list[Payload] = [
        UserMessage("hello"),
        ToolCall("c", "t", '{"a": 1.50} '),
        ToolResult("c", "t", "[1, 2]"),
        AgentMessage('{"a": {}}'),
        ToolResult("c", "t", "{}"),
    ]
    seen = list[AgentEvent]()
    lasting(iter(payloads * 30), 100, seen.extend)
    texts = [_text(event) for event in seen]
    assert len(texts) == 100
    assert len({text for text in texts if text != "{}"}) == 80
    assert texts[0].startswith("hello ")
    assert json.loads(texts[1])["a"] == 1.5
    assert all(parse_container(text)[0] for text in texts if not text.startswith("hello"))


@pytest.mark.parametrize(("count", "tenths"), [(1, ["first"]), (10, ["first", "middle", "last"]), (1_000, None)])
def test_tenths_are_told_apart(count: int, tenths: list[str] | None) -> None:
    """Each tenth has its own CPU and memory; those without an event are left out."""

    def read(events: Sequence[AgentEvent]) -> None:
        assert events

    found = lasting((UserMessage("hello") for _ in range(count)), count, read)
    assert list(found["tenths"]) == (tenths or ["first", "middle", "last"])
    assert found["events"] == count
    if count > 1:
        assert all(one["resident_mib"] > 1 for one in found["tenths"].values())


def test_new_words_do_not_come_again() -> None:
    """Numbers give different words."""
    assert len({new_word(number) for number in range(50_000)}) == 50_000


def _text(event: AgentEvent) -> str:
    match event.payload:
        case ToolCall(arguments=text) | ToolResult(content=text) | UserMessage(text) | AgentMessage(text):
            return text
        case other:
            raise AssertionError(other)
