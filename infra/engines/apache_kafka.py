"""Apache Kafka itself, one node in KRaft mode, from Maven's jars on Java 17 or newer, without Docker.

It is what the embedded broker is measured against: take-over after a crash, compaction and rebalance
behaviour are proven here. Starts in about five seconds: two to format its storage (first start
only), three until it answers. The first start on a machine also fetches the jars.
"""

import base64
import subprocess
import uuid
from pathlib import Path

from lawful.infra.engines import kafka_jars
from lawful.infra.engines.broker import is_up
from lawful.infra.engines.engine import ChildEngine
from lawful.infra.engines.ports import LOOPBACK
from lawful.infra.engines.process import Command, EngineFailed
from lawful.infra.engines.traits import BrokerTraits

HERE = Path(__file__).with_name("kafka")
START_SECONDS = 60.0
GRACE_SECONDS = 15.0
# The heap is small, and all of it is there from the start: what grows later is not the heap. The compiler stops at its
# first stage: this node lives for minutes, not for months.
JAVA = (
    "java",
    "-Xms512m",
    "-Xmx512m",
    "-XX:+AlwaysPreTouch",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:+ExitOnOutOfMemoryError",
)

APACHE_KAFKA = BrokerTraits(
    name="Apache Kafka",
    embedded=False,
    log_append_time=True,
    expires_dead_members=True,
    waits_on_empty_fetch=True,
    compacts=True,
    applies_retention=True,
    cooperative_rebalance=True,
    keeps_acknowledged_on_kill=True,
    creates_topics_on_use=False,
    limits_message_bytes=True,
)


class ApacheKafka(ChildEngine):
    """One Apache Kafka node on free loopback ports."""

    kind = "Apache Kafka"
    port_count = 2
    traits = APACHE_KAFKA

    def _commands(self, folder: Path, ports: tuple[int, ...]) -> tuple[Command]:
        jars = kafka_jars.fetch_jars()
        java = [*JAVA, f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}", "-cp", f"{jars}/*"]
        properties = folder / "server.properties"
        properties.write_text(self._properties(folder / "data", *ports))
        if not (folder / "data" / "meta.properties").exists():
            _format(java, properties)
        return (
            Command(
                name=self.kind,
                argv=[*java, "kafka.Kafka", str(properties)],
                log=self.log,
                healthy=lambda: is_up(ports[0]),
                start_seconds=START_SECONDS,
                grace_seconds=GRACE_SECONDS,
            ),
        )

    @staticmethod
    def _properties(data: Path, port: int, controller: int) -> str:
        lines = [
            f"listeners=PLAINTEXT://{LOOPBACK}:{port},CONTROLLER://{LOOPBACK}:{controller}",
            f"advertised.listeners=PLAINTEXT://{LOOPBACK}:{port}",
            f"controller.quorum.voters=1@{LOOPBACK}:{controller}",
            f"log.dirs={data}",
        ]
        return "\n".join(lines) + "\n" + (HERE / "server.properties").read_text()

    @property
    def bootstrap(self) -> str:
        """`host:port`, for `bootstrap.servers`."""
        return f"{LOOPBACK}:{self.port}"


def _format(java: list[str], properties: Path) -> None:
    """Formats the storage of a new node."""
    # The tool takes an id that begins with a dash for an option.
    cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=").replace("-", "_")
    command = [*java, "kafka.tools.StorageTool", "format", "-t", cluster, "-c", str(properties)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=START_SECONDS)
    if done.returncode:
        raise EngineFailed(f"Apache Kafka's storage could not be formatted:\n{(done.stdout + done.stderr)[-2000:]}")
