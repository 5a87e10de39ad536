"""Guesses at the data that a tool takes: by the names of its arguments, as extraction would read them."""

from collections.abc import Iterator
from dataclasses import dataclass

from lawful.extractors.hints import KeyTable, key_table
from lawful.extractors.keynames import normalise_key
from lawful.infra.drafting.keynames import category_of_name
from lawful.infra.drafting.toolfile import Tool
from lawful.policies.arguments import arguments_of


@dataclass(frozen=True, slots=True)
class Carried:
    """A category that an argument seems to carry."""

    argument: str
    category: str


def guess_categories(tool: Tool) -> tuple[Carried, ...]:
    """What the arguments carry by their names, in their order."""
    return tuple(_carried(tool)) if tool.schema is not None else ()


def _carried(tool: Tool) -> Iterator[Carried]:
    table = key_table()
    arguments = arguments_of(tool.schema or {})
    names = {normalise_key(argument.name) for argument in arguments}
    for argument in arguments:
        name = normalise_key(argument.name)
        category = category_of_name(name) or _near(table, name, argument.path, names - {name})
        if category is not None:
            yield Carried(argument.path, category)


def _near(table: KeyTable, name: str, path: str, others: set[str]) -> str | None:
    """Generic names (`name`, `city`) beside or below names that are plainly of a person or an address."""
    above = {normalise_key(part) for part in path.replace("[]", "").split(".")[:-1]}
    if name in table.of_person and (table.person_siblings & others or table.person_words & above):
        return table.of_person[name]
    if name in table.of_address and (table.address_siblings & others or table.address_words & above):
        return table.of_address[name]
    return None
