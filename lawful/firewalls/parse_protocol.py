"""From a YAML file to a closed protocol: what it may hold, and that its words do not contradict each other."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from lawful.firewalls.forms import (
    BooleanForm,
    ChoiceForm,
    CoordinatesForm,
    DateForm,
    DateTimeForm,
    DurationForm,
    EmailForm,
    Form,
    MoneyForm,
    NameForm,
    NumberForm,
    PhoneForm,
    TimeForm,
)
from lawful.firewalls.forms.dates import EARLIEST, LATEST, Order
from lawful.firewalls.forms.durations import UNITS
from lawful.firewalls.protocol import ENTRIES_PER_LIST, FieldSpec, Limits, RecordSpec, TaskProtocol
from lawful.firewalls.reading import KEY, Reader, read_tree
from lawful.firewalls.words import words

if TYPE_CHECKING:
    from lawful.schemas.yamltree import Path

_TOP: Final = ("protocol", "version", "description", "limits", "allow", "fields", "records")
_CONTACT: Final = ("email", "phone")
_MOST_CHOICES: Final = 500


def parse_protocol(text: str, file: str = "protocol.yaml") -> TaskProtocol:
    """The protocol that a text describes.

    Raises:
        InvalidFile: it is none; lists every problem with its place.
    """
    reader = Reader(read_tree(text, file))
    reader.mapping((), _TOP, ("protocol", "version"))
    protocol = TaskProtocol(
        id=reader.text(("protocol",), form=KEY),
        version=reader.text(("version",)),
        description=reader.text(("description",)),
        limits=_limits(reader),
        fields=_fields(reader, ("fields",)),
        records={kind: _record(reader, kind) for kind in reader.entries(("records",))},
    )
    _check(reader, protocol)
    reader.finish()
    return protocol


def _limits(reader: Reader) -> Limits:
    reader.mapping(("limits",), ("chars", "records", "names"))
    most = Limits()
    return Limits(
        chars=reader.count(("limits", "chars"), most.chars, 1_000_000),
        records=reader.count(("limits", "records"), most.records, 1_000),
        names=reader.count(("limits", "names"), most.names, 100_000),
    )


def _record(reader: Reader, kind: str) -> RecordSpec:
    path: Path = ("records", kind)
    reader.mapping(path, ("labels", "fields"), ("fields",))
    return RecordSpec(kind, _fields(reader, (*path, "fields")), reader.texts((*path, "labels")))


def _fields(reader: Reader, path: "Path") -> Mapping[str, FieldSpec]:
    fields = {key: _field(reader, (*path, key), key) for key in reader.entries(path)}
    said: dict[str, str] = {}
    for key, each in fields.items():
        for label in (key, *each.labels):
            other = said.setdefault(words(label), key)
            if other != key:
                reader.wrong((*path, key), f"'{label}' already means '{other}'", "a label may mean one field", key=True)
    return fields


def _field(reader: Reader, path: "Path", key: str) -> FieldSpec:
    labels = reader.texts((*path, "labels"))
    kind = reader.word((*path, "type"), (*_FORMS, "list"))
    if not kind:
        if isinstance(reader.at(path), Mapping) and not reader.at((*path, "type")):
            reader.wrong((*path, "type"), f"'{key}' has no type", f"one of: {', '.join((*_FORMS, 'list'))}")
        elif not isinstance(reader.at(path), Mapping):
            reader.wrong(path, f"'{key}' must be a mapping with a type", "for example {type: boolean}")
        return FieldSpec(key, BooleanForm(), labels)
    if kind == "list":
        reader.mapping(path, ("type", "labels", "of", "most"), ("of",))
        inner = reader.word((*path, "of", "type"), tuple(_FORMS))
        form = _form(reader, (*path, "of"), inner, ("type",))
        return FieldSpec(key, form, labels, reader.count((*path, "most"), ENTRIES_PER_LIST, 1_000))
    return FieldSpec(key, _form(reader, path, kind, ("type", "labels")), labels)


def _form(reader: Reader, path: "Path", kind: str, common: tuple[str, ...]) -> Form:
    if not kind:
        reader.wrong((*path, "type"), "the entries of a list have no type", f"one of: {', '.join(_FORMS)}")
        return BooleanForm()
    keys, make = _FORMS[kind]
    reader.mapping(path, (*common, *keys))
    if kind in _CONTACT and kind not in (reader.at(("allow",)) or ()):
        reader.wrong(path, f"contact data is off: '{kind}'", f"add 'allow: [{kind}]' at the top if it must come in")
    return make(reader, path)


def _choice(reader: Reader, path: "Path") -> Form:
    given = reader.at((*path, "values"))
    ways: Mapping[str, object] = given if isinstance(given, Mapping) else dict.fromkeys(reader.texts((*path, "values")))
    if not 0 < len(ways) <= _MOST_CHOICES:
        reader.wrong((*path, "values"), f"a choice has from 1 to {_MOST_CHOICES} values")
    spellings: dict[str, str] = {}
    for value in ways:
        synonyms = reader.texts((*path, "values", value)) if isinstance(given, Mapping) else ()
        for way in map(words, (value, *synonyms)):
            if not way:
                reader.wrong((*path, "values"), f"'{value}' has a spelling without letters or digits")
            elif spellings.setdefault(way, value) != value:
                reader.wrong((*path, "values"), f"'{way}' means both '{spellings[way]}' and '{value}'")
    return ChoiceForm(spellings, reader.flag((*path, "mentioned")))


def _number(reader: Reader, path: "Path", places: int) -> Form:
    low, high = _bounds(reader, path)
    units: dict[str, Decimal] = {}
    for unit in reader.at((*path, "units")) or {}:
        factor = reader.number((*path, "units", unit))
        if factor is not None and factor <= 0:
            reader.wrong((*path, "units", unit), "a unit's factor is more than 0")
        units[str(unit).casefold()] = factor or Decimal(1)
    return NumberForm(low, high, places, units)


def _bounds(reader: Reader, path: "Path") -> tuple[Decimal, Decimal]:
    low, high = reader.number((*path, "min")), reader.number((*path, "max"))
    if low is None or high is None:
        return Decimal(0), Decimal(0)
    if low > high:
        reader.wrong((*path, "min"), "'min' is more than 'max'")
    return low, high


def _day(reader: Reader, path: "Path") -> DateForm:
    earliest, latest = reader.day((*path, "earliest"), EARLIEST), reader.day((*path, "latest"), LATEST)
    if earliest > latest:
        reader.wrong((*path, "earliest"), "'earliest' is behind 'latest'")
    orders: dict[str, Order] = {"dmy": "dmy", "mdy": "mdy"}
    return DateForm(earliest, latest, orders.get(reader.word((*path, "order"), tuple(orders))))


def _duration(reader: Reader, path: "Path") -> Form:
    if not reader.at((*path, "unit")):
        reader.wrong((*path, "unit"), "the key 'unit' is missing", f"one of: {', '.join(UNITS)}")
    low, high = _bounds(reader, path)
    return DurationForm(reader.word((*path, "unit"), UNITS, UNITS[0]), int(low), int(high))


def _money(reader: Reader, path: "Path") -> Form:
    currencies = reader.texts((*path, "currencies"))
    if not currencies or not all(len(each) == 3 and each.isascii() and each.isupper() for each in currencies):  # noqa: PLR2004 - ISO 4217
        reader.wrong((*path, "currencies"), "money needs its currencies", "for example [EUR, USD]")
    return MoneyForm(currencies, *_bounds(reader, path))


def _name(reader: Reader, path: "Path") -> Form:
    if not reader.at((*path, "category")):
        reader.wrong((*path, "category"), "a name needs a category", "opaque names are made of it: hotel_1")
    category = reader.text((*path, "category"), "name", KEY)
    return NameForm(category, reader.count((*path, "longest"), 80, 200))


_FORMS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Reader, "Path"], Form]]]] = {
    "choice": (("values", "mentioned"), _choice),
    "boolean": ((), lambda _reader, _path: BooleanForm()),
    "integer": (("min", "max", "units"), lambda reader, path: _number(reader, path, 0)),
    "decimal": (
        ("min", "max", "units", "places"),
        lambda reader, path: _number(reader, path, reader.count((*path, "places"), 2, 6)),
    ),
    "date": (("earliest", "latest", "order"), _day),
    "time": ((), lambda _reader, _path: TimeForm()),
    "datetime": (("earliest", "latest", "order"), lambda reader, path: DateTimeForm(_day(reader, path))),
    "duration": (("unit", "min", "max"), _duration),
    "money": (("currencies", "min", "max"), _money),
    "coordinates": (
        ("places",),
        lambda reader, path: CoordinatesForm(reader.count((*path, "places"), 3, 6, least=0)),
    ),
    "phone": ((), lambda _reader, _path: PhoneForm()),
    "email": ((), lambda _reader, _path: EmailForm()),
    "name": (("category", "longest"), _name),
}


def _check(reader: Reader, protocol: TaskProtocol) -> None:
    """What is right key by key and wrong as a whole."""
    if not protocol.fields and not protocol.records:
        reader.wrong((), "a protocol that can say nothing", "add 'fields' or 'records'")
    for each in reader.texts(("allow",)):
        if each not in _CONTACT:
            reader.wrong(("allow",), f"'{each}' cannot be allowed", f"one of: {', '.join(_CONTACT)}")
    said: dict[str, str] = {}
    for kind, record in protocol.records.items():
        if kind in protocol.fields:
            reader.wrong(("records", kind), f"'{kind}' is a field and a record", "give one another name", key=True)
        if not record.fields:
            reader.wrong(("records", kind), f"'{kind}' has no fields")
        for label in (kind, *record.labels):
            if said.setdefault(words(label), kind) != kind:
                reader.wrong(("records", kind), f"'{label}' already means '{said[words(label)]}'", key=True)
