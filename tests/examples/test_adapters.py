"""The adapters' examples run as they are, on the real extraction, and show what they promise."""

import asyncio
import importlib
import inspect
from pathlib import Path

import pytest

from lawful.client import AsyncGuard, Guard, Transport

FOLDER = Path(__file__).parents[2] / "examples"
BORN = "1990-02-03"
HIDDEN = "[user.demographic.date_of_birth]"
SHOWS = {
    "plain_functions": (HIDDEN, "consent_missing"),
    "langgraph_tools": (HIDDEN, "consent_missing"),
    "openai_agents_tools": (HIDDEN, "consent_missing"),
    "ag2_agent": (HIDDEN, "consent_missing"),
    "mcp_server": (HIDDEN, "consent_missing"),
    "a2a_agent": (HIDDEN,),
    "otel_spans": ("block in trace", "rests on consent"),
}


@pytest.mark.parametrize("name", SHOWS)
def test_an_example_shows_what_it_promises(
    name: str, transport: Transport, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing that the purpose does not need is printed, and no offer goes out without consent."""
    monkeypatch.syspath_prepend(FOLDER)
    main = importlib.import_module(name).main
    if inspect.iscoroutinefunction(main):
        asyncio.run(main(AsyncGuard(transport, agent="bot", policy="shopper", deadline_ms=60_000)))
    else:
        main(Guard(transport, agent="bot", policy="shopper", deadline_ms=60_000))
    printed = capsys.readouterr().out
    assert [words for words in SHOWS[name] if words not in printed] == []
    assert BORN not in printed
    assert "characters sent" not in printed


def test_an_adapters_example_is_short() -> None:
    """Under thirty lines, imports and all, but for the framework's own server."""
    lines = {name: len((FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()) for name in SHOWS}
    assert {name: count for name, count in lines.items() if count >= 30 and name != "a2a_agent"} == {}
