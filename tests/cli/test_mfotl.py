"""`lawful mfotl`: how many cases agree, and what is wrong with those that don't."""

import json
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from tests.outside import GOLDEN, needs_golden

GOOD = {"formula": "a(x)", "sig": "a(x:int)", "log": "@1 a(1)", "vars": ["x"], "verdicts": {"0": [[1]]}}
REFUSED = {"formula": "NEXT a(x)", "sig": "a(x:int)", "reason": "the future"}


def write(folder: Path, *rows: object) -> str:
    """A file of cases."""
    path = folder / "cases.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


def test_cases_that_agree_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Right verdicts and refusals that are due count as agreement."""
    assert run(["mfotl", "check", write(tmp_path, GOOD, REFUSED)]) == Exit.FINE
    assert capsys.readouterr().out.strip() == "2 of 2 cases agree"


@needs_golden
def test_the_independent_engine_s_verdicts_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """All of them, and what it refuses is refused."""
    assert run(["mfotl", "check", str(GOLDEN), "--json"]) == Exit.FINE
    told = json.loads(capsys.readouterr().out)
    assert told["cases"] == told["agree"] > 100


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (GOOD | {"verdicts": {"0": [[2]]}}, "at time-point 0: [(1,)] instead of [(2,)]"),
        (GOOD | {"verdicts": {}}, "at time-point 0: [(1,)] instead of nothing"),
        (GOOD | {"formula": "a(x"}, "refused: line 1, column 4"),
        ({"formula": "a(x)", "sig": "a(x:int)", "reason": "none"}, "accepted, but must be refused"),
        (GOOD | {"vars": ["y"]}, "the free variables are x, not y"),
        (GOOD | {"log": "@1 b(1)"}, "the log cannot be monitored: line 1, column 3: unknown predicate b"),
        (GOOD | {"log": "@2 a(1)\n@1 a(1)"}, "time runs backwards: 1 after 2"),
        ("{", "no JSON at column"),
        ("[]", "a case is an object, not list"),
        ("[" * 100_000, "nested too deeply"),
        ({"sig": "a(x:int)"}, "'formula' must be a text"),
        ({"formula": "a(x)", "sig": "a(x:int)"}, "a case has 'verdicts', or a 'reason'"),
        (GOOD | {"log": 3}, "'log' must be a text"),
        (GOOD | {"vars": "x"}, "'vars' must be a list of texts"),
        (GOOD | {"verdicts": {"zero": [[1]]}}, "'verdicts' must be an object of time-point numbers"),
    ],
)
def test_a_row_that_does_not_agree_is_told_with_its_line(
    row: object, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One bad row is an error with its line, never a traceback, and the others are still run."""
    path = write(tmp_path, GOOD, row, GOOD)
    assert run(["mfotl", "check", path]) == Exit.FAULT
    captured = capsys.readouterr()
    assert captured.out.strip() == "2 of 3 cases agree"
    told = " ".join(captured.err.split())
    assert message in told
    assert ":2:" in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(("content", "message"), [("", "holds no cases"), (None, "cannot be read")])
def test_a_file_without_cases_is_a_fault(
    content: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing to check is no agreement."""
    path = tmp_path / "cases.jsonl"
    if content is not None:
        path.write_text(content)
    assert run(["mfotl", "check", str(path)]) == Exit.FAULT
    assert message in capsys.readouterr().err


def files(folder: Path, sig: str, formula: str, log: str) -> list[str]:
    """The three files of a run, as options."""
    options = []
    for name, text in (("sig", sig), ("formula", formula), ("log", log)):
        (folder / name).write_text(text)
        options += [f"--{name}", str(folder / name)]
    return options


def test_a_log_is_monitored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every time-point with satisfying values, as MonPoly prints it."""
    options = files(tmp_path, "a(x:int)\nb(x:int)", "b(x) AND ONCE[0,5] a(x)", "@1 a(1)\n@6 b(1)\n@7 b(1)")
    assert run(["mfotl", "run", *options]) == Exit.FINE
    assert capsys.readouterr().out.strip() == "@6 (time point 1): (1)"
    assert run(["mfotl", "run", *options, "--json"]) == Exit.FINE
    assert json.loads(capsys.readouterr().out)["verdicts"] == [{"time_point": 1, "stamp": 6, "rows": [[1]]}]


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        (("a(", "a(x)", ""), "sig:1:1"),
        (("a(x:int)", "a(x) AND", ""), "formula:1:9"),
        (("a(x:int)", "a(x)", "?"), "log:1:1"),
    ],
)
def test_a_wrong_file_is_told_with_its_place(
    texts: tuple[str, str, str], place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line and column."""
    assert run(["mfotl", "run", *files(tmp_path, *texts)]) == Exit.FAULT
    assert place in capsys.readouterr().err
