"""The embedded broker: noida-db, one small binary from a wheel that speaks Kafka's protocol.

It lets a laptop run the demo and the tests without Docker or Java. It is not Kafka (`NOIDA` below
says how): one node; snapshots of whole files about once a second, so what was acknowledged within the
last second or so is lost when the broker itself is killed; a killed member never leaves its group
(use static member ids: a restart under the same id takes over at once; `leave_group` frees the
partitions of one that will not come back); no compaction; no cooperative rebalance; topics appear when
written to. Offsets, transactions, LogAppendTime, retention, order, headers, big messages and their
limit are right. It answers an empty fetch at once, so `front.py` stands before it and waits.
Measured with 0.2.3, which the wheel's pin keeps; `tests/contracts/test_broker.py` measures again.

At start its loader may print that a weak symbol version of glibc is missing: it runs without it.
"""

import importlib.util
import sys
from pathlib import Path

from confluent_kafka import KafkaException

from lawful.infra.engines.engine import ChildEngine
from lawful.infra.engines.ports import LOOPBACK, answers
from lawful.infra.engines.process import Command
from lawful.infra.engines.traits import BrokerTraits
from lawful.infra.kafka_api import AdminClient
from lawful.schemas.errors import ConfigurationError

START_SECONDS = 15.0
FRONT = "lawful.infra.engines.front"

NOIDA = BrokerTraits(
    name="noida-db (embedded)",
    embedded=True,
    log_append_time=True,
    expires_dead_members=False,
    waits_on_empty_fetch=True,
    compacts=False,
    applies_retention=True,
    cooperative_rebalance=False,
    keeps_acknowledged_on_kill=False,
    creates_topics_on_use=True,
    limits_message_bytes=True,
)


def binary() -> Path:
    """The broker's program inside its wheel.

    Raises:
        ConfigurationError: the wheel is not installed.
    """
    found = importlib.util.find_spec("noida_db")
    if found is None or found.origin is None:
        raise ConfigurationError("the embedded broker is not installed", hint="pip install 'lawful[embedded]'")
    return Path(found.origin).with_name("noida-db")


class EmbeddedBroker(ChildEngine):
    """One embedded broker on a free loopback port; starts in a fifth of a second."""

    kind = "embedded broker"
    port_count = 2
    traits = NOIDA

    def _commands(self, folder: Path, ports: tuple[int, ...]) -> tuple[Command, Command]:
        outer, inner = ports
        argv = [
            str(binary()),
            "start",
            "--only",
            "kafka",
            "--kafka-port",
            str(inner),
            "--data-dir",
            str(folder / "data"),
        ]
        front = [sys.executable, "-P", "-m", FRONT, str(outer), str(inner)]
        return (
            Command(self.kind, argv, self.log, healthy=lambda: answers(inner), start_seconds=START_SECONDS),
            Command(f"{self.kind}'s front", front, self.log, healthy=lambda: is_up(outer), start_seconds=START_SECONDS),
        )

    @property
    def bootstrap(self) -> str:
        """`host:port`, for `bootstrap.servers`."""
        return f"{LOOPBACK}:{self.port}"


def is_up(port: int) -> bool:
    """Whether a broker answers a metadata request on this loopback port."""
    if not answers(port):
        return False
    admin = AdminClient({"bootstrap.servers": f"{LOOPBACK}:{port}", "log_level": 0})
    try:
        return bool(admin.list_topics(timeout=2).brokers)
    except KafkaException:
        return False
