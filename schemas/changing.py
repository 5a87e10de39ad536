"""Frozen records, made and copied without the detour that a frozen class takes for each of its fields.

A frozen dataclass sets every field through `object.__setattr__`, so that a record of forty fields costs more to
make than to read or to judge. A twin class with the same slots is filled plainly and then becomes the real one:
the same object, made several times as fast. Readers of bytes (`lawful.schemas.wire`) and copies use it.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def changed(record: T, **changes: Any) -> T:
    """The record with other values in some fields; as `dataclasses.replace`, ten times as fast.

    Raises:
        TypeError: it has no such field.
    """
    cls: type = type(record)
    copy = _copier(cls)
    if copy is None:
        other: T = replace(record, **changes)  # type: ignore[type-var]
        return other
    made = copy(record)
    try:
        for name, value in changes.items():
            setattr(made, name, value)
    except AttributeError:
        raise TypeError(f"{cls.__name__} lacks one of the fields {', '.join(changes)}") from None
    made.__class__ = cls
    same: T = made
    return same


@cache
def twin(cls: type) -> type | None:
    """A class with the same slots that anybody may set; an object of it can become one of `cls`.

    Returns:
        `None` if making one of `cls` takes more than setting its slots.
    """
    if not is_dataclass(cls) or hasattr(cls, "__post_init__") or cls.__bases__ != (object,):
        return None
    names = tuple(field.name for field in fields(cls))
    if vars(cls).get("__slots__") != names or not all(field.init for field in fields(cls)):
        return None
    return type(f"{cls.__name__}Twin", (), {"__slots__": names})


@cache
def _copier(cls: type) -> Callable[[Any], Any] | None:
    """What makes a twin of a record, with the record's values."""
    other = twin(cls)
    if other is None:
        return None
    lines = ["def copy(r):", " made = twin()", *(f" made.{each.name} = r.{each.name}" for each in fields(cls))]
    scope: dict[str, Any] = {"twin": other}
    # The source is made of the names of our own fields, as that of `dataclasses` is.
    exec(compile("\n".join([*lines, " return made"]), f"<copier of {cls.__name__}>", "exec"), scope)  # noqa: S102
    copy: Callable[[Any], Any] = scope["copy"]
    return copy
