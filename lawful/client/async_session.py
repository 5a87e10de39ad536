"""A session for coroutines: every channel between an agent and the world, the guard in between.

What a method returns is what may be delivered. What may not be raises `Blocked`.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, Unpack

from lawful.client.base import BaseSession
from lawful.client.moves import ConsentDetails, Move, RecipientLike
from lawful.client.scope import IdentifierLike
from lawful.client.settle import Delivery
from lawful.client.tools import Bound, Tool
from lawful.schemas.event import MemoryWrite, Payload, RequestKind
from lawful.schemas.verdict import Verdict

P = TypeVar("P", bound=Payload)


class AsyncSession(BaseSession):
    """A conversation with one principal subject. Get one from `AsyncGuard.session`."""

    always_async = True

    async def user(self, text: str) -> str:
        """What the user said, as the agent may see it."""
        return (await self._deliver(self._moves.user(text))).text

    async def assistant(self, text: str) -> str:
        """What the agent says, as the user may see it."""
        return (await self._deliver(self._moves.assistant(text))).text

    async def send(self, to: RecipientLike, text: str) -> str:
        """What this agent says to another one (or to a model, or a third party), as that one may see it."""
        return (await self._deliver(self._moves.send(to, text))).text

    async def send_each(self, text: str, to: Iterable[RecipientLike]) -> tuple[Delivery, ...]:
        """The same to several, each of whom gets what that one may see, or nothing.

        Every recipient has an event, and so a verdict, of its own; all events name the same cause. Nothing is
        raised for a block: whom it concerns is told in that recipient's delivery.
        """
        moves = self._moves.send_each(text, to)
        verdicts = await asyncio.gather(*(self._checker.check_async(each.event) for each in moves))
        return tuple(self._settler.delivery(*each) for each in zip(moves, verdicts, strict=True))

    async def receive(self, agent: str, text: str) -> str:
        """What another agent says to this one, as this one may see it."""
        return (await self._read(self._moves.receive(agent, text))).text

    async def remember(self, key: str, content: str) -> MemoryWrite:
        """What may be written to memory, and under which key."""
        return await self._deliver(self._moves.remember(key, content))

    async def recall(self, key: str, content: str) -> str:
        """What was read from memory, as the agent may see it."""
        return (await self._read(self._moves.recall(key, content))).content

    async def call(self, tool: str | Tool, function: Callable[..., Any], /, **arguments: Any) -> Any:
        """Calls a tool, sync or async, with what may be passed; returns what may be seen of its result.

        A sync function runs in a thread of its own.
        """
        return await self._call_async(tool if isinstance(tool, Tool) else Tool(tool), Bound(function, arguments))

    async def consent(self, *purposes: str, **details: Unpack[ConsentDetails]) -> Verdict:
        """Records that the principal consents (GDPR Art. 7)."""
        return await self._record(self._moves.consent(purposes, details))

    async def withdraw(self, *purposes: str, same_person: Iterable[IdentifierLike] = ()) -> Verdict:
        """Records that the principal withdraws these consents; without purposes, all of them."""
        return await self._record(self._moves.withdraw(purposes or None, same_person))

    async def erase(self, request_id: str | None = None, same_person: Iterable[IdentifierLike] = ()) -> Verdict:
        """Records that the principal demands erasure (GDPR Art. 17). The verdict's outcome says what became of it."""
        return await self.request(RequestKind.ERASURE, request_id, same_person)

    async def request(
        self, kind: RequestKind, request_id: str | None = None, same_person: Iterable[IdentifierLike] = ()
    ) -> Verdict:
        """Records another request of the principal (GDPR Art. 15 to 21)."""
        return await self._record(self._moves.request(kind, request_id, same_person))

    async def link(self, *same_person: IdentifierLike) -> Verdict:
        """Records that the principal has these identifiers too."""
        return await self._record(self._moves.link(same_person))

    async def _record(self, move: Move[Any]) -> Verdict:
        verdict = await self._checker.check_async(move.event)
        self._settler.deliverable(move, verdict)
        return verdict

    async def _read(self, move: Move[P]) -> P:
        got = await self._deliver(move)
        self.scope.reading.judged(move.event.event_id)
        return got

    async def _deliver(self, move: Move[P]) -> P:
        return self._settler.deliverable(move, await self._checker.check_async(move.event))
