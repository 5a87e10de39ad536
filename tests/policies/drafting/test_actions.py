"""Structured actions drafted from tools and agent cards: a policy that holds them can be used at once."""

import json
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.policies.load import parse_policy
from tests.policies import samples

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "sendInvite",
            "description": "Invites Ada.",
            "parameters": {
                "type": "object",
                "properties": {
                    "patient": {"type": "string", "description": "like P-100001"},
                    "count": {"type": "integer"},
                    "tags": {"type": ["array", "null"]},
                    "action": {"type": "string"},
                },
                "required": ["patient", "action"],
            },
        },
    },
    {"name": "ask", "inputSchema": {"type": "object"}},
]


def drafted(tmp_path: Path, said: object, *options: str) -> int:
    """The command's exit status for this file."""
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(said))
    return run(["policy", "draft-actions", str(file), *options])


def test_tools_become_actions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With schemas without prose, predicates, and the signature that temporal rules are written in."""
    assert drafted(tmp_path, TOOLS, "--json") == Exit.FINE
    told = json.loads(capsys.readouterr().out)
    assert told["actions"] == ["send_invite", "ask"]
    assert "send_invite(patient:string,count:int)" in told["sig"].replace(" ", "")
    assert told["policy"].count("# review:") == 2
    assert "P-100001" not in told["policy"]
    rule = "rules: [{name: asked, formula: 'send_invite(p, n) IMPLIES ONCE ask()', slice: session}]\n"
    channels = parse_policy(samples.TEXT + told["policy"] + rule).channels
    assert channels is not None
    schema = channels.actions["send_invite"].schema
    assert (schema["required"], sorted(schema["properties"])) == (["patient"], ["count", "patient", "tags"])
    assert schema["additionalProperties"] is False


def test_skills_of_an_agent_card_become_actions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They say nothing of members, so that is left to whoever reviews them."""
    card = {"name": "Clinic", "skills": [{"id": "Book-Visit", "name": "x"}, {"name": "9 lives"}]}
    assert drafted(tmp_path, card) == Exit.FINE
    text = capsys.readouterr().out
    actions = parse_policy(samples.TEXT + text).channels
    assert actions is not None
    assert sorted(actions.actions) == ["action_9_lives", "book_visit"]
    assert drafted(tmp_path, card, "--sig") == Exit.FINE
    assert "book_visit()" in capsys.readouterr().out


def test_two_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And so is a file without any."""
    assert drafted(tmp_path, {"skills": [{"id": "a b"}, {"id": "a-b"}]}) == Exit.FAULT
    assert "come to the name 'a_b'" in capsys.readouterr().err
    assert drafted(tmp_path, {"skills": []}) == Exit.FAULT
