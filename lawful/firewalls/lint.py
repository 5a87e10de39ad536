"""What a firewall's file says that its author hardly meant: it can be used, and lets more pass than it should."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lawful.firewalls.abstraction import Abstraction, path_of
from lawful.firewalls.forms import NumberForm
from lawful.firewalls.parse_abstraction import parse_abstraction
from lawful.firewalls.parse_protocol import parse_protocol
from lawful.firewalls.protocol import TaskProtocol
from lawful.firewalls.reading import read_tree
from lawful.firewalls.vocabulary import Vocabulary
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.problems import Problem

if TYPE_CHECKING:
    from lawful.schemas.yamltree import Tree

Rules = TaskProtocol | Abstraction

_DIGITS: Final = 10**9
_SAID: Final = (
    "name|full name|first name|last name|email|mail|phone|mobile|ssn|passport|passport number|iban|card number"
)
_IDENTIFIERS: Final = frozenset(_SAID.split("|"))
_QUASI: Final = (
    ("zip", "postal code", "postcode", "address", "home address"),
    ("date of birth", "dob", "birthdate", "age"),
    ("gender", "sex"),
)


def read_rules(text: str, file: str) -> Rules:
    """The protocol or the abstraction that a text describes; its first key tells which.

    Raises:
        ConfigurationError: it is neither, or is wrong (`InvalidFile`, with every problem at its place).
    """
    data = read_tree(text, file).data
    if isinstance(data, dict) and "protocol" in data:
        return parse_protocol(text, file)
    if isinstance(data, dict) and "abstraction" in data:
        return parse_abstraction(text, file)
    raise ConfigurationError(
        f"{file} is neither a protocol nor an abstraction",
        hint="begin with 'protocol: <name>' or 'abstraction: <name>'",
    )


def warnings(rules: Rules, text: str, file: str) -> tuple[Problem, ...]:
    """What in a right file is hardly meant, at its place."""
    tree = read_tree(text, file)
    found = _protocol(rules, tree) if isinstance(rules, TaskProtocol) else _abstraction(rules, tree)
    return tuple(sorted(found, key=lambda each: (each.place.line, each.place.column)))


def _protocol(protocol: TaskProtocol, tree: "Tree") -> Iterator[Problem]:
    for index, each in enumerate(tree.data.get("allow") or ()):
        yield Problem(tree.place(("allow", index)), f"'{each}' lets contact data in", "is it needed for the task?")
    for slot in Vocabulary(protocol).every_slot:
        path = ("records", slot.kind, "fields", slot.field.key) if slot.kind else ("fields", slot.field.key)
        form = slot.field.form
        if isinstance(form, NumberForm) and form.high - form.low >= _DIGITS:
            message = f"'{slot.field.key}' is wide enough to carry a phone or account number"
            yield Problem(tree.place(path, key=True), message, "narrow 'min' and 'max'")


def _abstraction(rules: Abstraction, tree: "Tree") -> Iterator[Problem]:
    for name, rule in rules.fields.items():
        known = [path[-1] for path in rule.paths if path[-1] in _IDENTIFIERS]
        if known and "" in rule.steps:
            place = tree.place(("fields", name), key=True)
            yield Problem(place, f"'{name}' goes out as it is and names a person", "block it")
    protected = rules.protected()
    quasi = [name for keys in _QUASI for name in _released(rules, keys) if name not in protected]
    kinds = sum(any(name in quasi for name in _released(rules, keys)) for keys in _QUASI)
    if kinds == len(_QUASI):
        message = f"{', '.join(quasi)} together single people out, and nothing adds them up"
        yield Problem(tree.place(("fields", quasi[0]), key=True), message, "add a combination, or a population")


def _released(rules: Abstraction, keys: tuple[str, ...]) -> list[str]:
    return [name for name, rule in rules.fields.items() if rule.steps and path_of(name)[-1] in keys]
