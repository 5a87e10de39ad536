"""An extractor with a detector that does not return from the text that says so.

A module of its own, since a worker's extraction processes build their extractor themselves and find this
by its name.
"""

from collections.abc import Callable
from typing import Any

from lawful import extractors
from lawful.extractors.candidate import Candidate, Surroundings
from lawful.extractors.facts import Facts
from lawful.extractors.fields import Field
from lawful.extractors.port import Extractor
from lawful.infra.chaos.crowd import HANGS

Find = Callable[[Facts, Field, Surroundings], list[Candidate]]

_build = extractors.build_extractor
_find: Find = Facts.find


def _hanging(self: Facts, field: Field, around: Surroundings) -> list[Candidate]:
    while HANGS in field.text:
        pass
    return _find(self, field, around)


def build(*args: Any, **more: Any) -> Extractor:
    """The product's own extractor, in which from now on one detector hangs."""
    Facts.find = _hanging  # type: ignore[method-assign]
    return _build(*args, **more)


def let_a_detector_hang() -> None:
    """From now on, this process and those that it has extract for it build such an extractor."""
    extractors.build_extractor = build
