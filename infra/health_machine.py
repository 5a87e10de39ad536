"""What `lawful doctor` looks at on this machine: disk, files with secrets, open ports, clear text."""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from lawful.infra.findings import Finding, State
from lawful.infra.hosts import is_loopback
from lawful.infra.settings import Settings
from lawful.infra.settings_load import secret_files

_GIB: Final = 1 << 30
_WRONG_FREE, _NOTE_FREE = 1 * _GIB, 5 * _GIB
_OTHERS, _GROUP = 0o007, 0o070


def examine_machine(settings: Settings, env: Mapping[str, str]) -> Iterator[Finding]:
    """Everything that can be seen without Kafka and ClickHouse."""
    yield data_folder(settings.data_dir)
    yield from (secret_file(name, path) for name, path in private_files(settings, env))
    yield from clear_text(settings)
    yield from open_ports(settings)


def data_folder(folder: Path) -> Finding:
    """Whether tables can be written, and for how long."""
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return Finding("data folder", State.WRONG, f"{there} cannot be written", "set LAWFUL_DATA_DIR to one that can")
    usage = shutil.disk_usage(there)
    words = f"{folder}: {usage.free / _GIB:.1f} of {usage.total / _GIB:.1f} GiB free"
    if usage.free < _WRONG_FREE:
        return Finding("data folder", State.WRONG, words, "make room: a worker whose disk is full stops")
    if usage.free < _NOTE_FREE:
        return Finding("data folder", State.NOTE, words, "make room soon; docs/scaling.md says how much people take")
    return Finding("data folder", State.FINE, words)


def private_files(settings: Settings, env: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """Files that hold secrets, by the setting that names them."""
    yield from secret_files(env)
    for name, path in (
        ("kafka.ssl_key_location", settings.kafka.ssl_key_location),
        ("clickhouse.ssl_key_location", settings.clickhouse.ssl_key_location),
    ):
        if path:
            yield name, Path(path)


def secret_file(name: str, path: Path) -> Finding:
    """Whether nobody but its owner can read it."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return Finding(name, State.WRONG, f"{path}: {error.strerror}", "check the name and who owns it")
    if mode & _OTHERS:
        return Finding(name, State.WRONG, f"{path} can be read by everybody here", f"chmod 600 {path}")
    if mode & _GROUP:
        return Finding(name, State.NOTE, f"{path} can be read by its group", f"chmod 600 {path}, unless that is meant")
    return Finding(name, State.FINE, f"{path}: its owner's alone")


def clear_text(settings: Settings) -> Iterator[Finding]:
    """What goes over a network unencrypted."""
    kafka, clickhouse = settings.kafka, settings.clickhouse
    hosts = [address.strip().rpartition("://")[2].rpartition(":")[0] for address in kafka.bootstrap.split(",")]
    if not kafka.security_protocol.endswith("SSL") and not all(map(is_loopback, hosts)):
        words = f"{kafka.security_protocol}: events, and a password if there is one, travel in clear text"
        yield Finding("Kafka's transport", State.NOTE, words, "set LAWFUL_KAFKA_SECURITY_PROTOCOL to SSL or SASL_SSL")
    if not clickhouse.secure and not is_loopback(clickhouse.host):
        words = "HTTP: the audit and the password travel in clear text"
        yield Finding("ClickHouse's transport", State.NOTE, words, "set LAWFUL_CLICKHOUSE_SECURE=true and its port")


def open_ports(settings: Settings) -> Iterator[Finding]:
    """Ports of ours that others can reach."""
    ports = sorted({port for port in (settings.metrics_port, settings.health_port) if port})
    if ports and not is_loopback(settings.listen_host):
        words = f"{settings.listen_host}, {', '.join(map(str, ports))}: numbers and health for whoever reaches them"
        yield Finding("open ports", State.NOTE, words, "let only Prometheus and the orchestrator through")
