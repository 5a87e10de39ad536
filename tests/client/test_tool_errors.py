"""A tool's error is a result: nothing of it reaches the agent that was not judged."""

import traceback
from collections.abc import Callable

import pytest

from lawful.client import Guard, ToolFailed
from lawful.client.tools import bind
from lawful.schemas.errors import LawfulError
from lawful.schemas.verdict import Decision
from tests.client.test_guard import Stub

SECRET = "+31612345678"


def look_up() -> None:
    """Fails with something that must not be seen."""
    raise KeyError(SECRET)


def chained() -> None:
    """Fails because something else did."""
    try:
        look_up()
    except KeyError as error:
        raise ValueError("no such customer") from error


def during() -> None:
    """Fails while something else is dealt with."""
    try:
        look_up()
    except KeyError:
        raise ValueError("no such customer")  # noqa: B904 - its context is what is tested


def noted() -> None:
    """Fails with a note that is printed with it."""
    error = ValueError("no such customer")
    error.__notes__ = [SECRET]  # as `add_note` does
    raise error


class Quiet(Exception):
    """Says less than it holds."""

    def __str__(self) -> str:
        return "no such customer"


def quiet() -> None:
    """Fails with an error whose repr says more than its text."""
    raise Quiet(SECRET)


@pytest.mark.parametrize("tool", [chained, during, noted, quiet])
def test_what_was_not_judged_of_an_error_stays_behind(tool: Callable[[], None]) -> None:
    """Errors behind it, notes and arguments are printed with an error, but only its text is judged."""
    guarded = Guard(Stub(decision=Decision.FORWARD), agent="a").session().tool()(tool)
    with pytest.raises((ValueError, ToolFailed), match="no such customer") as caught:
        guarded()
    printed = "".join(traceback.format_exception(caught.value))
    assert SECRET not in printed + repr(caught.value)


def test_an_error_that_says_all_in_its_text_keeps_its_class() -> None:
    """Agents catch what their tools raise."""

    def missing() -> None:
        raise FileNotFoundError(2, "no such file", "order.txt")

    guarded = Guard(Stub(decision=Decision.FORWARD), agent="a").session().tool()(missing)
    with pytest.raises(FileNotFoundError, match=r"order\.txt"):
        guarded()


def test_an_error_of_ours_raised_by_a_tool_is_judged_too() -> None:
    """Its class says nothing about its text."""

    def fails() -> None:
        raise LawfulError(SECRET)

    transport = Stub(decision=Decision.FORWARD)
    with pytest.raises(LawfulError):
        Guard(transport, agent="a").session().tool()(fails)()
    assert [event.kind.value for event in transport.events] == ["ToolCall", "ToolResult"]


def test_two_arguments_of_one_name_are_not_taken_for_one() -> None:
    """Else one of them would be judged in the other's place."""

    def greet(name: str, /, **more: str) -> str:
        return name + more["name"]

    with pytest.raises(TypeError):
        bind(greet, ("ada",), {"name": SECRET})
