"""What a worker needs to be told; the composition root fills it from settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lawful.schemas.topics import Topics
from lawful.streams.dead_letters import DeadLetterLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """One worker process.

    Attributes:
        bootstrap: broker addresses, `host:port`, separated by commas.
        instance_id: stable name of this process in its group: a restart under the same name takes
            over at once. Empty: the broker gives it a passing one.
        group: the consumer group; empty takes the topics' own.
        data_dir: where tables are kept on disk; `None` keeps them in memory.
        reply_prefix: what reply topics must begin with.
        combine_timeout_ms: how long an event waits for all of its subjects.
        recent: per partition, duplicates are recognised among so many records.
        linger_ms: how long the producer waits to fill a batch.
        session_timeout_s: after so long without a sign of life, others take over.
        kafka: more of how to reach the broker, in librdkafka's names.
        credentials, ssl_context: Faust's credentials object and the TLS context, where needed.
    """

    bootstrap: str = "127.0.0.1:9092"
    topics: Topics = field(default_factory=Topics)
    partitions: int = 4
    instance_id: str = ""
    group: str = ""
    data_dir: Path | None = None
    reply_prefix: str = ""
    combine_timeout_ms: int = 10_000
    dead_letters: DeadLetterLimits = field(default_factory=DeadLetterLimits)
    recent: int = 4096
    linger_ms: int = 2
    session_timeout_s: float = 15.0
    kafka: Mapping[str, str] = field(default_factory=dict, repr=False)
    credentials: Any = field(default=None, repr=False)
    ssl_context: Any = field(default=None, repr=False)

    @property
    def librdkafka(self) -> dict[str, str]:
        """How to reach the broker, for confluent-kafka's clients."""
        return {"bootstrap.servers": self.bootstrap, **self.kafka}

    @property
    def tables_dir(self) -> Path | None:
        """Where this worker's tables are kept; a folder has one worker."""
        return None if self.data_dir is None else self.data_dir / "tables" / (self.instance_id or "worker")

    @property
    def group_id(self) -> str:
        """The consumer group that the workers form."""
        return self.group or self.topics.app_id

    @property
    def allowed_reply_prefix(self) -> str:
        """What reply topics must begin with."""
        return self.reply_prefix or self.topics.reply_prefix
