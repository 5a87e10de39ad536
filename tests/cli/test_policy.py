"""`lawful policy`: mistakes are told with their places, golden cases are run."""

import json
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.policies.load import pack_folder, pack_names


def misspelt(tmp_path: Path) -> Path:
    """A copy of a pack in which a tool names a purpose that does not exist."""
    text = (pack_folder("shopper") / "policy.yaml").read_text(encoding="utf-8")
    path = tmp_path / "policy.yaml"
    path.write_text(text.replace("purposes: [marketing.communications.email]", "purposes: [marketing.comunications]"))
    return path


def test_the_packs_are_fine(capsys: pytest.CaptureFixture[str]) -> None:
    """Without arguments all packs are read, and named with their digests."""
    assert run(["policy", "check", "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert sorted(policy["id"] for policy in found["policies"]) == sorted(pack_names())
    assert not found["problems"]


def test_a_misspelt_purpose_is_told_with_place_and_suggestion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line and column come first, then what was meant; the exit status is 1."""
    path = misspelt(tmp_path)
    assert run(["policy", "check", str(path)]) == Exit.FAULT
    captured = capsys.readouterr()
    line = next(
        number
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if "comunications" in text
    )
    assert f"{path}:{line}:" in captured.err
    assert "did you mean" in captured.err
    assert not captured.out


def test_a_file_that_is_not_there_is_told_as_by_any_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Our name first, then what to do; JSON has the same in one string."""
    missing = str(tmp_path / "nosuch.yaml")
    assert run(["policy", "check", missing]) == Exit.FAULT
    assert capsys.readouterr().err == (
        f"lawful: {missing} cannot be read: No such file or directory\n  hint: check the path\n"
    )
    assert run(["policy", "check", "--json", missing]) == Exit.FAULT
    assert json.loads(capsys.readouterr().out)["problems"][0].endswith("(check the path)")


def test_golden_cases_of_all_packs_pass(capsys: pytest.CaptureFixture[str]) -> None:
    """`policy test` runs every pack's cases."""
    assert run(["policy", "test", "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert found["failed"] == 0
    assert {case["policy"] for case in found["cases"]} == set(pack_names())


def test_a_failing_case_is_named_with_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A policy that decides otherwise than its cases say ends with status 1 and the differences."""
    for name in ("policy.yaml", "golden.yaml"):
        text = (pack_folder("shopper") / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace("actions: {P1: block", "actions: {P1: warn"))
    assert run(["policy", "test", str(tmp_path)]) == Exit.FAULT
    captured = capsys.readouterr()
    assert "marketing without consent is blocked" in captured.err
    assert "failed" in captured.out


def test_an_unknown_pack_is_told_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is neither file nor pack is a fault."""
    assert run(["policy", "check", "shoper"]) == Exit.FAULT
    assert "did you mean 'shopper'?" in capsys.readouterr().err
