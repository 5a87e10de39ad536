"""`lawful erasure watch` as a process: numbers for Prometheus, readiness, and a polite end."""

import http.client
from contextlib import closing
from pathlib import Path

from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.ports import free_port
from lawful.infra.engines.process import ChildProcess, Command
from lawful.infra.settings import ClickHouseSettings
from tests.cli.processes import COMMAND


def ask(port: int, path: str) -> tuple[int, str]:
    """Status and body."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_it_counts_as_the_officer_and_ends_when_told_to(
    clickhouse: EmbeddedClickHouse, database: str, tmp_path: Path
) -> None:
    """Where nobody was erased nobody is overdue; the number is there, fresh, and has no label."""
    login = ClickHouseSettings(
        port=clickhouse.port or 0, user="owner", password=clickhouse.password(), database=database
    )
    migrate(login)
    port, ready = free_port(), tmp_path / "ready"
    env = {
        "LAWFUL_CLICKHOUSE_HOST": clickhouse.host,
        "LAWFUL_CLICKHOUSE_PORT": str(clickhouse.port),
        "LAWFUL_CLICKHOUSE_USER": "officer",
        "LAWFUL_CLICKHOUSE_PASSWORD": clickhouse.password("officer"),
        "LAWFUL_CLICKHOUSE_DATABASE": database,
        "LAWFUL_METRICS_PORT": str(port),
        "LAWFUL_HEALTH_PORT": str(port),
    }
    watch = ChildProcess(
        Command(
            name="erasure watch",
            argv=[*COMMAND, "erasure", "watch", "--ready-file", str(ready)],
            log=tmp_path / "log",
            healthy=ready.exists,
            env=env,
            cwd=tmp_path,
            start_seconds=60,
            grace_seconds=20,
        )
    ).start()
    try:
        status, told = ask(port, "/metrics")
        assert (status, ask(port, "/readyz"), ask(port, "/livez")) == (200, (200, "yes\n"), (200, "yes\n"))
    finally:
        watch.stop()
    assert "\nlawful_erasure_overdue_recipients 0.0\n" in told
    assert "\nlawful_erasure_looked_seconds " in told
    assert watch.returncode == 0
