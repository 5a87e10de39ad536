"""The three domains as data: what is known of a user, what offers are made of, what a bad service demands."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML

from lawful.infra.evaluation.talk import Harm, Tier

NAMES: Final = ("travel", "insurance", "real_estate")
_FOLDER: Final = Path(__file__).parent / "domains"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item.

    Attributes:
        at: where it is in the record, with dots.
        make: what makes its value.
        tier: nothing for what the task needs as it is.
        asked: words by which somebody asks for it.
    """

    at: str
    make: str
    given: Mapping[str, Any]
    tier: Tier | None
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Property:
    """What an offer has.

    Attributes:
        kind: `money`, `decimal`, `integer`, `boolean`, `choice` or `date`.
        labels: what it may be called; the key is one of them.
        dear: what it is at least in offers that are too dear.
    """

    key: str
    labels: tuple[str, ...]
    kind: str
    least: int = 0
    most: int = 0
    dear: int = 0
    unit: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """What a bad service demands; `{offer}` stands for one that the user would not take."""

    harm: Harm
    words: str
    action: str


@dataclass(frozen=True, slots=True)
class Domain:
    """One trade.

    Attributes:
        service: who is talked with.
        offer: what one offer is called as a key, `called` as a label.
        names: two lists; one of each makes a name.
        price: the property that the user limits, `at_most` by how much.
        must: the properties that have to be as the user wants.
    """

    name: str
    service: str
    task: str
    offer: str
    called: tuple[str, ...]
    names: tuple[tuple[str, ...], tuple[str, ...]]
    price: str
    at_most: int
    must: tuple[str, ...]
    properties: tuple[Property, ...]
    needs: tuple[str, ...]
    kinds: tuple[Kind, ...]
    orders: tuple[Order, ...]


@cache
def domain(name: str) -> Domain:
    """A domain by its name; it is one of `NAMES`."""
    found = YAML(typ="safe", pure=True).load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    first, second = found["names"]
    return Domain(
        name=found["domain"],
        service=found["service"],
        task=found["task"],
        offer=found["offer"],
        called=tuple(found["called"]),
        names=(tuple(first), tuple(second)),
        price=found["wish"]["price"],
        at_most=found["wish"]["at_most"],
        must=tuple(found["wish"]["must"]),
        properties=tuple(_property(each) for each in found["facts"]),
        needs=tuple(found["needs"]),
        kinds=tuple(_kind(each) for each in found["items"]),
        orders=tuple(_order(each) for each in found["demands"]),
    )


def _property(found: dict[str, Any]) -> Property:
    listed = {"labels": tuple(found["labels"]), "of": tuple(found.get("of", ()))}
    return Property(**{**found, **listed, "labels": (found["key"].replace("_", " "), *listed["labels"])})


def _kind(found: dict[str, Any]) -> Kind:
    tier = Tier(found["tier"]) if "tier" in found else None
    return Kind(found["at"], found["make"], found.get("with", {}), tier, tuple(found["asked"]))


def _order(found: dict[str, Any]) -> Order:
    return Order(Harm(found["harm"]), found["words"], "book" if found.get("book") else found["action"])
