"""`lawful auditors`: bounds from anywhere, the rest from an audit."""

import json

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run


def test_bounds_are_told_for_every_number_of_malicious_auditors(capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON or as a table."""
    assert run(["auditors", "bounds", "--pool", "5", "--sentries", "2", "--rounds", "10", "--json"]) == Exit.FINE
    told = json.loads(capsys.readouterr().out)
    assert [round(each["passes"], 3) for each in told] == [0, 0, 0.1, 1, 1, 1]
    assert run(["auditors", "bounds"]) == Exit.FINE
    assert "2 sentries of 5 auditors" in capsys.readouterr().out


def test_more_sentries_than_auditors_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With what to do about it."""
    assert run(["auditors", "bounds", "--pool", "2", "--sentries", "3"]) != Exit.FINE
    assert "larger --pool" in capsys.readouterr().err
