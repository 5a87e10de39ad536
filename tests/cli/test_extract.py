"""`lawful extract`: what is found, why, and beside Presidio."""

import io
import json
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from lawful.cli import extract as command
from lawful.cli.exits import Exit
from lawful.cli.main import run

_build = lru_cache(command._build)


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One extractor for all tests of this file: a model takes seconds to load."""
    monkeypatch.setattr(command, "_build", _build)


TEXT = "Please ask Marcus Thorne, card 4111 1111 1111 1111, about order 8349118980"


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """The object that is printed."""
    assert run(["extract", "--json", *arguments]) == Exit.FINE
    return dict(json.loads(capsys.readouterr().out))


def test_a_text_is_shown_with_places_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    """The text itself, and a row for each finding; what was not counted only if it is asked for."""
    assert run(["extract", TEXT]) == Exit.FINE
    shown = capsys.readouterr().out
    assert f"/text: {TEXT}" in shown
    assert "user.financial.credit_card" in shown
    assert "raised: confirmed by a checksum" in shown
    assert "(user.contact.phone" not in shown
    assert run(["extract", "--all", TEXT]) == Exit.FINE
    assert "(user.contact.phone" in capsys.readouterr().out


def test_json_holds_everything(capsys: pytest.CaptureFixture[str]) -> None:
    """Detector, version, score and reasons of each, kept or not, and the time it took."""
    shown = found(capsys, TEXT)
    findings = shown["findings"]
    assert isinstance(findings, list)
    kept = {one["text"]: one for one in findings if one["is_kept"]}
    assert set(kept) == {"Marcus Thorne", "4111 1111 1111 1111"}
    assert kept["4111 1111 1111 1111"]["reasons"]
    assert shown["status"] == "complete"


def test_presidio_beside(capsys: pytest.CaptureFixture[str]) -> None:
    """What default Presidio finds at the same places, and both times."""
    shown = found(capsys, "--compare", "presidio", TEXT)
    theirs = shown["presidio"]
    assert isinstance(theirs, list)
    assert {"PERSON", "CREDIT_CARD"} <= {one["entity"] for one in theirs}
    assert min(dict(shown["ms"]).values()) > 0  # type: ignore[call-overload] # plain JSON


def test_files_standard_input_and_policies(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file's document is read as one, with the policy's own identifiers; `-` is standard input."""
    file = tmp_path / "result.json"
    file.write_text('{"dob": "1957-10-05", "who": "mia_li_3668"}', encoding="utf-8")
    paths = {one["path"]: one["category"] for one in found(capsys, "--policy", "shopper", str(file))["findings"]}  # type: ignore[attr-defined]
    assert paths == {"/content/dob": "user.demographic.date_of_birth", "/content/who": "user.unique_id"}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert found(capsys, "-")["findings"]


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        ("nothing to see here", Exit.FINE, "nothing personal"),
        ('{"a": 1, "a": 2}', Exit.FAULT, "withheld: duplicate_keys"),
        ("there-is-none.json", Exit.FAULT, "there is no file there-is-none.json"),
        ("a\x1b[2J me@example.com", Exit.FINE, "a\N{SYMBOL FOR NEWLINE}[2J"),
    ],
)
def test_what_is_odd_is_told(capsys: pytest.CaptureFixture[str], given: str, status: Exit, said: str) -> None:
    """Nothing, what would be withheld, a file that is not there, and what a terminal must not obey."""
    assert run(["extract", given]) == status
    captured = capsys.readouterr()
    assert said in captured.out + captured.err


def test_a_file_that_is_no_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The file is named, its bytes are not."""
    file = tmp_path / "picture"
    file.write_bytes(b"\xff\xfe\x00")
    assert run(["extract", str(file)]) == Exit.FAULT
    assert "cannot be read: UnicodeDecodeError" in capsys.readouterr().err


def test_standard_input_that_is_no_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told as what it is, whatever the locale would make of it, and is no fault of the command's."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff"), encoding="ascii", errors="surrogateescape"))
    assert run(["extract", "-"]) == Exit.FAULT
    assert "standard input is not UTF-8" in capsys.readouterr().err
