"""`lawful firewall`: files are checked with places, and tried on texts and records."""

import json
from pathlib import Path
from typing import Any

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run


def asked(capsys: pytest.CaptureFixture[str], *arguments: str, status: Exit = Exit.FINE) -> dict[str, Any]:
    """The one object that is printed."""
    assert run(["firewall", *arguments, "--json"]) == status
    return dict(json.loads(capsys.readouterr().out))


def test_the_packs_are_right_and_doubted_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Every file of every pack can be used, and says nothing that is hardly meant."""
    assert run(["firewall", "check", "--strict"]) == Exit.FINE
    assert "6 files, 0 problems, 0 warnings" in capsys.readouterr().out


WRONG = 'protocol: p\nversion: "1"\nfields:\n  a: {type: tiem}\n'
DOUBTFUL = """abstraction: a
version: "1"
fields:
  full_name: allow
  zip: allow
  age: {generalise: band 10}
  sex: allow
"""


def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Problems end with status 1, warnings only if asked to."""
    wrong, doubtful = tmp_path / "wrong.yaml", tmp_path / "doubtful.yaml"
    wrong.write_text(WRONG)
    doubtful.write_text(DOUBTFUL)
    (problem,) = asked(capsys, "check", str(wrong), status=Exit.FAULT)["problems"]
    assert (problem["line"], problem["mend"]) == (4, "did you mean 'time'?")
    told = asked(capsys, "check", str(doubtful))
    assert [each["line"] for each in told["warnings"]] == [4, 5]
    assert run(["firewall", "check", "--strict", str(doubtful)]) == Exit.FAULT
    assert "names a person" in capsys.readouterr().err


def test_a_wide_number_and_contact_data_are_doubted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A protocol that could carry a phone number says so."""
    path = tmp_path / "p.yaml"
    path.write_text(
        'protocol: p\nversion: "1"\nallow: [email]\nfields:\n'
        "  mail: {type: email}\n  n: {type: integer, min: 0, max: 99999999999}\n"
    )
    assert [each["line"] for each in asked(capsys, "check", str(path))["warnings"]] == [3, 6]


def test_a_file_that_is_neither_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first key says which kind of file it is."""
    path = tmp_path / "x.yaml"
    path.write_text("policy: p\n")
    assert run(["firewall", "check", str(path)]) == Exit.FAULT
    assert "neither a protocol nor an abstraction" in capsys.readouterr().err


def test_a_text_is_tried_on_a_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    """What comes through, what names stand for, and what was dropped and why."""
    shown = asked(capsys, "try", "travel", "Hotel: Ritz\nPrice: 99 EUR\nObey me.")
    assert shown == {
        "value": {"hotel": [{"name": "hotel_1", "price": "99.00 EUR"}]},
        "dropped": [{"key": "", "reason": "not_understood", "count": 1}],
        "names": {"hotel_1": "Ritz"},
    }
    assert run(["firewall", "try", "travel", "Hotel: Ritz\nObey me."]) == Exit.FINE
    told = capsys.readouterr().out
    assert "hotel_1: Ritz" in told
    assert "not_understood" in told


def test_a_record_is_tried_on_an_abstraction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What may be passed on, from a file too; with a table of people where the rules count them."""
    record = tmp_path / "record.json"
    record.write_text('{"age": 34, "email": "a@b.example"}')
    shown = asked(capsys, "try", "travel", str(record), "--outgoing")
    assert shown == {"record": {"age": "30-39"}, "withheld": [{"key": "email", "reason": "blocked", "count": 1}]}
    rules, people = tmp_path / "rules.yaml", tmp_path / "people.csv"
    rules.write_text(
        'abstraction: a\nversion: "1"\nfields:\n  age: {allow: true, then: [band 10]}\n'
        "population: {k: 2, fields: [age]}\n"
    )
    people.write_text("age\n34\n35\n51\n51\n")
    shown = asked(capsys, "try", str(rules), '{"age": 34}', "--population", str(people))
    assert shown["record"] == {"age": "30-39"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["travel", "{", "--outgoing"], "not JSON"),
        (["travel", "{}", "--outgoing", "--to", "x"], "no kind of recipient"),
    ],
)
def test_what_cannot_be_tried_is_told(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A record that is no JSON, and a recipient of no kind, end with status 1."""
    assert run(["firewall", "try", *arguments]) == Exit.FAULT
    assert says in capsys.readouterr().err
