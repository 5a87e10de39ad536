"""What must hold before a worker starts; each fault is told with its remedy.

A worker whose topics have unequal partition counts would sit there and judge nothing; one whose
changelog forgets by time would lose consents. So it does not start (design: topology).
"""

from collections.abc import Mapping
from typing import Protocol

from lawful.policies.rego.denying import Denier
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.topics import TABLES, Topics
from lawful.streams.kernel import Policies


class Cluster(Protocol):
    """What can be asked of a broker."""

    def partitions(self, topic: str, /) -> int | None:
        """The number of a topic's partitions; `None` if it does not exist."""
        ...

    def config(self, topic: str, /) -> Mapping[str, str] | None:
        """A topic's settings; `None` if the broker keeps none or does not say."""
        ...


def check_topics(topics: Topics, cluster: Cluster) -> tuple[str, ...]:
    """Checks everything about topics that a worker relies on.

    Returns:
        Warnings: what could not be made sure of.

    Raises:
        ConfigurationError: something is missing or wrong.
    """
    sources = (topics.events, topics.annotated, topics.partials)
    changelogs = tuple(topics.changelog(name) for name in TABLES)
    others = (topics.verdicts, topics.audit, topics.dead_letters)
    counts = {name: cluster.partitions(name) for name in (*sources, *changelogs, *others)}
    _all_there(counts)
    _equal({name: counts[name] or 0 for name in (*sources, *changelogs)})
    return (*_compacted(changelogs, cluster), *_stamped(topics, cluster))


def check_policies(policies: Policies, default: str | None, denier: Denier | None = None) -> None:
    """Refuses to start without a policy: no policy is not the same as all allowed.

    Raises:
        ConfigurationError: the policy of events that name none is not there, or has rules that nothing runs.
    """
    policy = policies.get(default)
    if policy is not None and policy.rego is not None and denier is None:
        raise ConfigurationError(
            f"the policy '{policy.id}' has Rego rules and nothing here runs them",
            hint="every event would be blocked: give the kernel a denier",
        )
    if policy is None:
        name = "no default policy" if default is None else f"no policy {default!r}"
        raise ConfigurationError(f"{name} is loaded", hint="set LAWFUL_DEFAULT_POLICY to one of the loaded policies")


def _all_there(counts: Mapping[str, int | None]) -> None:
    missing = [name for name, count in counts.items() if not count]
    if missing:
        raise ConfigurationError(f"topics are missing: {', '.join(missing)}", hint="run `lawful topics create`")


def _equal(counts: Mapping[str, int]) -> None:
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise ConfigurationError(
            f"source topics and changelogs need the same number of partitions: {told}",
            hint="partitions can be added with `lawful topics`, never taken away; tables must then be rebuilt",
        )


def _compacted(changelogs: tuple[str, ...], cluster: Cluster) -> tuple[str, ...]:
    unsure = []
    for name in changelogs:
        policy = (cluster.config(name) or {}).get("cleanup.policy")
        if policy is None:
            unsure.append(name)
        elif policy != "compact":
            raise ConfigurationError(
                f"{name} has cleanup.policy={policy}: rows would be forgotten by age",
                hint="set cleanup.policy=compact, or run `lawful topics create` anew",
            )
    return (f"the broker does not say whether {', '.join(unsure)} are compact-only",) if unsure else ()


def _stamped(topics: Topics, cluster: Cluster) -> tuple[str, ...]:
    stamp = (cluster.config(topics.events) or {}).get("message.timestamp.type")
    if stamp == "LogAppendTime":
        return ()
    return (f"{topics.events} is not stamped by the broker's clock: decisions rest on producers' clocks",)
