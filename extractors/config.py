"""The shipped word lists and maps, read once and checked; a wrong line stops the start, with its place."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from lawful.schemas.errors import ConfigurationError, Place

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class EntityRule:
    """What an entity of Presidio's is to us.

    Attributes:
        min_score: from which on a hit counts.
        context_only: it counts only beside one of the recogniser's context words.
        scheme: the identifier scheme of its text, where it points to a person.
    """

    category: str
    min_score: float = 0.5
    context_only: bool = False
    scheme: str | None = None


@dataclass(frozen=True, slots=True)
class RecogniserRule:
    """A recogniser to run, by class name, or a pattern recogniser as Presidio's YAML describes it.

    Attributes:
        context: words that replace the recogniser's own.
    """

    name: str
    context: tuple[str, ...] | None = None
    definition: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class EntityConfig:
    """Recognisers and the map from their entities to categories."""

    version: str
    recognisers: tuple[RecogniserRule, ...]
    entities: Mapping[str, EntityRule]

    def plus(self, other: "EntityConfig") -> "EntityConfig":
        """This configuration with another's additions; the other's entities win."""
        return EntityConfig(
            f"{self.version}+{other.version}",
            (*self.recognisers, *other.recognisers),
            {**self.entities, **other.entities},
        )


def load_yaml(path: Path) -> Any:
    """A YAML file as plain data.

    Raises:
        ConfigurationError: it cannot be read, with the place.
    """
    try:
        return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"cannot read {path.name}: {type(error).__name__}") from error
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(path.name, mark.line + 1, mark.column + 1) if mark else None
        raise ConfigurationError(f"not YAML: {error.problem}", place=place) from error


def load_entities(path: Path = DATA / "entities.yaml") -> EntityConfig:
    """The recognisers and entity map of a file; the built-in ones by default.

    Raises:
        ConfigurationError: the file or one of its entries is wrong.
    """
    data = load_yaml(path)
    try:
        return EntityConfig(
            str(data.get("version", "1")),
            tuple(_recogniser(entry) for entry in data.get("recognisers", [])),
            {name: EntityRule(**rule) for name, rule in data.get("entities", {}).items()},
        )
    except (TypeError, AttributeError, KeyError) as error:
        raise ConfigurationError(f"{path.name}: an entry has the wrong form", hint=str(error)) from error


def _recogniser(entry: Mapping[str, Any]) -> RecogniserRule:
    context = tuple(entry["context"]) if entry.get("context") else None
    is_definition = "patterns" in entry or "deny_list" in entry
    return RecogniserRule(entry["name"], context, entry if is_definition else None)
