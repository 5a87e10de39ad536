"""Puts auditors and critical agents into a worker, where settings name any; tells what collusion could do."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from lawful.infra.auditors.pool import READER, auditors, listed
from lawful.infra.auditors.publishing import publish
from lawful.infra.auditors.telling import told as bounds_told
from lawful.infra.settings import Settings
from lawful.infra.settings_auditors import Tier
from lawful.policies.policyset import PolicySet
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.verdict import Verdict
from lawful.streams.auditing import Panel, PanelOptions
from lawful.streams.kernel import Kernel
from lawful.streams.observing import Observers
from lawful.streams.tiers import EveryEvent, Scrutiny, Tiers

log = logging.getLogger(__name__)

_SOURCE: Final = "urn:lawful:worker"


@dataclass(frozen=True, slots=True)
class Installed:
    """A worker's parts, with auditors among them.

    Attributes:
        panel: `None` where there are none.
    """

    kernel: Kernel
    observers: Observers
    panel: Panel | None = None


def installed(
    settings: Settings, kernel: Kernel, observers: Observers, told: Callable[[Verdict], None] = lambda _: None
) -> Installed:
    """The parts as they are if no pool is set; else with auditors, whose key is committed to in the audit first.

    Args:
        settings: name the pool, if there is one.
        kernel: a worker's.
        observers: a worker's.
        told: called with every verdict that was voted on; must be quick.

    Raises:
        ConfigurationError: an auditor is not there, the key is missing, or nothing tells who is critical.
        RetryLater: Kafka does not take the commitment.
    """
    own = settings.auditors
    names = list(listed(own.pool))
    if not names:
        return Installed(kernel, observers)
    panel = panel_of(settings, kernel, told)
    for line in bounds_told(len(names), own.sentries):
        log.info("%s", line)
    source = f"{_SOURCE}:{settings.instance_id}" if settings.instance_id else _SOURCE
    publish(settings.kafka.librdkafka(), settings.topics.audit, panel.commitment, panel.terms, source)
    tiers, watching = _tiers(settings, observers)
    reader = kernel.extractor if READER in names else None
    return Installed(replace(kernel, scrutiny=Scrutiny(tiers, reader)), watching, panel)


def panel_of(settings: Settings, kernel: Kernel, told: Callable[[Verdict], None] = lambda _: None) -> Panel:
    """The pool that settings name.

    Raises:
        ConfigurationError: an auditor is not there, or the key is missing.
    """
    own = settings.auditors
    policies = kernel.policies if isinstance(kernel.policies, PolicySet) else None
    options = PanelOptions(sentries=own.sentries, key=own.key, timeout=own.timeout_ms / 1_000)
    return Panel(auditors(own.pool, policies), options, told)


def _tiers(settings: Settings, observers: Observers) -> tuple[Tiers, Observers]:
    own = settings.auditors
    if own.tier is Tier.ALL:
        return EveryEvent(), observers
    from lawful.infra.centrality.measure import Measure  # noqa: PLC0415 - only who has critical agents loads graphs
    from lawful.infra.centrality.watch import CriticalAgents, Rounds  # noqa: PLC0415

    if not any(own.weights):
        raise ConfigurationError(
            "degree, betweenness and closeness all count for nothing", hint="give one of the auditors' weights a value"
        )
    critical = CriticalAgents(Measure(share=own.share, weights=own.weights), Rounds(window=own.window, every=own.round))
    return critical, Observers(observers, critical)
