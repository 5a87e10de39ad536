"""Generates, once per record, the two functions that write and read its bytes.

Every event passes through here several times, so nothing is looked up per call: class and schema
are walked together once, and plain Python comes out, the way `dataclasses` makes `__init__`.
That is about three times as fast as fastavro with converters from and to its dictionaries.
fastavro stays the judge of these functions (tests/laws/test_codec.py) and reads what older
schemas wrote.
"""

import typing
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any

from fastavro.schema import expand_schema

from lawful.schemas.changing import twin
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.wire import numbers, read, write
from lawful.schemas.wire.hints import indented, short


@dataclass(frozen=True, slots=True)
class Pair:
    """Both directions between a class and the bytes of its record, without framing.

    Attributes:
        write: takes a record and a function that collects pieces of bytes.
        read: takes the bytes and where to start; gives the record and where it ends. That may lie
            behind the end of the bytes: then they were cut.
    """

    write: Callable[[Any, Callable[[bytes], object]], None]
    read: Callable[[bytes, int], tuple[Any, int]]


def pair(cls: type, schema: Any) -> Pair:
    """The functions for a class whose record is written with this self-contained schema."""
    generated = Generator()
    name = generated.record(cls, expand_schema(schema))
    return Pair(generated.scope[f"write_{name}"], generated.scope[f"read_{name}"])


class Generator:
    """Walks classes and schemas together; the functions find each other in `scope`."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {**vars(numbers)}

    def record(self, cls: type, schema: Any) -> str:
        """Generates `write_<record>` and `read_<record>`, unless they are there; gives the record's name."""
        name = short(schema)
        if f"write_{name}" in self.scope:
            return name
        names = [field["name"] for field in schema["fields"]]
        hints = typing.get_type_hints(cls)
        writes = [f"def write_{name}(r, w):", *indented(self._left_out(cls, name, names))]
        reads = [f"def read_{name}(d, p):"]
        for field in schema["fields"]:
            hint, inner, local = hints[field["name"]], field["type"], f"f_{field['name']}"
            writes += indented([f"{local} = r.{field['name']}", *write.statements(self, hint, inner, local)])
            reads += indented(read.statements(self, hint, inner, local))
        reads += indented([*self._made(cls, name, names), "return made, p"])
        code = compile("\n".join([*writes, *reads]), f"<generated for {name}>", "exec")
        exec(code, self.scope)  # noqa: S102 - the source is made of our own classes and schema files
        return name

    def _made(self, cls: type, name: str, names: list[str]) -> list[str]:
        """Statements that make the record of its fields: by its twin, where it has one."""
        self.scope[f"class_{name}"], other = cls, twin(cls)
        if other is None:
            return [f"made = class_{name}({', '.join(f'{each}=f_{each}' for each in names)})"]
        self.scope[f"twin_{name}"] = other
        defaults = {field.name: field.default for field in fields(cls) if field.name not in names}
        filled = [f"made.{each} = {self.table('default', value)}" for each, value in defaults.items()]
        filled += [f"made.{each} = f_{each}" for each in names]
        return [f"made = twin_{name}()", *filled, f"made.__class__ = class_{name}"]

    def _left_out(self, cls: type, name: str, names: list[str]) -> list[str]:
        """Statements that refuse a record with a value in a field that its schema leaves out."""
        defaults = {field.name: field.default for field in fields(cls)}
        missing = defaults.keys() - set(names)
        if set(names) - defaults.keys() or any(defaults[field] is MISSING for field in missing):
            raise ConfigurationError(f"class {cls.__name__} and schema {name} have different fields")
        return [f"if r.{field} != {self.table('default', defaults[field])}: unknown()" for field in sorted(missing)]

    def table(self, name: str, table: object) -> str:
        """Puts a look-up table into the scope and gives its name there."""
        unique = f"{name}_{len(self.scope)}"
        self.scope[unique] = table
        return unique
