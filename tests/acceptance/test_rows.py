"""Every behaviour that is due has tests on real engines, and docs/acceptance.md says which."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "acceptance.md"
ON_ENGINES = ("tests/acceptance/", "tests/contracts/", "tests/services/")
DUE = frozenset(f"A{number:02}" for number in (*range(1, 15), *range(16, 31), *range(32, 39), 42))
ROW = re.compile(r"\bA\d\d\b")
SPAN = re.compile(r"\bA(\d\d) to A(\d\d)\b")


def rows_in(text: str) -> set[str]:
    """The rows that a text names, `A01 to A03` spelt out."""
    spans = {f"A{number:02}" for low, high in SPAN.findall(text) for number in range(int(low), int(high) + 1)}
    return spans | set(ROW.findall(text))


def every_test() -> Iterator[tuple[str, str]]:
    """Every test of the project by `path::name`, and its docstring."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield f"{path.relative_to(ROOT).as_posix()}::{node.name}", ast.get_docstring(node) or ""


def listed() -> dict[str, set[str]]:
    """The tests that the page names for each row."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 3 and ROW.fullmatch(cells[1]):
            found[cells[1]] |= set(re.findall(r"`(tests/[\w/.]+::\w+)`", cells[3]))
    return found


def test_every_due_row_has_a_test() -> None:
    """Each due row is in the docstring of a test that runs on engines."""
    covered = {row for name, said in every_test() if name.startswith(ON_ENGINES) for row in rows_in(said)}
    assert DUE - covered == set()


def test_the_page_lists_tests_that_exist() -> None:
    """docs/acceptance.md names, for each due row, tests that exist and say that they are about it."""
    said, rows = dict(every_test()), listed()
    assert DUE - {row for row, names in rows.items() if names} == set()
    assert {name for names in rows.values() for name in names} - set(said) == set()
    assert {(row, name) for row, names in rows.items() for name in names if row not in rows_in(said[name])} == set()


def test_the_page_lists_every_test_of_this_folder() -> None:
    """What is added here shows on the page."""
    here = {name for name, said in every_test() if name.startswith("tests/acceptance/") and ROW.match(said)}
    assert here - {name for names in listed().values() for name in names} == set()
