"""What a broker can and cannot do, as data: workers, doctor and tests ask instead of guessing.

The figures were measured (see `tests/contracts/test_broker.py`, which holds each broker to them).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self


@dataclass(frozen=True, slots=True)
class BrokerTraits:
    """Behaviour that differs between brokers.

    Attributes:
        name: what people call it.
        embedded: a laptop's broker: one node, loopback only, never for production.
        log_append_time: honours `message.timestamp.type=LogAppendTime`.
        expires_dead_members: a killed consumer leaves its group after the session timeout. If not:
            use static member ids, and `leave_group` for a member that will not come back.
        waits_on_empty_fetch: a fetch without data is held back until data comes. If not: consumers
            must pause some milliseconds between empty fetches, or burn a core.
        compacts: removes superseded records of compacted topics.
        applies_retention: removes records past `retention.ms`.
        cooperative_rebalance: can move single partitions without stopping the rest.
        keeps_acknowledged_on_kill: what it acknowledged survives kill -9 of the broker.
        creates_topics_on_use: a topic exists as soon as someone writes to it.
        limits_message_bytes: refuses messages above `max.message.bytes`.
    """

    name: str
    embedded: bool
    log_append_time: bool
    expires_dead_members: bool
    waits_on_empty_fetch: bool
    compacts: bool
    applies_retention: bool
    cooperative_rebalance: bool
    keeps_acknowledged_on_kill: bool
    creates_topics_on_use: bool
    limits_message_bytes: bool


class Broker(Protocol):
    """A broker that we started: where it listens and how to stop it."""

    @property
    def traits(self) -> BrokerTraits:
        """What it can and cannot do."""
        ...

    @property
    def bootstrap(self) -> str:
        """`host:port`, for `bootstrap.servers`."""
        ...

    @property
    def data_dir(self) -> Path:
        """Where its data lives."""
        ...

    def start(self) -> Self:
        """Starts it; returns when it answers."""
        ...

    def stop(self) -> None:
        """Stops it in an orderly way; may be called again."""
        ...

    def kill(self) -> None:
        """Kills it as a crash would."""
        ...

    def restart(self) -> None:
        """Stops it (if it runs) and starts it again, same port, same data."""
        ...
