"""The whole of learning: rules from one share of the demonstrations, and how well they hold on the other.

Deterministic: which demonstrations are kept for validation is decided by their names.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lawful.firewalls.learning.contrast import contrast
from lawful.firewalls.learning.demonstrations import Demonstration
from lawful.firewalls.learning.validating import Validation, validate
from lawful.firewalls.learning.vocabulary import learn_vocabulary
from lawful.firewalls.learning.writing import abstraction_yaml, protocol_yaml
from lawful.firewalls.parse_abstraction import parse_abstraction
from lawful.firewalls.parse_protocol import parse_protocol
from lawful.schemas.errors import ConfigurationError

LEAST: Final = 3
HELD_OUT: Final = 0.2


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of learning.

    Attributes:
        protocol, abstraction: YAML with evidence behind each line.
        benign, attacks: so many conversations they were learned from.
    """

    protocol: str
    abstraction: str
    benign: int
    attacks: int
    validation: Validation

    def as_json(self) -> dict[str, Any]:
        """Counts only."""
        return {"benign": self.benign, "attacks": self.attacks, "validation": self.validation.as_json()}


def learn(
    demonstrations: Iterable[Demonstration], task: str, least: int = LEAST, held_out: float = HELD_OUT
) -> Learned:
    """Rules for a task.

    Args:
        demonstrations: of that task, benign ones and attacks.
        task: the rules' name.
        least: so many benign conversations must share a word before it is one.
        held_out: this share is kept for validation.

    Raises:
        ConfigurationError: there are too few benign ones to learn from.
    """
    known = list(demonstrations)
    taught = [each for each in known if not each.is_held_out(held_out)]
    kept = [each for each in known if each.is_held_out(held_out)]
    benign = sum(not each.attack for each in taught)
    records = learn_vocabulary(taught, least)
    if not records:
        raise ConfigurationError(
            f"{benign} benign demonstrations taught no word of a protocol",
            hint=f"at least {least} must share a label, in JSON, in a table or in lines such as 'Price: 10 EUR'",
        )
    protocol, abstraction = protocol_yaml(task, records), abstraction_yaml(task, contrast(taught, least))
    validation = _validated(protocol, abstraction, kept)
    return Learned(protocol, abstraction, benign, len(taught) - benign, validation)


def _validated(protocol: str, abstraction: str, kept: Sequence[Demonstration]) -> Validation:
    return validate(parse_protocol(protocol), parse_abstraction(abstraction), kept)
