"""Which events get more scrutiny: those of critical agents, by whoever knows which agents are critical.

The light tier is all that P1 to P4 ask. The heavy tier adds to it and takes nothing away: a second reading
for the auditors, and their votes. Which tier an event is of is decided once, when it is annotated, and
stands in its view: the log remembers it, so an event that is read again is of the tier that it was of.
"""

from dataclasses import dataclass
from typing import Protocol

from lawful.extractors.port import ExtractionSpec, Extractor
from lawful.schemas.changing import changed
from lawful.schemas.event import AgentEvent, RecipientKind
from lawful.schemas.view import ExtractionStatus, Finding, View


class Tiers(Protocol):
    """Knows which agents are critical."""

    def heavy(self, tenant_id: str, agents: tuple[str, ...], /) -> bool:
        """Whether an event that these agents send or get is of the heavy tier. Quick; called for every event."""
        ...


@dataclass(frozen=True, slots=True)
class Scrutiny:
    """What the annotate stage does more for the heavy tier.

    Attributes:
        tiers: says which events are of it.
        reader: reads them a second time, for the auditors.
    """

    tiers: Tiers
    reader: Extractor | None = None


class EveryEvent:
    """All events are of the heavy tier."""

    def heavy(self, tenant_id: str, agents: tuple[str, ...]) -> bool:
        """Always."""
        del tenant_id, agents
        return True


def scrutinised(view: View, event: AgentEvent, spec: ExtractionSpec, scrutiny: Scrutiny | None) -> View:
    """The view with its tier, and with what a second reading found. Never raises."""
    if scrutiny is None or not _heavy(view, scrutiny.tiers):
        return view
    reread = None if scrutiny.reader is None else _read(event, spec, scrutiny.reader)
    return changed(view, heavy=True, reread=reread)


def _heavy(view: View, tiers: Tiers) -> bool:
    try:
        return tiers.heavy(view.tenant_id, agents_of(view))
    except Exception:  # noqa: BLE001 - who cannot be told apart is looked at more closely
        return True


def agents_of(view: View) -> tuple[str, ...]:
    """The agents that send and get an event."""
    to = view.recipient
    return (view.agent_id,) if to is None or to.kind is not RecipientKind.AGENT else (view.agent_id, to.id)


def _read(event: AgentEvent, spec: ExtractionSpec, reader: Extractor) -> tuple[Finding, ...] | None:
    """What a second extractor finds; it is asked for names even where the policy does not depend on them."""
    try:
        found = reader.extract(event, changed(spec, names=True))
    except Exception:  # noqa: BLE001 - its auditor then has no answer, which is a doubt
        return None
    return found.findings if found.status is ExtractionStatus.COMPLETE else None
