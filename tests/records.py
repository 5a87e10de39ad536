"""Hypothesis strategies for every record of the bus, drawn from its class and its Avro schema together."""

import typing
from functools import lru_cache
from typing import Any

from fastavro.schema import expand_schema
from hypothesis import strategies as st

from lawful.schemas.catalogue import RECORDS, current
from lawful.schemas.wire.hints import class_of, item_of, kind, symbol, without_none

_PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "string": st.text(max_size=20) | st.binary(min_size=32, max_size=32).map(bytes.hex),
    "bytes": st.binary(max_size=40),
    "int": st.integers(-(2**31), 2**31 - 1) | st.integers(0, 200),
    "long": st.integers(-(2**63), 2**63 - 1) | st.integers(0, 2000),
    "double": st.floats(allow_nan=False),
    "boolean": st.booleans(),
}


@lru_cache(maxsize=len(RECORDS))
def records(cls: type) -> st.SearchStrategy[Any]:
    """Instances of a class that has bytes of its own."""
    return _value(cls, expand_schema(current(RECORDS[cls]).parsed))


def any_record() -> st.SearchStrategy[Any]:
    """Instances of any such class."""
    return st.sampled_from(list(RECORDS)).flatmap(records)


def _value(hint: Any, schema: Any) -> st.SearchStrategy[Any]:
    match kind(schema):
        case "enum":
            return st.sampled_from([member for member in hint if symbol(member) in schema["symbols"]])
        case "record":
            hints = typing.get_type_hints(hint)
            return st.builds(hint, **{f["name"]: _value(hints[f["name"]], f["type"]) for f in schema["fields"]})
        case "array":
            return st.lists(_value(item_of(hint), schema["items"]), max_size=3).map(tuple)
        case "map":
            return st.dictionaries(_PLAIN["string"], _PLAIN["string"], max_size=3).map(lambda d: tuple(d.items()))
        case "union":
            return st.one_of([_branch(hint, node) for node in schema])
        case plain:
            return _PLAIN[plain]


def _branch(hint: Any, node: Any) -> st.SearchStrategy[Any]:
    if node == "null":
        return st.none()
    if isinstance(node, dict) and node["type"] == "record":
        return _value(class_of(hint, node), node)
    return _value(without_none(hint), node)
