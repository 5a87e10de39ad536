"""`lawful policy lint | explain | diff | new`: what is printed, and with which status."""

import json
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.policies.load import pack_folder

TOOLS = [
    {"name": "get_user", "parameters": {"type": "object", "properties": {"email": {"type": "string"}}}},
    {"name": "think"},
]


@pytest.fixture
def looser(tmp_path: Path) -> Path:
    """The shopper pack with P1 at `warn`."""
    path = tmp_path / "policy.yaml"
    text = (pack_folder("shopper") / "policy.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("actions: {P1: block", "actions: {P1: warn"), encoding="utf-8")
    return path


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A file of tool definitions."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(TOOLS), encoding="utf-8")
    return path


def test_the_packs_lint_clean_even_strictly(capsys: pytest.CaptureFixture[str]) -> None:
    """Without arguments all packs are linted; what they allow has reasons."""
    assert run(["policy", "lint", "--strict", "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert found["findings"] == []
    assert all(each["reason"] for each in found["allowed"])


def test_a_warning_fails_only_where_strictness_is_asked_for(looser: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told either way, with place, reason and remedy."""
    assert run(["policy", "lint", str(looser)]) == Exit.FINE
    told = capsys.readouterr().out
    assert f"{looser}:" in told
    assert "action_looser" in told
    assert "mend: set it to 'block'" in told
    assert run(["policy", "lint", "--strict", str(looser)]) == Exit.FAULT


def test_an_error_fails_in_any_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A policy that cannot be read is an error of the linter's too."""
    path = tmp_path / "policy.yaml"
    path.write_text("id: 3\n", encoding="utf-8")
    assert run(["policy", "lint", "--json", str(path)]) == Exit.FAULT
    assert json.loads(capsys.readouterr().out)["errors"] > 0


def test_a_purpose_is_explained_in_words_and_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Both say the article of the legal basis."""
    assert run(["policy", "explain", "medagent", "--purpose", "healthcare.outreach"]) == Exit.FINE
    assert "GDPR Art. 6(1)(a)" in capsys.readouterr().out
    assert run(["policy", "explain", "medagent", "--purpose", "healthcare.outreach", "--json"]) == Exit.FINE
    assert json.loads(capsys.readouterr().out)["purpose"]["article"] == "GDPR Art. 6(1)(a)"


def test_a_tool_and_the_whole_policy_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Without options, the policy at a glance."""
    assert run(["policy", "explain", "shopper", "--tool", "share_with_partner"]) == Exit.FINE
    assert "Goes to: third_party" in capsys.readouterr().out
    assert run(["policy", "explain", "shopper"]) == Exit.FINE
    assert "Purpose marketing.communications:" in capsys.readouterr().out


def test_an_unknown_purpose_is_told_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1, and the name that was probably meant."""
    assert run(["policy", "explain", "medagent", "--purpose", "healthcare.outrech"]) == Exit.FAULT
    assert "did you mean 'healthcare.outreach'?" in capsys.readouterr().err


def test_differences_are_told_and_are_no_fault(looser: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0; with --golden also the cases that get another verdict."""
    assert run(["policy", "diff", "shopper", str(looser), "--golden", "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert [change["direction"] for change in found["changes"]] == ["looser"]
    assert "P1, marketing without consent is blocked" in {case["case"] for case in found["golden"]}
    assert run(["policy", "diff", "shopper", str(looser)]) == Exit.FINE
    assert "looser  actions: a violation of P1" in capsys.readouterr().out


def test_golden_cases_that_are_nowhere_are_a_fault(looser: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is compared in silence."""
    assert run(["policy", "diff", str(looser), str(looser), "--golden"]) == Exit.FAULT
    assert "golden.yaml" in capsys.readouterr().err


def test_a_draft_is_printed_linted_and_refused(tools: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The text alone is on standard output, so that it can go into a file."""
    assert run(["policy", "new", "--from", "openai-tools", str(tools), "--id", "mine"]) == Exit.FINE
    captured = capsys.readouterr()
    path = tmp_path / "policy.yaml"
    path.write_text(captured.out, encoding="utf-8")
    assert "guesses to review" in captured.err
    assert run(["policy", "lint", str(path)]) == Exit.FINE
    assert run(["policy", "explain", str(path)]) == Exit.FINE
    assert run(["policy", "check", str(path)]) == Exit.FAULT
    assert "draft" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "message"), [("nonsense", "this is not JSON"), ("[]", "0 tools")])
def test_a_file_without_tools_is_told(tools: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1, one line, nothing on standard output."""
    tools.write_text(text, encoding="utf-8")
    assert run(["policy", "new", "--from", "openai-tools", str(tools)]) == Exit.FAULT
    captured = capsys.readouterr()
    assert message in captured.err
    assert not captured.out


def test_a_wrong_id_is_told(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id that no policy may have gives no draft."""
    assert run(["policy", "new", "--from", "openai-tools", str(tools), "--id", "My Shop"]) == Exit.FAULT
    assert capsys.readouterr().err.startswith("lawful: --id: 'My Shop' is no id\n  hint: lower-case letters")


def test_a_tool_that_no_policy_names_is_explained_beside_those_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    """What becomes of a call of it is a result; what may have been meant is said beside it."""
    assert run(["policy", "explain", "shopper", "--tool", "nosuch"]) == Exit.FINE
    captured = capsys.readouterr()
    assert "does not name this tool" in captured.out
    assert "the policy's tools are " in captured.err
    assert "send_marketing_email" in captured.err
    assert run(["policy", "explain", "shopper", "--tool", "send_marketing_email"]) == Exit.FINE
    assert not capsys.readouterr().err


@pytest.mark.parametrize("command", [["draft-actions"], ["import-ag2"], ["new", "--from", "openai-tools"]])
def test_a_file_that_is_no_text_is_told(command: list[str], tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name, and what to do."""
    tools.write_bytes('["caf\u00e9"]'.encode("latin-1"))
    assert run(["policy", *command, str(tools)]) == Exit.FAULT
    assert "is not UTF-8" in " ".join(capsys.readouterr().err.split())
