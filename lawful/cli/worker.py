"""`lawful worker`: one worker process of the stream."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from lawful.cli import common
from lawful.cli.exits import Exit
from lawful.schemas.errors import LawfulError


def worker(
    config: common.Config = None,
    bootstrap: Annotated[str | None, typer.Option("--bootstrap", help="Broker addresses, host:port.")] = None,
    log_level: common.LogLevel = common.Level.WARNING,
    ready_file: Annotated[Path | None, typer.Option(hidden=True, help="Made when this worker takes events.")] = None,
) -> int:
    """Annotate, judge and combine events until stopped. Start at most as many as there are partitions.

    SIGTERM and Ctrl-C stop it cleanly: what was taken in is finished, then the partitions go to others.
    """
    from lawful.infra.compose_root import run_worker
    from lawful.infra.telemetry import logs
    from lawful.streams.worker import MUST_STOP, STOPPED, exit_now

    settings = common.settings_of(config, kafka__bootstrap=bootstrap)
    logs.begin(log_level, settings.log_format, settings.instance_id)
    status = run_worker(settings, common.when_ready("worker", settings, ready_file))
    sys.stdout.flush()
    exit_now({STOPPED: Exit.FINE, MUST_STOP: Exit.STOPPED}.get(status, Exit.BUG))
    raise LawfulError("unreachable")  # pragma: no cover - the process has ended
