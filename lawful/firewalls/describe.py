"""A protocol told to whoever is to speak it: each field with what it may hold."""

from collections.abc import Mapping
from typing import Any

from lawful.firewalls.forms import (
    ChoiceForm,
    DateForm,
    DateTimeForm,
    DurationForm,
    Form,
    MoneyForm,
    NameForm,
    NumberForm,
)
from lawful.firewalls.protocol import FieldSpec, TaskProtocol


def described(protocol: TaskProtocol) -> dict[str, Any]:
    """The protocol as a form to fill in: keys as they are, values in words."""
    form = _fields(protocol.fields)
    return form | {kind: [_fields(record.fields)] for kind, record in protocol.records.items()}


def _fields(fields: Mapping[str, FieldSpec]) -> dict[str, Any]:
    return {key: _words(spec.form) if spec.most is None else [_words(spec.form)] for key, spec in fields.items()}


def _words(form: Form) -> str:
    match form:
        case ChoiceForm():
            return f"one of: {', '.join(form.values)}"
        case NumberForm():
            return f"number from {form.low} to {form.high}"
        case DateForm():
            return "date, YYYY-MM-DD"
        case DateTimeForm():
            return "date and time, YYYY-MM-DDTHH:MM"
        case DurationForm():
            return f"number of {form.unit}"
        case MoneyForm():
            return f"amount and currency, one of: {', '.join(form.currencies)}"
        case NameForm():
            return f"name of a {form.category}"
        case _:
            return type(form).__name__.removesuffix("Form").lower()
