"""What an operator can set of auditors and critical agents; part of `lawful.infra.settings`."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


def _about(text: str, **rules: Any) -> dict[str, Any]:
    """A field's metadata, as in `lawful.infra.settings`."""
    return {"help": text, **rules}


class Tier(StrEnum):
    """Which events auditors look at."""

    CRITICAL = "critical"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditorSettings:
    """Who looks at workers' verdicts, and at which of them."""

    pool: str = field(
        default="",
        metadata=_about("auditors, separated by commas: python, rego, mfotl, reader, pack:NAME, NAME=MODULE:ATTRIBUTE"),
    )
    sentries: int = field(default=2, metadata=_about("auditors that are drawn for the first round", least=1, most=100))
    key: bytes = field(
        default=b"",
        repr=False,
        metadata=_about("key that sentries are drawn with, the same for all workers, at least 32 bytes", secret=True),
    )
    timeout_ms: int = field(
        default=250, metadata=_about("an auditor that takes longer is a doubt", least=1, most=60_000)
    )
    tier: Tier = field(
        default=Tier.CRITICAL, metadata=_about("whose events auditors look at: critical agents', or all")
    )
    share: float = field(default=0.3, metadata=_about("share of a tenant's agents that are critical", least=0, most=1))
    window: int = field(
        default=100_000,
        metadata=_about("messages of a tenant that decide who is critical", least=10, most=10_000_000),
    )
    round: int = field(
        default=1_000, metadata=_about("after so many messages it is decided anew", least=1, most=1_000_000)
    )
    degree_weight: float = field(default=1.0, metadata=_about("what an agent's degree counts for", least=0, most=1_000))
    betweenness_weight: float = field(
        default=1.0,
        metadata=_about("what its betweenness counts for: whose messages go through it", least=0, most=1_000),
    )
    closeness_weight: float = field(
        default=1.0, metadata=_about("what its closeness counts for: how near it is to all others", least=0, most=1_000)
    )

    @property
    def weights(self) -> tuple[float, float, float]:
        """Of degree, betweenness and closeness."""
        return self.degree_weight, self.betweenness_weight, self.closeness_weight
