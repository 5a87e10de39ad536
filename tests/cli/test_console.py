"""What stands on standard output where nobody looks at a terminal."""

import pytest

from lawful.cli.console import out, put_rows, say, table

PSEUDONYM = "0123456789abcdef" * 4
COLUMNS = ("subject", "decision", "event")
ROWS = [(PSEUDONYM, "block", "e" * 60)]


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The width of the terminal that runs the tests is of no matter."""
    monkeypatch.delenv("COLUMNS", raising=False)


def test_lines_in_a_pipe_are_as_long_as_they_have_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    """A pseudonym can be copied, a row is one line, and so is what is said beside it."""
    put_rows("", COLUMNS, ROWS)
    out.print(table("", COLUMNS, ROWS))
    say("word " * 100)
    captured = capsys.readouterr()
    assert captured.out.count(f"{PSEUDONYM}  block") == 2
    assert captured.err.count("\n") == 1


def test_columns_says_how_wide_a_table_may_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Within COLUMNS, rows that would be folded stand one below the other, whole; others stay a table."""
    monkeypatch.setenv("COLUMNS", "100")
    put_rows("", COLUMNS, ROWS)
    assert f" subject  {PSEUDONYM}\n" in capsys.readouterr().out
    put_rows("", COLUMNS[:2], [ROWS[0][:2]])
    assert f"{PSEUDONYM}  block\n" in capsys.readouterr().out
    out.print(table("", COLUMNS, ROWS))
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= 100
    monkeypatch.setenv("COLUMNS", "wide")
    out.print(table("", COLUMNS, ROWS))
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) > 100


def test_an_answer_of_many_columns_is_told_as_records(capsys: pytest.CaptureFixture[str]) -> None:
    """A title stands above them, and nothing in a value is taken for markup."""
    put_rows("Overdue", [f"c{number}" for number in range(11)], [["[red]"] * 11])
    assert capsys.readouterr().out.startswith("Overdue\n c0  [red]\n")
