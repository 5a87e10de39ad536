"""AG2's safeguards become channels; what has no equivalent is told, and no draft is made without asking."""

import json
from pathlib import Path
from typing import Any

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.policies.written import read_written
from lawful.schemas.verdict import Decision

SSN = r"\b\d{3}-\d{2}-\d{4}\b"


def rule(source: str, to: str, action: str = "block", **more: Any) -> dict[str, Any]:
    """A safeguard by regular expression."""
    named = {"message_source": source, "message_destination": to, "check_method": "regex", "pattern": SSN}
    return {**named, "violation_response": action, **more}


def safeguards(*transitions: dict[str, Any], **environment: list[dict[str, Any]]) -> dict[str, Any]:
    """A safeguard policy."""
    return {
        "inter_agent_safeguards": {"agent_transitions": list(transitions)},
        "agent_environment_safeguards": environment,
    }


def imported(tmp_path: Path, said: Any, *options: str) -> int:
    """The command's exit status for this file."""
    file = tmp_path / "safeguards.json"
    file.write_text(said if isinstance(said, str) else json.dumps(said))
    return run(["policy", "import-ag2", str(file), "--json", *options])


def test_expressions_become_channels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each edge with its source, destination and response; the draft is one that can be read."""
    said = safeguards(
        rule("assistant", "*"),
        rule("*", "reviewer", "mask"),
        llm_interaction=[rule("assistant", "llm", "warning")],
        tool_interaction=[rule("lookup", "assistant")],
    )
    assert imported(tmp_path, said) == Exit.FINE
    told = json.loads(capsys.readouterr().out)
    assert (told["channels"], told["without"]) == (4, [])
    written = read_written(told["policy"])
    assert written.draft
    channels = written.policy().channels
    assert channels is not None
    assert channels.rules["agent_transitions_0"].sender.ids == ("assistant",)
    assert channels.rules["agent_transitions_1"].to.ids == ("reviewer",)
    (handling,) = channels.rules["agent_transitions_1"].marks.values()
    assert str(handling) == "mask"
    (noted,) = channels.rules["llm_interaction_0"].marks.values()
    assert noted.decision is Decision.WARN
    assert channels.rules["llm_interaction_0"].to.kinds == {"llm"}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (safeguards(rule("a", "b", check_method="llm", disallow_item=["PII"])), "a language model is asked"),
        (safeguards(rule("a", "b", "explode")), "none of block, mask, warning"),
        (safeguards(rule("a", "b", pattern="(")), "no regular expression"),
        (safeguards(rule("a", "b", pattern="x*")), "and so everything"),
        (safeguards({"check_method": "regex"}), "is missing"),
        ({"inter_agent_safeguards": {"groupchat_message_check": {"disallow_item": ["x"]}}}, "groupchat_message_check"),
        ({"inter_agent_safeguards": {"other": 1}}, "inter_agent_safeguards.other: not known"),
    ],
)
def test_what_has_no_equivalent_is_told(
    said: dict[str, Any], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is no draft, unless one is wanted without it."""
    assert imported(tmp_path, said) == Exit.FAULT
    told = json.loads(capsys.readouterr().out)
    assert told["policy"] == ""
    assert any(why in each for each in told["without"])
    assert imported(tmp_path, said, "--without") == Exit.FINE
    assert read_written(json.loads(capsys.readouterr().out)["policy"]).draft


@pytest.mark.parametrize("said", ["no json", "[]", "{}"])
def test_other_files_are_refused(said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what was expected."""
    assert imported(tmp_path, said) == Exit.FAULT
    assert "AG2" in capsys.readouterr().err
