"""A guarded tool call, for threads and for coroutines: what both kinds of session share.

The arguments are judged, the function gets what may be passed, its result (or the text of its
error) is judged, and the agent gets what may be seen.
"""

import asyncio
import functools
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NoReturn, Self, TypeVar, cast

from lawful.client.blocked import Blocked, Unredactable
from lawful.client.checking import Checker
from lawful.client.moves import Move, Moves, RecipientLike, recipient
from lawful.client.scope import CAUSE, Scope
from lawful.client.settle import Settler
from lawful.client.tools import Bound, Tool, ToolFailed, bind
from lawful.client.walls import WalledMoves
from lawful.firewalls import (
    Abstraction,
    Converter,
    FirewallSession,
    Incoming,
    Outgoing,
    Population,
    TaskProtocol,
    load_abstraction,
    load_protocol,
)
from lawful.schemas.event import AgentEvent, Payload, Recipient, RecipientKind, ToolCall

F = TypeVar("F", bound=Callable[..., Any])

CURRENT: Final[ContextVar["BaseSession | None"]] = ContextVar("lawful_session", default=None)
"""The session that a guard's own tools belong to when they are called."""

_SOMEBODY: Final = Recipient(RecipientKind.THIRD_PARTY, "session")


class BaseSession:
    """What a session is made of, and how tools are called in it.

    Attributes:
        scope: whom the session serves and what for.
    """

    always_async = False
    """Whether tools made from plain functions are awaited too."""

    def __init__(self, scope: Scope, checker: Checker, settler: Settler) -> None:
        self.scope = scope
        self._moves: Moves = Moves(scope)
        self._checker = checker
        self._settler = settler
        self._entered: list[Token[BaseSession | None]] = []

    def __enter__(self) -> Self:
        self._entered.append(CURRENT.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        CURRENT.reset(self._entered.pop())

    def tool(
        self, name: str | None = None, *, purposes: Iterable[str] | None = None, schema: Mapping[str, Any] | None = None
    ) -> Callable[[F], F]:
        """Makes each call of a function, sync or async, a guarded tool call.

        Args:
            name: as the policy names the tool; by default the function's name.
            purposes: what a call is for; by default the session's purposes.
            schema: JSON Schema of the arguments: a redacted call that breaks it is blocked.
        """
        return decorator(lambda: self, as_tool(name, purposes, schema), always_async=self.always_async)

    def received(self, event: AgentEvent) -> Payload:
        """Takes in an event from an inbox, which the gateway had judged already; gives what it holds.

        What the session does from then on was caused by it, and concerns whom it concerns, too.
        """
        subjects = tuple(dict.fromkeys((*self.scope.subjects, *event.subjects)))
        self.scope.reading.delivered(event.event_id)
        self.scope = replace(self.scope, subjects=subjects)
        self._moves = Moves(self.scope)
        return event.payload

    def firewall(
        self,
        *,
        protocol: str | Path | TaskProtocol | None = None,
        abstraction: str | Path | Abstraction | None = None,
        to: RecipientLike = _SOMEBODY,
        population: Population | None = None,
        converter: Converter | None = None,
    ) -> FirewallSession:
        """Puts firewalls around this session, for all that comes after. See `lawful.firewalls`.

        Args:
            protocol: what other agents may say (`receive`): a pack's name, a file, or a protocol.
            abstraction: what of tools' results and structured messages (`send`) may be read: likewise.
            to: whom the agent talks to; what it reads is counted as disclosed to that one.
            population: people to count among.
            converter: reads prose, if the extractor is not to.

        Raises:
            ConfigurationError: a file is wrong.
        """
        said = load_protocol(protocol) if isinstance(protocol, str | Path) else protocol
        rules = load_abstraction(abstraction) if isinstance(abstraction, str | Path) else abstraction
        memory = FirewallSession()
        self._moves = WalledMoves(
            self.scope,
            Incoming(said, converter) if said else None,
            Outgoing(rules, population) if rules else None,
            recipient(to),
            memory,
            self._settler.note,
        )
        return memory

    def unreadable(self, agent: str) -> Blocked:
        """Stops something for or from another agent that nobody can read, and writes that down."""
        return self._settler.stop(self._moves.send(agent, "").event, "content_not_readable")

    def _call(self, tool: Tool, bound: Bound) -> Any:
        move = self._asked(tool, bound)
        passed = self._settler.deliverable(move, self._checker.check(move.event))
        run = self._prepared(move, bound, passed)
        try:
            with _caused_by(move):
                result = run()
        except (Blocked, ToolFailed):  # a guarded call within: judged already
            raise
        except Exception as error:  # noqa: BLE001 - an error's text is a result like any other
            said = self._moves.result(move, str(error))
            seen = self._settler.deliverable(said, self._checker.check(said.event)).content
            _raise(error, seen)
        got = self._moves.result(move, self._text(move, result))
        return _as_given(result, self._settler.deliverable(got, self._checker.check(got.event)).content)

    async def _call_async(self, tool: Tool, bound: Bound) -> Any:
        move = self._asked(tool, bound)
        passed = self._settler.deliverable(move, await self._checker.check_async(move.event))
        run = self._prepared(move, bound, passed)
        try:
            with _caused_by(move):
                result = await (run() if inspect.iscoroutinefunction(bound.function) else asyncio.to_thread(run))
        except (Blocked, ToolFailed):  # a guarded call within: judged already
            raise
        except Exception as error:  # noqa: BLE001 - an error's text is a result like any other
            said = self._moves.result(move, str(error))
            seen = self._settler.deliverable(said, await self._checker.check_async(said.event)).content
            _raise(error, seen)
        got = self._moves.result(move, self._text(move, result))
        return _as_given(result, self._settler.deliverable(got, await self._checker.check_async(got.event)).content)

    def _asked(self, tool: Tool, bound: Bound) -> Move[ToolCall]:
        try:
            return self._moves.call(tool, to_json(bound.named))
        except (TypeError, ValueError, RecursionError):
            unreadable = self._moves.call(tool, "{}")
            raise self._settler.stop(unreadable.event, "arguments_not_json") from None

    def _prepared(self, move: Move[ToolCall], bound: Bound, passed: ToolCall) -> Callable[[], Any]:
        try:
            return bound.with_arguments(changed(bound.named, move.payload.arguments, passed.arguments))
        except Unredactable as error:
            raise self._settler.stop(move.event, error.reason) from None

    def _text(self, move: Move[ToolCall], result: Any) -> str:
        try:
            return result if isinstance(result, str) else to_json(result)
        except (TypeError, ValueError, RecursionError):
            raise self._settler.stop(move.event, "result_not_json") from None


def decorator(session: Callable[[], BaseSession], template: Tool, *, always_async: bool) -> Callable[[F], F]:
    """A decorator that calls a function as a tool of the session that is asked for at each call."""

    def decorate(function: F) -> F:
        tool = replace(template, name=template.name or function.__name__)

        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            return session()._call(tool, bind(function, args, kwargs))  # noqa: SLF001 - its own module

        @functools.wraps(function)
        async def guarded_async(*args: Any, **kwargs: Any) -> Any:
            return await session()._call_async(tool, bind(function, args, kwargs))  # noqa: SLF001 - its own module

        return cast("F", guarded_async if always_async or inspect.iscoroutinefunction(function) else guarded)

    return decorate


def as_tool(name: str | None, purposes: Iterable[str] | None, schema: Mapping[str, Any] | None) -> Tool:
    """What a decorator was told of a tool; an empty name stands for the function's."""
    return Tool(name or "", None if purposes is None else tuple(purposes), schema)


def to_json(value: Any) -> str:
    """A value as compact JSON.

    Raises:
        TypeError, ValueError, RecursionError: it is not JSON.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def changed(before: Mapping[str, Any], judged: str, passed: str) -> dict[str, Any]:
    """The arguments that may be passed: touched ones from `passed`, others as the caller gave them."""
    if passed == judged:
        return dict(before)
    old, new = json.loads(judged), json.loads(passed)
    return {name: before[name] if name in old and old[name] == value else value for name, value in new.items()}


def _as_given(result: Any, seen: str) -> Any:
    """The result as the agent may see it, of the type that the tool gave."""
    if isinstance(result, str):
        return seen
    return result if seen == to_json(result) else json.loads(seen)


def _raise(error: Exception, seen: str) -> NoReturn:
    """Passes a tool's error on: itself if its text may be seen and is all it says, else one with the text that may.

    Notes and the errors behind it are printed with it and were not judged, so they stay here.
    """
    said = str(error)
    if seen != said or any(str(part) not in said for part in error.args):
        raise ToolFailed(seen) from None
    error.__dict__.pop("__notes__", None)
    error.__cause__ = error.__context__ = None
    raise error from None


@contextmanager
def _caused_by(move: Move[ToolCall]) -> Iterator[None]:
    """What happens in here names this call as its cause."""
    token = CAUSE.set(move.event.event_id)
    try:
        yield
    finally:
        CAUSE.reset(token)
