"""What the controller declared, read from the policy's YAML once more, by other code than the monitor's.

Only what the oracle needs: the purposes' legal bases, what they need, what survives an erasure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML

SPECIAL: Final = (
    "user.biometric",
    "user.health_and_medical",
    "user.demographic.political_opinion",
    "user.demographic.race_ethnicity",
    "user.demographic.religious_belief",
    "user.demographic.sexual_orientation",
    "user.authorization.biometric",
    "user.lawful.trade_union_membership",
)
"""GDPR Art. 9(1), in the taxonomy's keys."""


def within(key: str, ancestors: Iterable[str]) -> bool:
    """Whether a dotted key is one of these or below one of them."""
    return any(f"{key}.".startswith(f"{ancestor}.") for ancestor in ancestors)


@dataclass(frozen=True, slots=True)
class DeclaredPurpose:
    """What a policy says of one purpose."""

    by_consent: bool
    necessary: tuple[str, ...]
    survives: bool


@dataclass(frozen=True, slots=True)
class Law:
    """What holds in one pack."""

    purposes: Mapping[str, DeclaredPurpose]

    def of(self, purpose: str) -> DeclaredPurpose | None:
        """What is declared for a purpose, or for the nearest name above it."""
        parts = purpose.split(".")
        names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        return next((self.purposes[name] for name in names if name in self.purposes), None)


def read_law(policy: Path) -> Law:
    """The law of a policy file."""
    document = YAML(typ="safe", pure=True).load(policy)
    return Law({key: _purpose(row) for key, row in document["purposes"].items()})


def _purpose(row: Mapping[str, Any]) -> DeclaredPurpose:
    return DeclaredPurpose(
        by_consent=row["legal_basis"] == "consent",
        necessary=tuple(row.get("necessary", ())),
        survives=bool(row.get("survives_erasure", False)),
    )
