"""A worker with something wrong around it: a detector that hangs, a clock that jumps.

`python -m lawful.infra.chaos.worker` is `lawful worker`, with two faults put in from outside, so that
nothing of the product knows of them. SIGUSR1 makes the machine's clock jump to the next of `JUMPS`.
"""

import argparse
import logging
import os
import signal
import time
from itertools import cycle
from pathlib import Path

from lawful.infra import compose_root
from lawful.infra.chaos.hanging import let_a_detector_hang
from lawful.infra.settings_load import load_settings
from lawful.streams.worker import exit_now

HOUR = 3_600.0
JUMPS = (HOUR, -HOUR, 100 * 24 * HOUR, -100 * 24 * HOUR, 0.0)


def let_the_clock_jump() -> None:
    """From now on, each SIGUSR1 sets `time.time` and `time.time_ns` to another time than it is."""
    seconds, nanoseconds, jumps, offset = time.time, time.time_ns, cycle(JUMPS), 0.0

    def jump(*_: object) -> None:
        nonlocal offset
        offset = next(jumps)

    time.time = lambda: seconds() + offset
    time.time_ns = lambda: nanoseconds() + int(offset * 1e9)
    signal.signal(signal.SIGUSR1, jump)


def main() -> None:
    """Runs until told to stop."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ready-file", type=Path)
    ready = parser.parse_args().ready_file
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
    let_the_clock_jump()
    let_a_detector_hang()
    exit_now(compose_root.run_worker(load_settings(os.environ), compose_root.touch(ready)))


if __name__ == "__main__":
    main()
