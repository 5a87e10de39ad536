"""`lawful audit-writer`: moves the audit topic into ClickHouse."""

from pathlib import Path
from typing import Annotated

import typer

from lawful.cli import common


def audit_writer(
    config: common.Config = None,
    bootstrap: Annotated[str | None, typer.Option("--bootstrap", help="Broker addresses, host:port.")] = None,
    log_level: common.LogLevel = common.Level.WARNING,
    ready_file: Annotated[Path | None, typer.Option(hidden=True, help="Made when this writer starts to read.")] = None,
) -> int:
    """Write audit records into ClickHouse until stopped. Several writers share the partitions."""
    from lawful.infra.compose_root import run_audit_writer
    from lawful.infra.telemetry import logs

    settings = common.settings_of(config, user="writer", kafka__bootstrap=bootstrap)
    logs.begin(log_level, settings.log_format, settings.instance_id)
    run_audit_writer(settings, common.when_ready("audit writer", settings, ready_file))
    return 0
