"""A worker with the tests' small world, and with bugs: a composition root of the tests' own.

All but policies and extractor is as in `lawful.infra.compose_root`, settings included. Events of
agents that are called after a bug meet it: our own code raises while it handles them.
"""

import argparse
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from lawful.infra.audit_gate import watching
from lawful.infra.compose_root import opener, touch, worker_options
from lawful.infra.settings_load import load_settings
from lawful.infra.upgrading import take_part
from lawful.schemas.event import AgentEvent
from lawful.schemas.verdict import Partial
from lawful.schemas.view import View
from lawful.streams import annotate, judging, kernel
from lawful.streams.kernel import Kernel
from lawful.streams.worker import WorkerDeps, exit_now, run
from tests.streams.kit import OnePolicy, PlainExtractor

BUGS = ("bug in annotate", "bug in judge", "bug in step", "bug in combine")
SECRET = "nobody@example.com"
T = TypeVar("T")


def agent_of(subject: Any) -> str:
    """Whose event it is."""
    match subject:
        case Partial():
            return subject.view.agent_id
        case View() | AgentEvent():
            return subject.agent_id
        case _:
            return ""


def buggy(bug: str, function: Callable[..., T]) -> Callable[..., T]:
    """The function, with the bug in it; its error quotes what must not be told."""

    def failing(subject: Any, *args: Any, **more: Any) -> T:
        if agent_of(subject) == bug:
            raise KeyError(SECRET)
        return function(subject, *args, **more)

    return failing


def main() -> None:
    """Runs until told to stop."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ready-file", type=Path)
    logging.basicConfig(level="INFO", format="%(asctime)s %(name)s %(message)s")
    annotate.concerns = buggy("bug in annotate", annotate.concerns)  # type: ignore[attr-defined]
    judging.judge_labelled = buggy("bug in judge", judging.judge_labelled)  # type: ignore[attr-defined]
    kernel.step = buggy("bug in step", kernel.step)
    kernel.combine_step = buggy("bug in combine", kernel.combine_step)
    settings = load_settings(os.environ)
    take_part(settings)
    parts = Kernel(OnePolicy(), PlainExtractor(), settings.pseudonymiser(), opener=opener(settings))
    with watching(settings, time.monotonic) as gate:
        deps = WorkerDeps(parts, ready=touch(parser.parse_args().ready_file), may_go_on=gate.is_open)
        status = run(worker_options(settings), deps)
    exit_now(status)


if __name__ == "__main__":
    main()
