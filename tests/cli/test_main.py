"""How the command ends: statuses, one-line messages, no traceback, nothing personal."""

import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lawful import __version__
from lawful.cli import app as application
from lawful.cli.exits import MEANINGS, Exit, exit_of
from lawful.cli.main import run
from lawful.cli.signals import interruptible
from lawful.schemas.errors import (
    ConfigurationError,
    InvalidRecord,
    LawfulError,
    MustBlock,
    MustStop,
    Place,
    RetryLater,
)
from tests.engines import eventually

ROOT = Path(__file__).parents[2]


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` names the package's version and is fine."""
    assert run(["--version"]) == Exit.FINE
    assert capsys.readouterr().out.strip() == f"lawful {__version__}"


def test_help_lists_every_command_and_status(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` names all commands and what the exit statuses mean."""
    assert run(["--help"]) == Exit.FINE
    shown = capsys.readouterr().out
    for command in ("demo", "up", "worker", "audit-writer", "topics", "migrate", "policy", "audit", "ingest", "doctor"):
        assert re.search(rf"\b{command}\b", shown), command
    assert "130 interrupted" in " ".join(shown.split())


@pytest.mark.parametrize("arguments", [["no-such-command"], ["ingest"], ["up", "--workers", "many"]])
def test_a_wrong_use_is_status_2_without_a_traceback(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Usage errors say what is wrong on standard error."""
    assert run(arguments) == Exit.USAGE
    captured = capsys.readouterr()
    assert not captured.out
    assert "Traceback" not in captured.err
    assert captured.err


def test_a_light_installation_names_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the pipeline's packages, the command is there and says what to install."""
    monkeypatch.delitem(sys.modules, "lawful.cli.app")
    monkeypatch.setitem(sys.modules, "typer", None)
    assert run(["demo"]) == Exit.USAGE
    assert capsys.readouterr().err == "lawful: this command needs the package 'typer': pip install 'lawful[pipeline]'\n"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_a_light_installation_tells_its_version(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked for nothing but itself, the light client answers, and says what to install for more."""
    monkeypatch.delitem(sys.modules, "lawful.cli.app")
    monkeypatch.setitem(sys.modules, "typer", None)
    assert run(arguments) == Exit.FINE
    captured = capsys.readouterr()
    assert captured.out.startswith(f"lawful {__version__}\n")
    assert "pip install 'lawful[pipeline]'" in captured.out + captured.err


@pytest.mark.parametrize("module", ["noida_db", "chdb"])
def test_a_missing_engine_names_the_embedded_extra(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Engines from wheels have an extra of their own."""

    def absent(_: list[str]) -> int:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    monkeypatch.setattr(application, "call", absent)
    assert run([]) == Exit.USAGE
    assert "lawful[embedded]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RetryLater("away"), Exit.AWAY),
        (MustStop("no"), Exit.STOPPED),
        (ConfigurationError("wrong"), Exit.FAULT),
        (InvalidRecord("bytes"), Exit.FAULT),
        (MustBlock("block"), Exit.FAULT),
        (LawfulError("other"), Exit.FAULT),
    ],
    ids=lambda value: type(value).__name__,
)
def test_our_errors_have_a_status_by_class(
    error: LawfulError, status: Exit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What to do about an error decides the status; the message is one line."""

    def fail(_: list[str]) -> int:
        raise error

    monkeypatch.setattr(application, "call", fail)
    monkeypatch.setenv("LAWFUL_KAFKA_BOOTSTRAP", "127.0.0.1:1")
    assert run([]) == status == exit_of(error)
    assert capsys.readouterr().err.splitlines()[0] == f"lawful: {error}"


def test_where_nothing_runs_and_nothing_is_set_that_is_said_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever could not be reached: start one, or say where it is. Whoever has said where hears of that place."""

    def fail(_: list[str]) -> int:
        raise RetryLater("nobody answers")

    monkeypatch.setattr(application, "call", fail)
    monkeypatch.chdir(tmp_path)
    assert run([]) == Exit.AWAY
    said = capsys.readouterr().err
    assert said.startswith("lawful: no installation is running here, and no address of one is set: nobody answers\n")
    assert "hint: start `lawful up`" in said
    assert run(["--config=mine.toml"]) == Exit.AWAY
    assert capsys.readouterr().err.startswith("lawful: nobody answers\n")


def test_a_configuration_error_shows_place_and_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line, column first, then what to do."""

    def fail(_: list[str]) -> int:
        raise ConfigurationError("no such purpose", place=Place("p.yaml", 3, 5), hint="did you mean x?")

    monkeypatch.setattr(application, "call", fail)
    assert run([]) == Exit.FAULT
    assert capsys.readouterr().err == "lawful: p.yaml:3:5: no such purpose\n  hint: did you mean x?\n"


def test_a_bug_shows_its_class_and_place_and_no_words_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A foreign exception's message may quote personal data, so it is not shown."""

    def fail(_: list[str]) -> int:
        raise ValueError("ada@example.com")

    monkeypatch.setattr(application, "call", fail)
    monkeypatch.delenv("LAWFUL_DEBUG", raising=False)
    assert run([]) == Exit.BUG
    shown = capsys.readouterr().err
    assert "unexpected ValueError at test_main.py:" in shown
    assert "ada@" not in shown
    assert "Traceback" not in shown


def test_an_interruption_is_status_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends a command without a traceback."""

    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(application, "call", interrupted)
    assert run([]) == Exit.INTERRUPTED
    assert capsys.readouterr().err == "lawful: interrupted\n"


def test_the_documented_statuses_are_the_real_ones() -> None:
    """docs/exit-statuses.md lists each status with its meaning."""
    page = (ROOT / "docs" / "exit-statuses.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\d+) \| (.+) \|$", page, flags=re.MULTILINE))
    assert rows == {str(status.value): meaning for status, meaning in MEANINGS.items()}


def test_the_example_says_what_to_start_first(tmp_path: Path) -> None:
    """Without a running installation, examples/guarded_agent.py is one line and no traceback."""
    example = ROOT / "examples" / "guarded_agent.py"
    done = subprocess.run([sys.executable, example], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "start `lawful up` first\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policy", "shoper"], "did you mean 'shopper'?"),
        (["--policies", "absent"], "there is no policy at"),
        (["--data-dir", "README.md"], "the data folder README.md cannot be made"),
    ],
    ids=["policy", "policies", "data"],
)
def test_up_looks_before_it_starts_anything(
    arguments: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A misspelt policy, an absent folder and an impossible data folder are told at once."""
    monkeypatch.chdir(tmp_path)
    Path("README.md").touch()
    assert run(["up", *arguments]) == Exit.FAULT
    assert words in capsys.readouterr().err
    assert not Path(".lawful").exists()


@pytest.mark.parametrize("command", ["up", "demo"])
def test_a_file_in_the_place_of_the_data_folder_is_told(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """LAWFUL_DATA_DIR that names a file is a fault of the setting, not of Lawful."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("LAWFUL_DATA_DIR", str(tmp_path / "file"))
    assert run([command]) == Exit.FAULT
    assert "cannot be made" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_closed_terminal_stops_as_ctrl_c_does(number: signal.Signals) -> None:
    """What runs gets to clean up."""
    before = signal.signal(number, signal.SIG_DFL)  # tests may run under `nohup`
    try:
        with pytest.raises(KeyboardInterrupt), interruptible():
            signal.raise_signal(number)
    finally:
        signal.signal(number, before)


class Struck:
    """Is interrupted where Python can raise nothing."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_that_python_drops_comes_again() -> None:
    """In finalisers and in the callbacks of imports nothing can be raised: one of 150 interrupted imports went on."""

    def go_on() -> None:
        struck = [Struck()]
        del struck
        eventually(lambda: False, seconds=10)  # ends as a failure where nothing interrupts it

    with pytest.raises(KeyboardInterrupt), interruptible():
        go_on()


def test_an_interrupt_that_python_drops_does_not_come_again_behind_the_end() -> None:
    """Whoever has stopped by then would be killed by it, or leave with another status."""
    before = signal.getsignal(signal.SIGINT)
    with interruptible():
        struck = [Struck()]
        del struck
    assert not [each for each in threading.enumerate() if isinstance(each, threading.Timer)]
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_within_generated_code_is_one_like_any_other(tmp_path: Path) -> None:
    """Python would leave by a signal then, where it runs a module."""
    (tmp_path / "struck.py").write_text(
        "import signal, sys\n"
        "from lawful.cli import app, main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # in the background it may be ignored
        "app.call = lambda _: exec('import signal; signal.raise_signal(signal.SIGINT); x = 1')\n"
        "sys.exit(main.run([]))\n"
    )
    assert subprocess.run([sys.executable, "-m", "struck"], cwd=tmp_path, check=False).returncode == Exit.INTERRUPTED
