"""A protocol's words, made ready for looking things up in them and for finding them in prose."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from lawful.firewalls.forms import ChoiceForm
from lawful.firewalls.protocol import FieldSpec, TaskProtocol
from lawful.firewalls.words import words


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a protocol's value: a field, and the record it is of if it is one's.

    Attributes:
        kind: of the record; empty for a field of the message itself.
    """

    kind: str
    field: FieldSpec

    @property
    def name(self) -> str:
        """The protocol's own words for it, as reports give them."""
        return f"{self.kind}.{self.field.key}" if self.kind else self.field.key


@dataclass(frozen=True)
class Vocabulary:
    """What words mean in a protocol."""

    protocol: TaskProtocol

    def slots(self, label: str) -> tuple[Slot, ...]:
        """What a label may mean, the message's own fields first."""
        spelt = words(label)
        return self._slots.get(spelt) or self._slots.get(_behind_article(spelt), ())

    def kind(self, label: str) -> str | None:
        """The kind of record that a label names."""
        return self._kinds.get(words(label))

    @cached_property
    def every_slot(self) -> tuple[Slot, ...]:
        """All places, in the protocol's order."""
        own = [Slot("", field) for field in self.protocol.fields.values()]
        records = self.protocol.records.items()
        return (*own, *(Slot(kind, field) for kind, record in records for field in record.fields.values()))

    @cached_property
    def mentioned(self) -> tuple[tuple[Slot, ChoiceForm], ...]:
        """Choices whose values count wherever prose says them."""
        return tuple(
            (slot, slot.field.form)
            for slot in self.every_slot
            if isinstance(slot.field.form, ChoiceForm) and slot.field.form.mentioned
        )

    @cached_property
    def only(self) -> tuple[Slot, ...]:
        """Places whose form no other place has."""
        forms = Counter(type(slot.field.form) for slot in self.every_slot)
        return tuple(slot for slot in self.every_slot if forms[type(slot.field.form)] == 1)

    @cached_property
    def labels(self) -> re.Pattern[str]:
        """Finds labels in prose, longest first, however they are set."""
        return _finder(self._slots)

    @cached_property
    def kinds(self) -> re.Pattern[str]:
        """Finds the names of kinds of records in prose."""
        return _finder(self._kinds)

    @cached_property
    def _slots(self) -> Mapping[str, tuple[Slot, ...]]:
        found: dict[str, list[Slot]] = defaultdict(list)
        for slot in self.every_slot:
            for label in dict.fromkeys(map(words, (slot.field.key, *slot.field.labels))):
                found[label].append(slot)
            if slot.kind:
                found[words(f"{slot.kind} {slot.field.key}")].append(slot)
        return {label: tuple({slot.name: slot for slot in slots}.values()) for label, slots in found.items() if label}

    @cached_property
    def _kinds(self) -> Mapping[str, str]:
        return {
            words(label): kind
            for kind, record in self.protocol.records.items()
            for label in (kind, f"{kind}s", *record.labels)
        }


_ARTICLES: Final = ("the ", "a ", "an ", "your ", "our ", "my ", "total ")


def _behind_article(spelt: str) -> str:
    return next((spelt.removeprefix(each) for each in _ARTICLES if spelt.startswith(each)), "")


def _finder(labels: Iterable[str]) -> re.Pattern[str]:
    ways = [r"[\s_-]{0,2}".join(map(re.escape, label.split())) for label in sorted(labels, key=len, reverse=True)]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(ways) or '(?!)'})(?![^\W_])", re.IGNORECASE)
