"""Copies and twins of frozen records: the same as what constructors and `dataclasses.replace` make."""

from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from lawful.schemas.catalogue import RECORDS
from lawful.schemas.changing import changed, twin
from lawful.schemas.event import Recipient, RecipientKind

ALICE = Recipient(RecipientKind.USER, "alice", None)


@dataclass(frozen=True, slots=True)
class Counting:
    """Does more than setting its slots when it is made."""

    name: str
    length: int = field(init=False)

    def __post_init__(self) -> None:
        """Counts."""
        object.__setattr__(self, "length", len(self.name))


@dataclass(frozen=True)
class Roomy:
    """Has no slots."""

    name: str
    more: str = ""


@pytest.mark.parametrize("record", [ALICE, Roomy("a")])
def test_a_copy_is_what_replace_makes(record: Recipient | Roomy) -> None:
    """Equal, of the same class, frozen, and the original is as it was."""
    name, before = ("id", repr(record)) if isinstance(record, Recipient) else ("name", repr(record))
    change: dict[str, Any] = {name: "b"}
    copy = changed(record, **change)
    assert copy == replace(record, **change)
    assert type(copy) is type(record)
    assert hash(copy) == hash(replace(record, **change))
    assert repr(record) == before
    with pytest.raises(FrozenInstanceError):
        setattr(copy, name, "c")


def test_what_counts_when_it_is_made_still_does() -> None:
    """A class with a `__post_init__` is made by its constructor."""
    assert twin(Counting) is None
    assert changed(Counting("a"), name="abc").length == 3


def test_a_field_that_is_not_there_is_refused() -> None:
    """As `dataclasses.replace` does."""
    with pytest.raises(TypeError, match="Recipient lacks one of the fields nobody"):
        changed(ALICE, nobody=1)


def test_records_of_the_bus_have_twins() -> None:
    """Their slots are exactly their fields, so that none is forgotten."""
    for cls in RECORDS:
        other = twin(cls)
        assert other is not None, cls
        assert vars(other)["__slots__"] == vars(cls)["__slots__"]
