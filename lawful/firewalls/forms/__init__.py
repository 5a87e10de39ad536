"""The types of a protocol's fields: what comes in is text, what comes out is one of few things that can be said."""

from lawful.firewalls.forms.base import Form
from lawful.firewalls.forms.choices import BooleanForm, ChoiceForm
from lawful.firewalls.forms.contact import CoordinatesForm, EmailForm, PhoneForm
from lawful.firewalls.forms.dates import DateForm, DateTimeForm, TimeForm
from lawful.firewalls.forms.durations import DurationForm
from lawful.firewalls.forms.free import NameForm
from lawful.firewalls.forms.money import MoneyForm
from lawful.firewalls.forms.numbers import NumberForm

__all__ = [
    "BooleanForm",
    "ChoiceForm",
    "CoordinatesForm",
    "DateForm",
    "DateTimeForm",
    "DurationForm",
    "EmailForm",
    "Form",
    "MoneyForm",
    "NameForm",
    "NumberForm",
    "PhoneForm",
    "TimeForm",
]
