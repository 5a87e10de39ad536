"""A closed protocol: all that another agent can say in a task, and nothing else.

The value that comes out of the incoming firewall is made of these words alone. `TaskProtocol.holds` says
what that means, and shares no code with what makes the value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lawful.firewalls.forms import Form

RECORDS_PER_MESSAGE: Final = 50
CHARS_PER_MESSAGE: Final = 20_000
NAMES_PER_SESSION: Final = 500
ENTRIES_PER_LIST: Final = 20


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One thing that can be said.

    Attributes:
        labels: other words by which a text may call it.
        most: entries, if it is a list; otherwise nothing.
    """

    key: str
    form: Form
    labels: tuple[str, ...] = ()
    most: int | None = None

    def holds(self, value: object) -> bool:
        """Whether the field can have this value."""
        if self.most is None:
            return self.form.holds(value)
        return isinstance(value, list) and 0 < len(value) <= self.most and all(map(self.form.holds, value))


@dataclass(frozen=True, slots=True)
class RecordSpec:
    """Something that there may be several of."""

    kind: str
    fields: Mapping[str, FieldSpec]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is taken in at most: characters of a text, records of a kind, opaque names of a session."""

    chars: int = CHARS_PER_MESSAGE
    records: int = RECORDS_PER_MESSAGE
    names: int = NAMES_PER_SESSION


@dataclass(frozen=True, slots=True)
class TaskProtocol:
    """What can be said in a task.

    Attributes:
        fields: what a message may say once.
        records: what it may tell several of.
    """

    id: str
    version: str
    fields: Mapping[str, FieldSpec]
    records: Mapping[str, RecordSpec]
    limits: Limits = Limits()
    description: str = ""

    def holds(self, value: object) -> bool:
        """Whether this is a value of the protocol."""
        return isinstance(value, Mapping) and all(self._holds(key, part) for key, part in value.items())

    def _holds(self, key: object, part: Any) -> bool:
        if key in self.records and key not in self.fields:
            fields = self.records[str(key)].fields
            return (
                isinstance(part, list)
                and 0 < len(part) <= self.limits.records
                and all(_all(fields, one) for one in part)
            )
        return _all(self.fields, {key: part})


def _all(fields: Mapping[str, FieldSpec], value: object) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    return all(key in fields and fields[key].holds(part) for key, part in value.items())
