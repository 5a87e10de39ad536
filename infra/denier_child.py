"""The process that runs one policy's Rego rules: lines of JSON in, lines of JSON out.

It is run by path (`python -I denier_child.py MEGABYTES SECONDS`), with no environment, and needs
regorus only. regorus itself opens no file and no connection. The memory of the whole process is
limited before the engine is loaded. An evaluation cannot be interrupted from Python, so the kernel's
timer kills the process when one lasts too long, also when nobody is left to do it; and it ends
when its standard input closes or its parent changes.
"""

import json
import os
import resource
import select
import signal
import sys
from collections.abc import Iterator, Sequence

LOAD_SECONDS = 10.0
POLL_SECONDS = 1.0
CHUNK = 65_536


def lines(parent: int) -> Iterator[bytes]:
    """The lines on standard input, until it closes or nobody is left who would write."""
    waiting = b""
    while True:
        while b"\n" in waiting:
            line, waiting = waiting.split(b"\n", 1)
            yield line
        readable, _, _ = select.select([0], [], [], POLL_SECONDS)
        data = os.read(0, CHUNK) if readable else None
        if data == b"" or os.getppid() != parent:
            return
        waiting += data or b""


def limit(megabytes: int) -> None:
    """Takes away what the rules have no use for."""
    for which, most in (
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(which, (most, most))


def write(channel: int, value: object) -> None:
    """Writes one line."""
    data = json.dumps(value).encode() + b"\n"
    while data:
        data = data[os.write(channel, data) :]


def main(arguments: Sequence[str]) -> int:
    """Loads the modules of the first line, then answers line by line.

    Args:
        arguments: megabytes of memory, seconds that one evaluation may last.
    """
    parent = os.getppid()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    channel = os.dup(1)
    os.dup2(2, 1)  # whatever prints must not be taken for an answer
    limit(int(arguments[0]))
    asked = lines(parent)
    first = json.loads(next(asked, b"null"))
    if first is None:
        return 0
    signal.setitimer(signal.ITIMER_REAL, LOAD_SECONDS)
    import regorus  # noqa: PLC0415 - within the limit

    engine = regorus.Engine()
    for name, text in first["modules"]:
        engine.add_policy(name, text)
    engine.add_data_json(json.dumps(first["data"]))
    signal.setitimer(signal.ITIMER_REAL, 0)
    write(channel, "ready")
    for line in asked:
        signal.setitimer(signal.ITIMER_REAL, float(arguments[1]))
        write(channel, answer(engine, line.decode(), first["rules"]))
        signal.setitimer(signal.ITIMER_REAL, 0)
    return 0


def answer(engine: object, document: str, rules: Sequence[str]) -> object:
    """What the rules give for a document: one value a rule, or nothing if one of them fails."""
    try:
        engine.set_input_json(document)  # type: ignore[attr-defined]
        return [json.loads(engine.eval_rule_as_json(rule)) for rule in rules]  # type: ignore[attr-defined]
    except Exception:  # noqa: BLE001 - the text of the error quotes the document
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
