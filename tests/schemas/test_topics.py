"""The topics as data."""

import pytest

from lawful.schemas.errors import ConfigurationError
from lawful.schemas.topics import MAX_MESSAGE_BYTES, TABLES, TOPICS, Partitions, Topics


def test_names_are_those_of_the_design() -> None:
    """The default prefix gives the documented names."""
    assert [topic.name for topic in TOPICS.all() if topic.table is None] == [
        "lawful.events",
        "lawful.annotated",
        "lawful.partials",
        "lawful.verdicts",
        "lawful.audit",
        "lawful.dead-letters",
        "lawful.keys",
        "lawful.audit-anchors",
    ]


def test_another_prefix_shares_no_topic() -> None:
    """Two installations, or two tests, share a broker without meeting."""
    ours, theirs = ({topic.name for topic in Topics(prefix).all()} for prefix in ("t1", "t2"))
    assert not ours & theirs
    assert Topics("t1").changelog("history") == "t1-workers-history-changelog"


def test_changelogs_are_compacted_and_nothing_else() -> None:
    """A changelog that deletes by time makes a table forget."""
    changelogs = [topic for topic in TOPICS.all() if topic.table]
    assert {topic.table for topic in changelogs} == set(TABLES)
    assert all(topic.config["cleanup.policy"] == "compact" for topic in changelogs)
    assert not any("retention.ms" in topic.config for topic in changelogs)


def test_sources_and_changelogs_have_equally_many_partitions() -> None:
    """Faust places a table's partition beside the source's of the same number."""
    equal = {topic.name for topic in TOPICS.all() if topic.partitions is Partitions.SOURCE}
    sources = {TOPICS.events, TOPICS.annotated, TOPICS.partials}
    assert equal == sources | {TOPICS.changelog(table) for table in TABLES}


def test_the_brokers_clock_stamps_every_stream() -> None:
    """Decisions use the append time, which no agent sets."""
    streams = [topic for topic in (*TOPICS.all(), TOPICS.reply_topic("c")) if topic.table is None]
    assert {topic.config["message.timestamp.type"] for topic in streams} == {"LogAppendTime"}
    assert {topic.config["max.message.bytes"] for topic in TOPICS.all()} == {str(MAX_MESSAGE_BYTES)}


@pytest.mark.parametrize("prefix", ["", "lawful", "lawful.", "lawful.a", "lawful-workers-history-changelog"])
def test_a_reply_prefix_that_covers_our_own_topics_is_refused(prefix: str) -> None:
    """An event must not make a worker write into the audit topic."""
    with pytest.raises(ConfigurationError, match="would let an event's reply go to"):
        TOPICS.check_reply_prefix(prefix)


def test_the_default_reply_prefix_is_fine() -> None:
    """A client's reply topic starts with it."""
    TOPICS.check_reply_prefix(TOPICS.reply_prefix)
    assert TOPICS.reply_topic("guard-1").name == "lawful.replies.guard-1"
