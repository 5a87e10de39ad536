"""A tool as the guard sees it: a name, purposes, a schema, and a function's arguments by name."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawful.client.blocked import Unredactable
from lawful.schemas.errors import LawfulError

BREAKS = "redaction_would_break_arguments"
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Tool:
    """What is known of a tool.

    Attributes:
        name: as the policy names it.
        purposes: what a call is for; `None` takes the session's.
        schema: JSON Schema of its arguments; a redacted call that breaks it is blocked.
    """

    name: str
    purposes: tuple[str, ...] | None = None
    schema: Mapping[str, Any] | None = None


class ToolFailed(LawfulError):
    """A tool raised an error whose text was redacted; this one carries what may be said."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A function and the arguments of one call of it.

    Attributes:
        named: the arguments that are judged, by name.
        receiver: `self` or `cls`, which are none.
    """

    function: Callable[..., Any]
    named: Mapping[str, Any] = field(repr=False)
    receiver: tuple[Any, ...] = ()

    def with_arguments(self, named: Mapping[str, Any]) -> Callable[[], Any]:
        """The same call with other arguments.

        Raises:
            Unredactable: the function does not take them.
        """
        signature = _signature(self.function)
        if signature is None:
            return lambda: self.function(*self.receiver, **named)
        args, kwargs = _spread(signature, self.receiver, named)
        try:
            signature.bind(*args, **kwargs)
        except TypeError:
            raise Unredactable(BREAKS) from None
        return lambda: self.function(*args, **kwargs)


def bind(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Bound:
    """Names the arguments of a call, defaults included: what is judged is what the function gets.

    Raises:
        TypeError: the function does not take them.
    """
    signature = _signature(function)
    if signature is None:
        if args:
            raise TypeError("this function's parameters have no known names: call it with keyword arguments")
        return Bound(function, dict(kwargs))
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    names = list(signature.parameters)
    receiver = names[:1] if names and names[0] in {"self", "cls"} else []
    named: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        if name in receiver:
            continue
        more = value if _kind(signature, name) is inspect.Parameter.VAR_KEYWORD else {name: value}
        if not named.keys().isdisjoint(more):  # one of them would not be judged, or not be passed
            raise TypeError("a keyword argument bears the name of a positional parameter")
        named.update(more)
    return Bound(function, named, tuple(bound.arguments[name] for name in receiver))


def _spread(
    signature: inspect.Signature, receiver: tuple[Any, ...], named: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments by name as positional ones, as far as there is no gap, and keyword ones.

    Raises:
        Unredactable: a missing argument would shift those behind it.
    """
    args: list[Any] = list(receiver)
    rest = dict(named)
    gap = False
    for name, parameter in list(signature.parameters.items())[len(receiver) :]:
        given = name in rest
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            many = rest.pop(name, ())
            if gap and many:
                raise Unredactable(BREAKS)
            args.extend(many)
        elif parameter.kind in _POSITIONAL and given and not gap:
            args.append(rest.pop(name))
        elif parameter.kind in _POSITIONAL:
            gap = True
    return args, rest


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # some built-in functions do not tell
        return None


def _kind(signature: inspect.Signature, name: str) -> object:
    return signature.parameters[name].kind
