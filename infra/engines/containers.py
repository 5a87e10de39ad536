"""Engines in containers, when Docker answers: the same tests on what production runs.

Needs the `testcontainers` package (extra `dev`). Containers are removed by testcontainers' own
reaper when this process dies.
"""

import contextlib
import importlib.util
import os
import socket
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from lawful.infra.engines import clickhouse_config as config
from lawful.infra.engines.apache_kafka import APACHE_KAFKA
from lawful.infra.engines.broker import is_up
from lawful.infra.engines.clickhouse import is_up as clickhouse_is_up
from lawful.infra.engines.ports import LOOPBACK, free_port
from lawful.infra.engines.process import EngineFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from clickhouse_connect.driver.client import Client

KAFKA_IMAGE = "apache/kafka:4.1.2"
CLICKHOUSE_IMAGE = "clickhouse/clickhouse-server:25.8"
DOCKER_SOCKET = "unix:///var/run/docker.sock"
START_SECONDS = 90.0
POLL_SECONDS = 0.1


def missing() -> str:
    """What keeps this machine from running containers; empty if nothing does."""
    if importlib.util.find_spec("testcontainers") is None:
        return "no testcontainers package"
    address = os.environ.get("DOCKER_HOST", DOCKER_SOCKET)
    return "" if _docker_answers(address) else f"Docker does not answer at {address}"


def _docker_answers(address: str) -> bool:
    """Asks by hand: docker's own client leaves a socket open when nobody answers."""
    scheme, _, place = address.partition("://")
    if scheme not in ("unix", "tcp"):
        return False  # e.g. ssh: not tried
    host, _, port = place.rpartition(":")
    family, target = (socket.AF_UNIX, place) if scheme == "unix" else (socket.AF_INET, (host, int(port)))
    with contextlib.suppress(OSError, ValueError), socket.socket(family) as connection:
        connection.settimeout(5)
        connection.connect(target)
        connection.sendall(b"GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n")
        return b" 200 " in connection.recv(64)
    return False


class _Container:
    """A container on a fixed port of loopback, so that it can name its own address."""

    def __init__(self, image: str) -> None:
        from testcontainers.core.container import DockerContainer  # noqa: PLC0415 - optional

        self._container: Any = DockerContainer(image)
        self._temporary = tempfile.TemporaryDirectory(prefix="lawful-")
        self.port = free_port()
        self.host = LOOPBACK

    @property
    def data_dir(self) -> Path:
        """A folder for what goes into the container."""
        return Path(self._temporary.name)

    def _up(self) -> bool:
        raise NotImplementedError

    def start(self) -> Self:
        """Starts it; returns when it answers."""
        self._container.start()
        self._await(self._up)
        return self

    def _await(self, healthy: "Callable[[], bool]") -> None:
        deadline = time.monotonic() + START_SECONDS
        while not healthy():
            if time.monotonic() > deadline:
                raise EngineFailed(f"{type(self).__name__} did not answer within {START_SECONDS:g} s")
            time.sleep(POLL_SECONDS)

    def kill(self) -> None:
        """Kills it as a crash would."""
        self._container.get_wrapped_container().kill()

    def restart(self) -> None:
        """Stops it (if it runs) and starts it again: same port, same data."""
        self._container.get_wrapped_container().restart()
        self._await(self._up)

    def stop(self) -> None:
        """Stops and removes it."""
        self._container.stop()
        self._temporary.cleanup()


class KafkaContainer(_Container):
    """Apache Kafka, one node, from its official image."""

    traits = APACHE_KAFKA

    def __init__(self) -> None:
        super().__init__(KAFKA_IMAGE)
        settings = Path(__file__).with_name("kafka") / "server.properties"
        own = [
            f"listeners=PLAINTEXT://:{self.port},CONTROLLER://:9093",
            f"advertised.listeners=PLAINTEXT://{LOOPBACK}:{self.port}",
            "controller.quorum.voters=1@localhost:9093",
            "log.dirs=/tmp/kafka-logs",
        ]
        file = self.data_dir / "server.properties"
        file.write_text("\n".join(own) + "\n" + settings.read_text())
        self._container.with_volume_mapping(str(self.data_dir), "/mnt/shared/config", "ro")
        self._container.with_bind_ports(self.port, self.port)

    @property
    def bootstrap(self) -> str:
        """`host:port`, for `bootstrap.servers`."""
        return f"{LOOPBACK}:{self.port}"

    def _up(self) -> bool:
        return is_up(self.port)


class ClickHouseContainer(_Container):
    """clickhouse-server, one node, from its official image, with the same users as the embedded one."""

    tcp_port = None

    def __init__(self) -> None:
        super().__init__(CLICKHOUSE_IMAGE)
        self.accounts = config.Accounts.generate()
        users = self.data_dir / "lawful.xml"
        users.write_text(config.users_xml(self.accounts, config.GRANTS, networks=("::/0",)))
        self._container.with_volume_mapping(str(users), "/etc/clickhouse-server/users.d/lawful.xml", "ro")
        self._container.with_bind_ports(8123, self.port)

    def _up(self) -> bool:
        return clickhouse_is_up(self.port)

    def password(self, user: str = config.OWNER) -> str:
        """The password of `owner`, `writer` or `officer`."""
        return self.accounts.passwords[user]

    def client(self, user: str = config.OWNER, database: str = "default") -> "Client":
        """A clickhouse-connect client for one of the users; the caller closes it."""
        import clickhouse_connect  # noqa: PLC0415 - slow to import

        return clickhouse_connect.get_client(
            host=self.host, port=self.port, username=user, password=self.password(user), database=database
        )
