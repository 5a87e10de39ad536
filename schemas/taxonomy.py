"""The names of personal-data categories, and how a broader name covers narrower ones.

Keys are dotted and come from Fideslang (CC-BY-4.0, see NOTICE); which of them are special is our
own addition, because the GDPR treats those differently (Art. 8, 9 and 10). The data lives in YAML
beside this file and is read once, at first use.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

CATEGORIES: Mapping[str, "Category"]
"""Every category by its key, read at first use."""


class SpecialKind(StrEnum):
    """Why the GDPR treats a category differently."""

    ARTICLE_9 = "article9"
    ARTICLE_10 = "article10"
    CHILDREN = "children"


@dataclass(frozen=True, slots=True)
class Category:
    """A personal-data category.

    Attributes:
        special: its own flag; what it inherits from above is `special_kind`'s answer.
        ours: a key that Lawful adds to Fideslang's.
    """

    key: str
    name: str
    special: SpecialKind | None = None
    ours: bool = False


def covers(ancestor: str, key: str) -> bool:
    """Whether `ancestor` is `key` itself or one of the names above it."""
    return key == ancestor or key.startswith(ancestor + ".")


def covered_by(key: str, ancestors: Iterable[str]) -> bool:
    """Whether any of the names is `key` itself or above it."""
    return any(covers(ancestor, key) for ancestor in ancestors)


def line(key: str) -> tuple[str, ...]:
    """The key and all names above it, nearest first: `a.b.c`, `a.b`, `a`."""
    parts = key.split(".")
    return tuple(".".join(parts[:length]) for length in range(len(parts), 0, -1))


def is_personal(key: str) -> bool:
    """Whether a category is personal data: all but what is marked as the system's own.

    A key from outside the taxonomy counts as personal: an unknown detector's finding must not pass
    for want of a name.
    """
    return not covers("system", key)


def special_kind(key: str) -> SpecialKind | None:
    """Why the category is special, by its own flag or the nearest one above; `None` if it is not."""
    known = categories()
    for name in line(key):
        category = known.get(name)
        if category is not None and category.special is not None:
            return category.special
    return None


def is_special(key: str) -> bool:
    """Whether a category is special in the sense of Art. 9(1)."""
    return special_kind(key) is SpecialKind.ARTICLE_9


@cache
def categories() -> Mapping[str, Category]:
    """Every category by its key. Reads the package's data once."""
    rows = _read("categories.yaml")["categories"]
    return MappingProxyType({key: _category(key, row) for key, row in rows.items()})


@cache
def known_purposes() -> Mapping[str, str]:
    """Widely understood purposes and their names. A policy may declare others."""
    rows = _read("purposes.yaml")["purposes"]
    return MappingProxyType({key: str(row["name"]) for key, row in rows.items()})


def _category(key: str, row: Mapping[str, str]) -> Category:
    special = row.get("special")
    return Category(key, row["name"], SpecialKind(special) if special else None, row.get("origin") == "lawful")


def _read(name: str) -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - the light client imports this module without the YAML parser

    return YAML(typ="safe", pure=True).load(Path(__file__).parent / "taxonomy" / name)


def __getattr__(name: str) -> Any:
    if name == "CATEGORIES":
        return categories()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
