"""The statements that write one value, by its Avro type."""

from typing import Any, Final, Protocol

from lawful.schemas.errors import ConfigurationError
from lawful.schemas.wire.hints import class_of, indented, item_of, kind, symbol, without_none
from lawful.schemas.wire.numbers import long_bytes

_LENGTH: Final = "w(SMALL_LONGS[n] if n < SMALL else long_bytes(n))"


class Scope(Protocol):
    """Where records are generated and tables kept."""

    scope: dict[str, Any]

    def record(self, cls: type, schema: Any) -> str:
        """Generates a record's functions; gives its name."""
        ...

    def table(self, name: str, table: object) -> str:
        """Keeps a table; gives its name."""
        ...


_SIMPLE: Final[dict[str, list[str]]] = {
    "string": ["b = {v}.encode()", "n = len(b)", _LENGTH, "w(b)"],
    "bytes": ["n = len({v})", _LENGTH, "w({v})"],
    "int": ["w(SMALL_LONGS[{v}] if 0 <= {v} < SMALL else int_bytes({v}))"],
    "long": ["w(SMALL_LONGS[{v}] if 0 <= {v} < SMALL else long_bytes({v}))"],
    "double": ["w(DOUBLE.pack({v}))"],
    "boolean": ["w(BOOLEANS[{v}])"],
}


def statements(scope: Scope, hint: Any, schema: Any, v: str) -> list[str]:
    """Statements that pass the bytes of the value in the variable `v` to `w`."""
    match kind(schema):
        case "enum":
            words = {member: long_bytes(schema["symbols"].index(symbol(member))) for member in hint}
            return [f"w({scope.table('words', words)}[{v}])"]
        case "record":
            return [f"write_{scope.record(hint, schema)}({v}, w)"]
        case "array":
            return _array(scope, item_of(hint), schema["items"], v)
        case "map":
            return _map(scope, schema["values"], v)
        case "union":
            return _union(scope, hint, schema, v)
        case simple if simple in _SIMPLE:
            return [line.format(v=v) for line in _SIMPLE[simple]]
        case other:
            raise ConfigurationError(f"the codec has no way to write Avro's {other}")


def _array(scope: Scope, hint: Any, items: Any, v: str) -> list[str]:
    item = f"{v}_item"
    loop = [f"for {item} in {v}:", *indented(statements(scope, hint, items, item))]
    return [f"n = len({v})", "if n:", *indented([_LENGTH, *loop]), "w(b'\\0')"]


def _map(scope: Scope, values: Any, v: str) -> list[str]:
    key, value = f"{v}_key", f"{v}_value"
    body = [*statements(scope, str, "string", key), *statements(scope, str, values, value)]
    loop = [f"for {key}, {value} in as_map({v}).items():", *indented(body)]
    return [f"n = len({v})", "if n:", *indented([_LENGTH, *loop]), "w(b'\\0')"]


def _union(scope: Scope, hint: Any, schema: list[Any], v: str) -> list[str]:
    others = [node for node in schema if node != "null"]
    if len(others) == 1:
        inner = [
            f"w({long_bytes(schema.index(others[0]))!r})",
            *statements(scope, without_none(hint), others[0], v),
        ]
    else:
        inner = [f"n, b = {scope.table('branches', _branches(scope, hint, schema))}[type({v})]", "w(n)", f"b({v}, w)"]
    if "null" not in schema:
        return inner
    null = f"w({long_bytes(schema.index('null'))!r})"
    return [f"if {v} is None:", *indented([null]), "else:", *indented(inner)]


def _branches(scope: Scope, hint: Any, schema: list[Any]) -> dict[type, tuple[bytes, Any]]:
    found = {}
    for index, node in enumerate(schema):
        if node != "null":
            cls = class_of(hint, node)
            found[cls] = (long_bytes(index), scope.scope[f"write_{scope.record(cls, node)}"])
    return found
