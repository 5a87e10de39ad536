"""Turns the vocabulary's classes into what fastavro writes, and back.

This is on the path of every event, so nothing is looked up per call: from a class's type hints
one pair of plain functions is generated, once, the way `dataclasses` generates `__init__`.
"""

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum, StrEnum
from functools import cache
from typing import Any

from lawful.schemas.catalogue import NAMESPACE, RECORDS


@dataclass(frozen=True, slots=True)
class Converter:
    """Both directions between a class and fastavro's values for its record."""

    out: Callable[[Any], dict[str, Any]]
    back: Callable[[Mapping[str, Any]], Any]


@cache
def converter(cls: type) -> Converter:
    """The pair of functions for a class, generated on first use."""
    generated = _Generated()
    generated.add(cls)
    return Converter(generated.scope[f"out_{cls.__name__}"], generated.scope[f"back_{cls.__name__}"])


class _Generated:
    """The functions of one class and of all classes it is made of.

    They share one namespace, in which they find each other when called; so classes may refer to
    each other in circles.
    """

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {"as_map": _as_map}

    def add(self, cls: type) -> None:
        """Generates `out_<class>` and `back_<class>`, unless they are there."""
        if cls.__name__ in self.scope:
            return
        self.scope[cls.__name__] = cls
        hints = typing.get_type_hints(cls)
        names = [field.name for field in fields(cls)]
        outs = ", ".join(f"{name!r}: {self._out(hints[name], f'r.{name}')}" for name in names)
        backs = ", ".join(f"{name}={self._back(hints[name], f'd[{name!r}]')}" for name in names)
        source = f"""
def out_{cls.__name__}(r): return {{{outs}}}
def back_{cls.__name__}(d): return {cls.__name__}({backs})
"""
        code = compile(source, f"<converter of {cls.__name__}>", "exec")
        exec(code, self.scope)  # noqa: S102 - the source is made of our own class and field names

    def _out(self, hint: Any, value: str) -> str:
        """The expression that turns `value` into what fastavro writes."""
        match shape(hint):
            case "enum":
                return f"{self._table('word', hint, {member: _symbol(member) for member in hint})}[{value}]"
            case "record":
                self.add(hint)
                return f"out_{hint.__name__}({value})"
            case "array":
                item = self._out(typing.get_args(hint)[0], "i")
                return f"[{item} for i in {value}]"
            case "map":
                return f"as_map({value})"
            case "optional":
                return self._out_optional(_without_none(hint), value)
            case "union":
                return f"{self._pick(typing.get_args(hint))}({value})"
            case _:
                return value

    def _out_optional(self, hint: Any, value: str) -> str:
        match shape(hint):
            case "plain":
                return value
            case "union":
                return f"None if {value} is None else {self._out(hint, value)}"
            case _:
                # Naming the branch spares fastavro from trying the value against each.
                return f"None if {value} is None else ({branch(hint)!r}, {self._out(hint, value)})"

    def _back(self, hint: Any, value: str) -> str:
        """The expression that turns what fastavro read back into the class's value."""
        match shape(hint):
            case "str_enum" | "enum":
                return f"{self._table('member', hint, {_symbol(member): member for member in hint})}[{value}]"
            case "record":
                self.add(hint)
                return f"back_{hint.__name__}({value})"
            case "array":
                item = self._back(typing.get_args(hint)[0], "i")
                return f"tuple({value})" if item == "i" else f"tuple([{item} for i in {value}])"
            case "map":
                return f"tuple({value}.items())"
            case "optional":
                inner = self._back(_without_none(hint), value)
                return value if inner == value else f"None if {value} is None else {inner}"
            case "union":
                return f"{self._unpick(typing.get_args(hint))}(*{value})"
            case _:
                return value

    def _table(self, role: str, hint: type, table: Mapping[Any, Any]) -> str:
        name = f"{role}_{hint.__name__}"
        self.scope[name] = table
        return name

    def _pick(self, members: tuple[type, ...]) -> str:
        """A function from a value of a union to its branch's name and value."""
        names = self._branches(members)

        def pick(value: object) -> tuple[str, Any]:
            out, name = names[type(value)]
            return name, self.scope[out](value)

        return self._named("pick", members, pick)

    def _unpick(self, members: tuple[type, ...]) -> str:
        self._branches(members)
        backs = {branch(member): f"back_{member.__name__}" for member in members}

        def unpick(name: str, value: Mapping[str, Any]) -> Any:
            return self.scope[backs[name]](value)

        return self._named("unpick", members, unpick)

    def _branches(self, members: tuple[type, ...]) -> dict[type, tuple[str, str]]:
        for member in members:
            self.add(member)
        return {member: (f"out_{member.__name__}", branch(member)) for member in members}

    def _named(self, role: str, members: tuple[type, ...], function: Callable[..., Any]) -> str:
        name = f"{role}_{'_'.join(member.__name__ for member in members)}"
        self.scope[name] = function
        return name


def shape(hint: Any) -> str:
    """Which of the few kinds of Avro type a type hint stands for."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return "optional" if types.NoneType in typing.get_args(hint) else "union"
    if typing.get_origin(hint) is tuple:
        return "map" if typing.get_origin(typing.get_args(hint)[0]) is tuple else "array"
    if is_dataclass(hint):
        return "record"
    if issubclass(hint, Enum):
        return "str_enum" if issubclass(hint, StrEnum) else "enum"
    return "plain"


def branch(hint: Any) -> str:
    """The name by which fastavro knows a type inside a union."""
    return "array" if shape(hint) == "array" else f"{NAMESPACE}.{RECORDS.get(hint, hint.__name__)}"


def _without_none(hint: Any) -> Any:
    rest = tuple(member for member in typing.get_args(hint) if member is not types.NoneType)
    return rest[0] if len(rest) == 1 else typing.Union[rest]


def _symbol(member: Enum) -> str:
    return str(member.value) if isinstance(member, StrEnum) else member.name.lower()


def _as_map(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError("a key occurs twice")
    return mapping
