"""Where to go on: just behind what ClickHouse holds, unless the log contradicts it."""

from dataclasses import dataclass

from lawful.infra.clickhouse.rows import Partition
from lawful.schemas.errors import MustStop


@dataclass(frozen=True, slots=True)
class Start:
    """Where to begin in a partition, and what was deleted before it could be read.

    Attributes:
        offset: the first record to read.
        lost: first and last offset of the gap; `None` for none.
    """

    offset: int
    lost: tuple[int, int] | None = None


def start(partition: Partition, held: int | None, bounds: tuple[int, int], *, accept_gap: bool) -> Start:
    """Where to begin.

    Args:
        partition: for the message.
        held: the highest offset that ClickHouse holds; `None` when it holds nothing of it.
        bounds: the first offset that Kafka has, and the next one it will give out.
        accept_gap: whether lost records are written down and passed over.

    Raises:
        MustStop: the topic is not the one that was read before, or has lost records.
    """
    low, high = bounds
    if held is None:
        return Start(low)
    after = held + 1
    name = f"{partition.topic}, partition {partition.number}"
    if after > high:
        raise MustStop(
            f"ClickHouse holds {name} up to offset {held}, but in Kafka it ends before {high}: the topic was made "
            "anew, or the broker lost records. Use a new database (LAWFUL_CLICKHOUSE_DATABASE) or a new topic prefix"
        )
    if after >= low:
        return Start(after)
    if not accept_gap:
        raise MustStop(
            f"offsets {after} to {low - 1} of {name} were deleted before they reached ClickHouse: the audit has a gap. "
            "LAWFUL_AUDIT_ACCEPT_GAP=true writes the gap down in dead_letters and goes on"
        )
    return Start(low, (after, low - 1))
