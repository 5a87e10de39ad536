"""What an operator can set of the gateway; part of `lawful.infra.settings`."""

from dataclasses import dataclass, field
from typing import Any


def _about(text: str, **rules: Any) -> dict[str, Any]:
    """A field's metadata, as in `lawful.infra.settings`."""
    return {"help": text, **rules}


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """How the gateway passes on what agents write to the outbox."""

    deadline_ms: int = field(
        default=5_000,
        metadata=_about("the gateway waits at most this long for a verdict; then it blocks", least=1, most=60_000),
    )
    in_flight: int = field(
        default=500, metadata=_about("outbox records whose verdicts are awaited at once", least=1, most=100_000)
    )
    create_inboxes: bool = field(
        default=False, metadata=_about("make the outbox and missing inboxes; else `lawful topics` makes them")
    )
    most_inboxes: int = field(
        default=1_000, metadata=_about("no more inboxes than this are made by the gateway", least=1, most=100_000)
    )
