"""The entry of the command `lawful`: no traceback ever reaches a user's terminal.

The command is installed with the light client too, whose environment has neither Typer nor the
pipeline; so this file and its imports need the standard library only until the extras are known
to be there.
"""

import logging
import os
import sys
import traceback
from collections.abc import Sequence

from lawful import __version__
from lawful.cli.exits import Exit, exit_of
from lawful.schemas.errors import ConfigurationError, LawfulError, RetryLater

_EXTRA_OF = {"noida_db": "embedded", "noida": "embedded", "chdb": "embedded", "dspy": "dspy"}
# Options that say where an installation is.
_ELSEWHERE = ("--config", "--bootstrap")


def main() -> None:
    """Run the command line and leave with its exit status."""
    # Libraries' warnings are not for a terminal; a worker or a writer sets up its own log.
    logging.getLogger().addHandler(logging.NullHandler())
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit status; every failure is one line on standard error."""
    try:
        from lawful.cli.app import call

        return call(list(arguments))
    except ModuleNotFoundError as error:
        return _light(arguments) if error.name == "typer" and _asks_only(arguments) else _missing(error)
    except KeyboardInterrupt:
        # CPython notes an interruption within `exec` (imports of dataclasses), whoever catches it, and with `python -m`
        # kills itself in the end instead of leaving with a status. The next evaluation takes the note away.
        eval("None")  # noqa: S307
        _tell("interrupted")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`lawful ... | head`): nothing is wrong, and nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.FINE
    except LawfulError as error:
        return _away(error, arguments) if isinstance(error, RetryLater) else _ours(error)
    except Exception as error:  # noqa: BLE001 - the last line of defence
        return _bug(error)


def _asks_only(arguments: Sequence[str]) -> bool:
    return not arguments or bool({"--help", "--version"} & set(arguments[:1]))


def _light(arguments: Sequence[str]) -> int:
    """What a light installation can say for itself; the version alone on standard output."""
    sys.stdout.write(f"lawful {__version__}\n")
    talk = sys.stderr if "--version" in arguments else sys.stdout
    talk.write("This is the light client: guards for agents, without the commands.\n")
    talk.write("For the commands: pip install 'lawful[pipeline]'; for `up` and `demo`: 'lawful[pipeline,embedded]'\n")
    return Exit.FINE


def _missing(error: ModuleNotFoundError) -> int:
    root = (error.name or "").partition(".")[0]
    if root == "lawful":
        return _bug(error)
    extra = _EXTRA_OF.get(root, "pipeline")
    _tell(f"this command needs the package {root!r}: pip install 'lawful[{extra}]'")
    return Exit.USAGE


def _ours(error: LawfulError) -> int:
    if isinstance(error, ConfigurationError):
        place = f"{error.place}: " if error.place else ""
        _tell(f"{place}{error.message}")
        if error.hint:
            _tell(f"  hint: {error.hint}", prefix="")
    else:
        _tell(str(error))
    return exit_of(error)


def _away(error: RetryLater, arguments: Sequence[str]) -> int:
    """Nobody answers: where nothing runs here and nobody said where else, that is why."""
    from lawful.cli import common

    if common.running() or common.says_where(None) or any(each.startswith(_ELSEWHERE) for each in arguments):
        _tell(str(error))
        _tell("  hint: is `lawful up` running here? `lawful doctor` says what can be reached", prefix="")
    else:
        _tell(f"{common.NOTHING_RUNS}, and no address of one is set: {error}")
        _tell(
            "  hint: start `lawful up` in another terminal, or set the addresses (LAWFUL_KAFKA_BOOTSTRAP, "
            "LAWFUL_CLICKHOUSE_HOST)",
            prefix="",
        )
    return exit_of(error)


def _bug(error: BaseException) -> int:
    """A message of a foreign exception may quote personal data: only its class and place are told."""
    frame = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" at {os.path.basename(frame[0].filename)}:{frame[0].lineno}" if frame else ""  # noqa: PTH119 - a name, no path
    _tell(f"unexpected {type(error).__name__}{where}; set LAWFUL_DEBUG=1 for the traceback (it may show personal data)")
    if os.environ.get("LAWFUL_DEBUG") == "1":
        traceback.print_exception(error)
    return Exit.BUG


def _tell(words: str, prefix: str = "lawful: ") -> None:
    sys.stderr.write(f"{prefix}{words}\n")


if __name__ == "__main__":
    main()
