"""`lawful gateway`: passes on what agents write to the outbox."""

from pathlib import Path
from typing import Annotated

import typer

from lawful.cli import common


def gateway(
    config: common.Config = None,
    bootstrap: Annotated[str | None, typer.Option("--bootstrap", help="Broker addresses, host:port.")] = None,
    log_level: common.LogLevel = common.Level.WARNING,
    ready_file: Annotated[Path | None, typer.Option(hidden=True, help="Made when this gateway starts to read.")] = None,
) -> int:
    """Deliver outbox events to their recipients' inboxes, redacted as decided, until stopped.

    Several gateways share the partitions; give each its own LAWFUL_INSTANCE_ID.
    """
    from lawful.infra.compose_root import run_gateway
    from lawful.infra.telemetry import logs

    settings = common.settings_of(config, kafka__bootstrap=bootstrap)
    logs.begin(log_level, settings.log_format, settings.instance_id)
    run_gateway(settings, common.when_ready("gateway", settings, ready_file))
    return 0
