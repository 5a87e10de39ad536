"""A worker with the tests' small world instead of policies and models from disk.

Run as `python -m tests.services.worker_main`; it reads its options as JSON from one line of
standard input, so that a test can start it early and let it go when it wants.
"""

import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lawful.schemas.codec import decode, encode
from lawful.schemas.history import EMPTY, History
from lawful.schemas.topics import Topics
from lawful.streams.dead_letters import DeadLetterLimits
from lawful.streams.kernel import Kernel
from lawful.streams.options import WorkerOptions
from lawful.streams.worker import WorkerDeps, exit_now, run
from tests.streams.kit import KERNEL


def main(kernel: Kernel = KERNEL, equip: Callable[[Mapping[str, Any]], WorkerDeps] | None = None) -> None:
    """Waits for the options, then runs until told to stop.

    Args:
        kernel: what decides.
        equip: instead of a kernel alone, all of a worker's parts, made of the options.
    """
    logging.basicConfig(level=os.environ.get("LAWFUL_TEST_LOG", "WARNING"), format="%(asctime)s %(name)s %(message)s")
    decode(encode(EMPTY), History)  # what is slow the first time is done before the start
    told = json.loads(sys.stdin.readline())
    options = WorkerOptions(
        bootstrap=told["bootstrap"],
        topics=Topics(told["prefix"]),
        partitions=told["partitions"],
        instance_id=told["instance"],
        data_dir=Path(told["data_dir"]) if told["data_dir"] else None,
        combine_timeout_ms=told.get("combine_timeout_ms", 10_000),
        session_timeout_s=told.get("session_timeout_s", 10.0),
        dead_letters=DeadLetterLimits(**told.get("dead_letters", {})),
    )
    deps = WorkerDeps(kernel) if equip is None else equip(told)
    exit_now(run(options, replace(deps, ready=Path(told["ready"]).touch)))


if __name__ == "__main__":
    main()
