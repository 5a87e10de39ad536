"""Anchors from wherever an installation keeps them: the topic, and files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from lawful.infra.audit_chain import anchor_file, anchor_topic
from lawful.infra.settings import Settings
from lawful.schemas.audit import Anchor, AnchorKind
from lawful.schemas.event import Micros


def anchors(settings: Settings, files: Sequence[Path] = (), *, topic: bool = True) -> list[Anchor]:
    """Every anchor that is kept, each once.

    Args:
        settings: where the topic is, and the file that writers append to, which counts if it is here.
        files: further files, as copies that were taken elsewhere.
        topic: whether to read the topic.

    Raises:
        RetryLater: Kafka is away.
        ConfigurationError: a file cannot be read, or Kafka refuses.
    """
    own = settings.audit.anchor_file
    paths = [*files, *([own] if own is not None and own.exists() else [])]
    found = [each for path in dict.fromkeys(paths) for each in anchor_file.read(path)]
    if topic:
        found += anchor_topic.read(settings.kafka, settings.topics.anchors)
    return list(dict.fromkeys(found))


def latest(found: Iterable[Anchor], before: Micros | None = None) -> list[Anchor]:
    """Of each chain the last head, as of a time."""
    last: dict[tuple[str, int], Anchor] = {}
    for each in sorted(found, key=lambda anchor: anchor.number):
        if each.kind is AnchorKind.HEAD and (before is None or each.signed_at <= before):
            last[each.topic, each.partition] = each
    return list(last.values())
