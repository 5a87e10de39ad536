"""The folders are the architecture: they are where they should be and use only whom they may."""

import subprocess
import sys
from pathlib import Path

import pytest

import lawful

ROOT = Path(__file__).parents[2]
LINKED = ("schemas", "policies", "extractors", "streams", "infra")
LONGEST_FILE = 400


def sources() -> list[Path]:
    """Every Python file of the project, tests included, each once."""
    rooms = [ROOT / room for room in (*LINKED, "tests")] + [
        ROOT / "lawful" / room for room in ("client", "adapters", "cli", "firewalls")
    ]
    return [path for room in rooms for path in room.rglob("*.py")]


@pytest.mark.parametrize("room", LINKED)
def test_a_room_is_the_folder_at_the_top(room: str) -> None:
    """`lawful.<room>` is a relative link to the folder of that name, so there is one copy of each file."""
    link = ROOT / "lawful" / room
    assert link.is_symlink()
    assert link.readlink() == Path("..") / room
    assert (link / "__init__.py").samefile(ROOT / room / "__init__.py")


def test_the_import_root_is_this_checkout() -> None:
    """The tests run against the working tree, not against an installed copy."""
    assert Path(lawful.__file__).resolve().is_relative_to(ROOT)


def test_no_file_is_longer_than_one_idea() -> None:
    """A Python file has at most 400 lines."""
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert not {str(path.relative_to(ROOT)): length for path, length in lengths.items() if length > LONGEST_FILE}


def test_only_allowed_imports_exist() -> None:
    """The import contracts of pyproject.toml hold."""
    tool = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
