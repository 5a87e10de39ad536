"""Signatures: which predicates exist and what their arguments are (MonPoly's `.sig` files)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from lawful.policies.mfotl.errors import FormulaError

Type = Literal["int", "string", "float"]

_LINE = re.compile(r"\s*(?P<name>[A-Za-z0-9_][\w\-/:'\"]*)\s*\((?P<args>[^()]*)\)\s*")
_ARGUMENT = re.compile(r"(?:(?P<name>[\w\-]+)\s*:)?\s*(?P<type>\w+)\Z")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a predicate."""

    name: str
    type: Type


Signature = Mapping[str, tuple[Argument, ...]]


def parse_signature(text: str) -> dict[str, tuple[Argument, ...]]:
    """Read a `.sig` text: predicates as `name(arg:type, ...)` with types int, string and float.

    Raises:
        FormulaError: for a line that is none, an unknown type, or a predicate declared twice.
    """
    found: dict[str, tuple[Argument, ...]] = {}
    at = 0
    while at < len(text):
        comment = re.compile(r"\s*#[^\n]*\n?|\s+").match(text, at)
        if comment:
            at = comment.end()
            continue
        match = _LINE.match(text, at)
        if match is None:
            hint = "a predicate is declared as name(arg:int, other:string)"
            raise FormulaError("not a predicate declaration", text=text, at=at, hint=hint)
        name = match["name"]
        if name in found:
            raise FormulaError(f"predicate {name} is declared twice", text=text, at=match.start("name"))
        found[name] = _arguments(match, text)
        at = match.end()
    return found


def _arguments(match: re.Match[str], text: str) -> tuple[Argument, ...]:
    if not match["args"].strip():
        return ()
    arguments = []
    for number, raw in enumerate(match["args"].split(","), 1):
        argument = _ARGUMENT.match(raw.strip())
        kind = argument["type"] if argument else raw.strip()
        if argument is None or kind not in ("int", "string", "float"):
            message = f"argument {number} of {match['name']} has no known type ({kind!r})"
            raise FormulaError(message, text=text, at=match.start("args"), hint="the types are int, string and float")
        arguments.append(Argument(argument["name"] or f"x{number}", kind))  # type: ignore[arg-type]
    return tuple(arguments)


def show_signature(signature: Signature) -> str:
    """The `.sig` text of a signature."""
    lines = (f"{name}({', '.join(f'{arg.name}:{arg.type}' for arg in args)})" for name, args in signature.items())
    return "".join(f"{line}\n" for line in lines)
