"""The statements that read one value, by its Avro type.

Slices past the end come out short without an error; the place where the next value is expected
then lies behind the end, so the next look fails, or the caller sees it. That spares one check a
value.
"""

from typing import Any, Final

from lawful.schemas.errors import ConfigurationError
from lawful.schemas.wire.hints import class_of, indented, item_of, kind, symbol, without_none
from lawful.schemas.wire.write import Scope

_NUMBER: Final = ["n = d[p]", "p += 1", "if n > 127: n, p = raw_rest(d, p, n)"]
# One test for both of the rare cases, more than one byte and below zero.
_SLICE: Final = ["n = d[p]", "p += 1", "if n & 129: n, p = length(d, p, n)", "q = p + (n >> 1)"]


_SIMPLE: Final[dict[str, list[str]]] = {
    "string": [*_SLICE, "{v} = d[p:q].decode()", "p = q"],
    "bytes": [*_SLICE, "{v} = d[p:q]", "p = q"],
    "long": [*_NUMBER, "{v} = (n >> 1) ^ -(n & 1)"],
    "int": [*_NUMBER, "{v} = (n >> 1) ^ -(n & 1) if n < 128 else check_int((n >> 1) ^ -(n & 1))"],
    "double": ["{v}, = DOUBLE.unpack_from(d, p)", "p += 8"],
    "boolean": ["{v} = TRUTHS[d[p]]", "p += 1"],
}


def statements(scope: Scope, hint: Any, schema: Any, v: str) -> list[str]:
    """Statements that read from `d` at `p` into the variable `v` and move `p` on."""
    match kind(schema):
        case "enum":
            found = {2 * index: member for index, member in enumerate(_members(hint, schema))}
            return [f"{v} = {scope.table('members', found)}[d[p]]", "p += 1"]
        case "record":
            return [f"{v}, p = read_{scope.record(hint, schema)}(d, p)"]
        case "array":
            return _array(scope, item_of(hint), schema["items"], v)
        case "map":
            return _map(scope, schema["values"], v)
        case "union":
            return _union(scope, hint, schema, v)
        case simple if simple in _SIMPLE:
            return [line.format(v=v) for line in _SIMPLE[simple]]
        case other:
            raise ConfigurationError(f"the codec has no way to read Avro's {other}")


def _array(scope: Scope, hint: Any, items: Any, v: str) -> list[str]:
    item = statements(scope, hint, items, f"{v}_item")
    return _blocks(v, [*item, f"{v}_all.append({v}_item)"], "[]", f"tuple({v}_all)")


def _map(scope: Scope, values: Any, v: str) -> list[str]:
    key = statements(scope, str, "string", f"{v}_key")
    value = statements(scope, str, values, f"{v}_value")
    return _blocks(v, [*key, *value, f"{v}_all[{v}_key] = {v}_value"], "{}", f"tuple({v}_all.items())")


def _members(hint: Any, schema: Any) -> list[Any]:
    by_symbol = {symbol(member): member for member in hint}
    # A symbol that the class lacks would be a gap between the files: a test compares them.
    return [by_symbol[word] for word in schema["symbols"]]


def _blocks(v: str, item: list[str], empty: str, result: str) -> list[str]:
    return [
        f"{v}_n, p = (0, p + 1) if d[p] == 0 else block(d, p)",
        f"if not {v}_n: {v} = ()",
        "else:",
        *indented(
            [
                f"{v}_all = {empty}",
                f"while {v}_n:",
                *indented([f"for _ in range({v}_n):", *indented(item), f"{v}_n, p = block(d, p)"]),
                f"{v} = {result}",
            ]
        ),
    ]


def _union(scope: Scope, hint: Any, schema: list[Any], v: str) -> list[str]:
    others = [node for node in schema if node != "null"]
    if len(others) == 1:
        branch = f"if d[p] == {2 * schema.index(others[0])}:"
        inner = [branch, *indented(["p += 1", *statements(scope, without_none(hint), others[0], v)]), "else: unknown()"]
    else:
        table = scope.table("branches", _branches(scope, hint, schema))
        inner = [f"{v}, p = {table}[d[p]](d, p + 1)"]
    if "null" not in schema:
        return inner
    null = [f"if d[p] == {2 * schema.index('null')}:", *indented([f"{v} = None", "p += 1"])]
    return [*null, *(["el" + inner[0], *inner[1:]] if inner[0].startswith("if") else ["else:", *indented(inner)])]


def _branches(scope: Scope, hint: Any, schema: list[Any]) -> dict[int, Any]:
    names = {2 * at: scope.record(class_of(hint, node), node) for at, node in enumerate(schema) if node != "null"}
    return {raw: scope.scope[f"read_{name}"] for raw, name in names.items()}
