"""A worker whose topics or policies are not as they must be does not start, and says why."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from lawful.schemas.errors import ConfigurationError
from lawful.schemas.topics import TOPICS
from lawful.streams.checks import check_policies, check_topics
from tests.streams.kit import OnePolicy


@dataclass
class Cluster:
    """A made-up broker: all as it should be, but for what a test changes."""

    counts: dict[str, int] = field(default_factory=lambda: {topic.name: 4 for topic in TOPICS.all()})
    configs: dict[str, Mapping[str, str]] = field(
        default_factory=lambda: {topic.name: topic.config for topic in TOPICS.all()}
    )

    def partitions(self, topic: str, /) -> int | None:
        """How many partitions."""
        return self.counts.get(topic)

    def config(self, topic: str, /) -> Mapping[str, str] | None:
        """Settings."""
        return self.configs.get(topic)


def test_topics_as_they_are_created_pass_without_a_word() -> None:
    """What `lawful topics` makes is what a worker wants."""
    assert check_topics(TOPICS, Cluster()) == ()


def test_a_missing_topic_is_named() -> None:
    """Nothing is created on the way."""
    cluster = Cluster()
    del cluster.counts[TOPICS.partials]
    with pytest.raises(ConfigurationError, match=f"missing: {TOPICS.partials}"):
        check_topics(TOPICS, cluster)


def test_unequal_partition_counts_are_refused() -> None:
    """A worker would sit there and judge nothing."""
    cluster = Cluster()
    cluster.counts[TOPICS.changelog("history")] = 3
    with pytest.raises(ConfigurationError, match="same number of partitions"):
        check_topics(TOPICS, cluster)


def test_the_number_of_partitions_of_what_is_only_written_is_free() -> None:
    """Nobody joins verdicts with tables."""
    cluster = Cluster()
    cluster.counts[TOPICS.verdicts] = 1
    assert check_topics(TOPICS, cluster) == ()


@pytest.mark.parametrize("policy", ["delete", "compact,delete"])
def test_a_changelog_that_forgets_by_age_is_refused(policy: str) -> None:
    """A forgotten withdrawal would be a consent."""
    cluster = Cluster()
    cluster.configs[TOPICS.changelog("history")] = {"cleanup.policy": policy}
    with pytest.raises(ConfigurationError, match=f"cleanup.policy={policy}"):
        check_topics(TOPICS, cluster)


def test_a_broker_that_does_not_say_is_warned_about() -> None:
    """What cannot be made sure of is told, not refused."""
    warnings = check_topics(TOPICS, Cluster(configs={}))
    assert len(warnings) == 2
    assert "compact-only" in warnings[0]
    assert "producers' clocks" in warnings[1]


def test_without_a_policy_nothing_starts() -> None:
    """No policy is not the same as everything allowed."""
    check_policies(OnePolicy(), "shop")
    with pytest.raises(ConfigurationError, match="no policy 'shpo' is loaded"):
        check_policies(OnePolicy(), "shpo")
