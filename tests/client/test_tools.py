from collections.abc import Callable
from typing import Any

import pytest

from lawful.client.blocked import Unredactable
from lawful.client.tools import Bound, bind


def plain(a: str, b: int = 2, *, c: str = "c") -> tuple[Any, ...]:
    """Positional, defaulted and keyword-only parameters."""
    return (a, b, c)


def positional(a: str, b: str = "b", /, *rest: str, **more: str) -> tuple[Any, ...]:
    """All other kinds."""
    return (a, b, rest, more)


class Box:
    """Has a method."""

    def put(self, a: str) -> tuple[Any, ...]:
        """Says who it is."""
        return (type(self).__name__, a)


@pytest.mark.parametrize(
    ("function", "args", "kwargs", "named", "result"),
    [
        (plain, ("x",), {}, {"a": "x", "b": 2, "c": "c"}, ("x", 2, "c")),
        (plain, (), {"a": "x", "c": "y"}, {"a": "x", "b": 2, "c": "y"}, ("x", 2, "y")),
        (positional, ("x",), {}, {"a": "x", "b": "b", "rest": ()}, ("x", "b", (), {})),
        (
            positional,
            ("x", "y", "z"),
            {"k": "v"},
            {"a": "x", "b": "y", "rest": ("z",), "k": "v"},
            ("x", "y", ("z",), {"k": "v"}),
        ),
        (Box.put, (Box(), "x"), {}, {"a": "x"}, ("Box", "x")),
        (Box().put, ("x",), {}, {"a": "x"}, ("Box", "x")),
    ],
)
def test_arguments_have_names_and_find_their_way_back(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], named: dict[str, Any], result: Any
) -> None:
    """What is judged is what the function gets, defaults included, whatever the kind of parameter."""
    bound = bind(function, args, kwargs)
    assert bound.named == named
    assert bound.with_arguments(bound.named)() == result


def test_changed_arguments_reach_the_function() -> None:
    """The function gets the arguments it is given here and no others."""
    bound = bind(plain, ("secret",), {})
    assert bound.with_arguments({"a": "[x]", "b": 0, "c": "c"})() == ("[x]", 0, "c")


def test_a_default_steps_in_for_a_removed_argument() -> None:
    """An argument that was taken out is as if it had not been given."""
    assert bind(plain, ("x", 9), {}).with_arguments({"a": "x"})() == ("x", 2, "c")


@pytest.mark.parametrize("left", [{}, {"b": 1}, {"a": "x", "zzz": 1}])
def test_a_function_that_would_not_take_what_is_left_is_not_called(left: dict[str, Any]) -> None:
    """A17: a required argument was destroyed: no call."""
    with pytest.raises(Unredactable, match="redaction_would_break_arguments"):
        bind(plain, ("x",), {}).with_arguments(left)


def test_arguments_do_not_shift() -> None:
    """If one in the middle is gone, those behind it do not move up."""
    bound = bind(positional, ("x", "y", "z"), {})
    with pytest.raises(Unredactable):
        bound.with_arguments({"a": "x", "rest": ("z",)})


def test_wrong_calls_are_the_callers_error() -> None:
    """A call that the function would refuse is refused the same way."""
    with pytest.raises(TypeError):
        bind(plain, (), {})


def test_functions_without_a_signature_take_keywords_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments without names cannot be judged by name."""

    def silent(_: object) -> None:
        raise ValueError

    monkeypatch.setattr("inspect.signature", silent)
    with pytest.raises(TypeError, match="keyword"):
        bind(plain, ("x",), {})
    assert bind(plain, (), {"a": "x"}).with_arguments({"a": "y"})() == ("y", 2, "c")


def test_arguments_are_not_in_the_repr() -> None:
    """Personal data never gets into a repr."""
    assert "secret" not in repr(Bound(plain, {"a": "secret"}))
