"""Moves the audit topic into ClickHouse: `run(settings)` until the process is told to stop."""

from lawful.infra.audit_writer.run import run

__all__ = ["run"]
