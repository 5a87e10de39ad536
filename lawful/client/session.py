"""A session for threads: every channel between an agent and the world, the guard in between.

What a method returns is what may be delivered. What may not be raises `Blocked`.
"""

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


class Session(BaseSession):
    """A conversation with one principal subject. Get one from `Guard.session`."""

    def user(self, text: str) -> str:
        """What the user said, as the agent may see it."""
        return self._deliver(self._moves.user(text)).text

    def assistant(self, text: str) -> str:
        """What the agent says, as the user may see it."""
        return self._deliver(self._moves.assistant(text)).text

    def send(self, to: RecipientLike, text: str) -> str:
        """What this agent says to another one (or to a model, or a third party), as that one may see it."""
        return self._deliver(self._moves.send(to, text)).text

    def send_each(self, text: str, to: Iterable[RecipientLike]) -> tuple[Delivery, ...]:
        """The same to several, each of whom gets what that one may see, or nothing.

        Every recipient has an event, and so a verdict, of its own; all events name the same cause. Nothing is
        raised for a block: whom it concerns is told in that recipient's delivery.
        """
        moves = self._moves.send_each(text, to)
        verdicts = self._checker.check_each([each.event for each in moves])
        return tuple(self._settler.delivery(*each) for each in zip(moves, verdicts, strict=True))

    def receive(self, agent: str, text: str) -> str:
        """What another agent says to this one, as this one may see it."""
        return self._read(self._moves.receive(agent, text)).text

    def remember(self, key: str, content: str) -> MemoryWrite:
        """What may be written to memory, and under which key."""
        return self._deliver(self._moves.remember(key, content))

    def recall(self, key: str, content: str) -> str:
        """What was read from memory, as the agent may see it."""
        return self._read(self._moves.recall(key, content)).content

    def call(self, tool: str | Tool, function: Callable[..., Any], /, **arguments: Any) -> Any:
        """Calls a tool with what may be passed, and returns what may be seen of its result."""
        return self._call(tool if isinstance(tool, Tool) else Tool(tool), Bound(function, arguments))

    def consent(self, *purposes: str, **details: Unpack[ConsentDetails]) -> Verdict:
        """Records that the principal consents (GDPR Art. 7)."""
        return self._record(self._moves.consent(purposes, details))

    def withdraw(self, *purposes: str, same_person: Iterable[IdentifierLike] = ()) -> Verdict:
        """Records that the principal withdraws these consents; without purposes, all of them."""
        return self._record(self._moves.withdraw(purposes or None, same_person))

    def erase(self, request_id: str | None = None, same_person: Iterable[IdentifierLike] = ()) -> Verdict:
        """Records that the principal demands erasure (GDPR Art. 17). The verdict's outcome says what became of it."""
        return self.request(RequestKind.ERASURE, request_id, same_person)

    def request(
        self, kind: RequestKind, request_id: str | None = None, same_person: Iterable[IdentifierLike] = ()
    ) -> Verdict:
        """Records another request of the principal (GDPR Art. 15 to 21)."""
        return self._record(self._moves.request(kind, request_id, same_person))

    def link(self, *same_person: IdentifierLike) -> Verdict:
        """Records that the principal has these identifiers too."""
        return self._record(self._moves.link(same_person))

    def _record(self, move: Move[Any]) -> Verdict:
        verdict = self._checker.check(move.event)
        self._settler.deliverable(move, verdict)
        return verdict

    def _read(self, move: Move[P]) -> P:
        got = self._deliver(move)
        self.scope.reading.judged(move.event.event_id)
        return got

    def _deliver(self, move: Move[P]) -> P:
        return self._settler.deliverable(move, self._checker.check(move.event))
