"""What users install holds what they need: the wheel is built from the sdist and looked into."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("schemas", "policies", "extractors", "streams", "infra", "client", "cli", "adapters", "firewalls")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> set[str]:
    """Names of the wheel's files."""
    (path,) = distributions.glob("*.whl")
    return set(zipfile.ZipFile(path).namelist())


@pytest.mark.parametrize("room", ROOMS)
def test_the_wheel_holds_every_room(wheel: set[str], room: str) -> None:
    """The linked folders arrive as real packages."""
    assert f"lawful/{room}/__init__.py" in wheel


def test_the_wheel_holds_all_data_files(wheel: set[str]) -> None:
    """Schemas, migrations, packs and taxonomies travel with the code that reads them."""
    suffixes = (".avsc", ".sql", ".yaml", ".json", ".jsonl", ".xml")
    rooms = [ROOT / room for room in ROOMS[:5]]
    wanted = {
        f"lawful/{path.relative_to(ROOT)}"
        for room in rooms
        for path in room.rglob("*")
        if path.suffix in suffixes and "__pycache__" not in path.parts
    }
    packs = (ROOT / "lawful" / "firewalls" / "packs").glob("*/*.yaml")
    wanted |= {path.relative_to(ROOT).as_posix() for path in packs}
    assert {Path(name).suffix for name in wanted} >= {".avsc", ".sql", ".yaml"}
    assert not wanted - wheel


def test_the_wheel_holds_nothing_of_the_workshop(wheel: set[str]) -> None:
    """No tests and no byte code are installed."""
    assert not [name for name in wheel if name.startswith("tests/") or name.endswith(".pyc")]


def test_the_sdist_can_be_tested(distributions: Path) -> None:
    """Tests, lock and Makefile are in the sdist, so that a distributor can run `make test`."""
    (path,) = distributions.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {
        "Makefile",
        "requirements/dev.lock",
        "requirements/demo.lock",
        "tests/packaging/test_distributions.py",
        "LICENSE",
        "NOTICE",
    }
