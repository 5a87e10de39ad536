"""The topics, as data: what they are called, keyed by, carry, and how a broker must keep them.

`lawful topics` creates and verifies them from here; `asyncapi.yaml` says the same to other
people's tools, and a test keeps the two equal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lawful.schemas.audit import Anchor, AuditRecord, DeadLetter, GuardReport
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentEvent
from lawful.schemas.history import History
from lawful.schemas.sealed import NEEDED_FOR, SealedEvent, SubjectKey
from lawful.schemas.state import LinkRow, Pending, Watermark
from lawful.schemas.verdict import Partial, Verdict
from lawful.schemas.view import View

MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""The largest record a topic takes; producers' and consumers' limits are set to it as well."""

PAYLOAD_HOURS: Final = 72
"""For so long payloads are kept unless settings say otherwise; a week at the most."""

_HOUR_MS: Final = 3_600_000
_DAY_MS: Final = 24 * _HOUR_MS


class Partitions(StrEnum):
    """How many partitions a topic has.

    `source` topics and the tables' changelogs all have the same number, or Faust cannot place
    tables beside what feeds them; the number of the others is free.
    """

    SOURCE = "source"
    FREE = "free"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic.

    Attributes:
        key: what the record key is, for people.
        values: the classes whose records it carries.
        config: topic settings in Kafka's own words.
        table: the Faust table whose changelog this is, if it is one.
        payloads: it holds what agents published, so it must not keep that for longer than it says.
    """

    name: str
    key: str
    values: tuple[type, ...]
    partitions: Partitions
    config: Mapping[str, str]
    table: str | None = None
    payloads: bool = False


TABLES: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = {
    "progress": ("kind of row", (Watermark,)),
    "history": ("kind of row, pseudonym of the subject", (History, LinkRow, Watermark)),
    "pending": ("kind of row, event id", (Pending, Watermark)),
}
"""The workers' tables, one per stage: what their rows are keyed by, and the classes of rows.

A stage's watermark stands in the same log as the rows it speaks of: it never comes back without them.
"""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one installation; all names start with its prefix.

    Attributes:
        payload_hours: for how long payloads are kept.
    """

    prefix: str = "lawful"
    payload_hours: int = PAYLOAD_HOURS

    @property
    def app_id(self) -> str:
        """The workers' Faust app, which is their consumer group too."""
        return f"{self.prefix}-workers"

    @property
    def events(self) -> str:
        """What agent runtimes publish."""
        return f"{self.prefix}.events"

    @property
    def annotated(self) -> str:
        """One view per subject of an event."""
        return f"{self.prefix}.annotated"

    @property
    def partials(self) -> str:
        """Shares of the verdicts on events that concern several people."""
        return f"{self.prefix}.partials"

    @property
    def verdicts(self) -> str:
        """Verdicts that nobody asked to have elsewhere."""
        return f"{self.prefix}.verdicts"

    @property
    def audit(self) -> str:
        """What goes into the audit trail."""
        return f"{self.prefix}.audit"

    @property
    def dead_letters(self) -> str:
        """Records that could not be read."""
        return f"{self.prefix}.dead-letters"

    @property
    def keys(self) -> str:
        """Keys that payloads are sealed with, wrapped."""
        return f"{self.prefix}.keys"

    @property
    def anchors(self) -> str:
        """Signed ends of the audit's hash chains."""
        return f"{self.prefix}.audit-anchors"

    @property
    def reply_prefix(self) -> str:
        """What a reply topic's name must start with, unless settings say otherwise."""
        return f"{self.prefix}.replies."

    @property
    def outbox(self) -> str:
        """What agents hand to the gateway, to be passed on."""
        return f"{self.prefix}.outbox"

    @property
    def inbox_prefix(self) -> str:
        """What the name of every inbox starts with; see `lawful.schemas.inboxes`."""
        return f"{self.prefix}.inbox."

    def replies(self, client: str) -> str:
        """The reply topic of one client."""
        return f"{self.reply_prefix}{client}"

    def changelog(self, table: str) -> str:
        """The changelog topic of a table, as Faust names it."""
        return f"{self.app_id}-{table}-changelog"

    def all(self) -> tuple[Topic, ...]:
        """Every topic that must be there before a worker starts; reply topics are their clients' own."""
        return (*self._streams(), *(self._changelog(table) for table in TABLES))

    def reply_topic(self, client: str) -> Topic:
        """How a client's reply topic is created. Nothing in it is worth keeping for long."""
        config = _stream(retention_ms=_HOUR_MS)
        return Topic(
            name=self.replies(client), key="event id", values=(Verdict,), partitions=Partitions.FREE, config=config
        )

    def outbox_topic(self) -> Topic:
        """What the gateway reads; only installations with a gateway have it."""
        return Topic(
            name=self.outbox,
            key="chosen by the agent: what has the same key stays in order",
            values=(AgentEvent,),
            partitions=Partitions.FREE,
            config=_payloads(self.payload_hours),
            payloads=True,
        )

    def inbox_topic(self, name: str) -> Topic:
        """How a recipient's inbox is created."""
        return Topic(
            name=name,
            key="pseudonym of the session",
            values=(AgentEvent, Verdict),
            partitions=Partitions.FREE,
            config=_payloads(self.payload_hours),
            payloads=True,
        )

    def check_reply_prefix(self, allowed: str) -> None:
        """Refuses a prefix under which an event could make a worker write into our own topics.

        Raises:
            ConfigurationError: it is empty, or one of our topics starts with it.
        """
        ours = (*(topic.name for topic in self.all()), self.outbox)
        own = next((name for name in ours if name.startswith(allowed)), None)
        if own is not None:
            raise ConfigurationError(
                f"the allowed prefix of reply topics, {allowed!r}, would let an event's reply go to {own}",
                hint=f"use one like {self.reply_prefix!r}",
            )

    def _streams(self) -> tuple[Topic, ...]:
        week, month = _stream(retention_ms=7 * _DAY_MS), _stream(retention_ms=30 * _DAY_MS)
        subject = "pseudonym of the subject, else of the session"
        source, free = Partitions.SOURCE, Partitions.FREE
        return (
            Topic(
                name=self.events,
                key=subject,
                values=(AgentEvent, SealedEvent),
                partitions=source,
                config=_payloads(self.payload_hours),
                payloads=True,
            ),
            Topic(name=self.annotated, key=subject, values=(View,), partitions=source, config=week),
            Topic(name=self.partials, key="event id", values=(Partial,), partitions=source, config=week),
            Topic(name=self.verdicts, key="event id", values=(Verdict,), partitions=free, config=week),
            Topic(
                name=self.audit,
                key="key of the principal's view; a guard's report: event id",
                values=(AuditRecord, GuardReport),
                partitions=free,
                config=month,
            ),
            Topic(
                name=self.dead_letters,
                key="topic/partition/offset of the record",
                values=(DeadLetter,),
                partitions=free,
                config=week,
            ),
            Topic(name=self.keys, key="id of the key", values=(SubjectKey,), partitions=free, config=_KEYS),
            Topic(
                name=self.anchors,
                key="kind/topic/partition/day of the anchor",
                values=(Anchor,),
                partitions=free,
                config={**_COMPACTED, "message.timestamp.type": "LogAppendTime"},
            ),
        )

    def _changelog(self, table: str) -> Topic:
        key, rows = TABLES[table]
        return Topic(
            name=self.changelog(table),
            key=key,
            values=rows,
            partitions=Partitions.SOURCE,
            config=_COMPACTED,
            table=table,
        )


TOPICS: Final = Topics()
"""The topics under their default names."""

# Time-based deletion on a changelog would make a table forget: compact, and nothing else.
_COMPACTED: Final = {
    "cleanup.policy": "compact",
    "max.message.bytes": str(MAX_MESSAGE_BYTES),
    "max.compaction.lag.ms": str(_DAY_MS),
    "segment.ms": str(_DAY_MS),
}


# Compacted, so that a tombstone takes a key away, and soon; and gone by itself once nothing is sealed with it.
_KEYS: Final = {
    "cleanup.policy": "compact,delete",
    "retention.ms": str(NEEDED_FOR // 1_000),
    "max.message.bytes": str(MAX_MESSAGE_BYTES),
    "message.timestamp.type": "LogAppendTime",
    "max.compaction.lag.ms": str(_HOUR_MS),
    "delete.retention.ms": str(_DAY_MS),
    "segment.ms": str(_HOUR_MS),
}


def _payloads(hours: int) -> dict[str, str]:
    """A topic's settings that make its records go when they say: only closed segments are deleted."""
    segment_ms = max(_HOUR_MS // 4, hours * _HOUR_MS // 12)
    return {**_stream(retention_ms=hours * _HOUR_MS), "segment.ms": str(segment_ms)}


def _stream(*, retention_ms: int) -> dict[str, str]:
    return {
        "cleanup.policy": "delete",
        "retention.ms": str(retention_ms),
        "max.message.bytes": str(MAX_MESSAGE_BYTES),
        # The broker's clock decides, never an agent's.
        "message.timestamp.type": "LogAppendTime",
    }
