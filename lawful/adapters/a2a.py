"""Agent2Agent: what one agent tells another goes through the guard, at the caller or at the called.

```python
client = await create_client(card, interceptors=[ClientGuard(guard)])
handler = DefaultRequestHandler(agent_executor=guarded(executor, guard), ...)
```

Text and data parts are judged together and come out redacted. A part that holds raw bytes, or the
address of a file, cannot be read, so a message with one is blocked. A stop at the caller raises
`Blocked`; at the called it ends the task as rejected, with the reasons.
"""

import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, cast

from a2a.client.interceptors import AfterArgs, BeforeArgs, ClientCallInterceptor
from a2a.helpers import new_text_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.types import Message as Told
from a2a.types import Part, TaskState, TaskStatus, TaskStatusUpdateEvent
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from lawful.client import AsyncGuard, Blocked
from lawful.client.async_session import AsyncSession
from lawful.client.base import to_json

_SENDS: Final = {"send_message", "send_message_streaming"}
_HIDES: Final = {"raw", "url"}

Channel = Callable[[str, str], Awaitable[str]]


class ClientGuard(ClientCallInterceptor):
    """Has what a client sends and what it is answered judged in the session around the call."""

    def __init__(self, guard: AsyncGuard) -> None:
        self._guard = guard

    async def before(self, args: BeforeArgs) -> None:
        """Judges the message that is about to be sent.

        Raises:
            Blocked: it may not be.
        """
        if args.method in _SENDS:
            session = self._guard.current()
            await _judge(args.input.message, session, session.send, args.agent_card.name)

    async def after(self, args: AfterArgs) -> None:
        """Judges whatever an agent answers: a message, a task, or an update of one.

        Raises:
            Blocked: this agent may not see it.
        """
        if isinstance(args.result, Message):
            session = self._guard.current()
            await _judge(args.result, session, session.receive, args.agent_card.name)


class GuardedExecutor(AgentExecutor):
    """An agent whose requests and answers are judged. Get it by `guarded`."""

    def __init__(self, executor: AgentExecutor, session: Callable[[RequestContext], AsyncSession]) -> None:
        self._executor = executor
        self._session = session

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Runs the agent on what it may see; what it may not say ends the task as rejected."""
        session, caller = self._session(context), _caller(context)
        try:
            with session:
                if context.message is not None:
                    await _judge(context.message, session, session.receive, caller)
                await self._executor.execute(context, cast("EventQueue", _Judging(event_queue, session, caller)))
        except Blocked as blocked:
            await event_queue.enqueue_event(_rejected(context, blocked))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """As the agent's own; what it says then is judged too."""
        session = self._session(context)
        await self._executor.cancel(context, cast("EventQueue", _Judging(event_queue, session, _caller(context))))


class _Judging:
    """An event queue that takes what may be seen."""

    def __init__(self, queue: EventQueue, session: AsyncSession, caller: str) -> None:
        self._queue = queue
        self._session = session
        self._caller = caller

    async def enqueue_event(self, event: Any) -> None:
        """Puts it in, if it may be seen, as far as it may be."""
        judged = type(event)()
        judged.CopyFrom(event)
        await _judge(judged, self._session, self._session.send, self._caller)
        await self._queue.enqueue_event(judged)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)


def guarded(
    executor: AgentExecutor,
    guard: AsyncGuard,
    session: Callable[[RequestContext], AsyncSession] | None = None,
) -> GuardedExecutor:
    """The same agent behind a guard.

    Args:
        executor: the agent.
        guard: asks for verdicts.
        session: whom a request is about; by default nobody known, in a session of the request's context.
    """
    return GuardedExecutor(executor, session or (lambda context: guard.session(session_id=context.context_id)))


def _caller(context: RequestContext) -> str:
    return context.call_context.user.user_name or "a2a-client"


async def _judge(message: Message, session: AsyncSession, channel: Channel, agent: str) -> None:
    """Has all content in a message judged together, and leaves in it what may be seen.

    Raises:
        Blocked: nothing of it may.
    """
    pieces = list(_content(message))
    documents = [MessageToDict(piece) for piece in pieces]
    if any(
        _HIDES & document.keys() for document, piece in zip(documents, pieces, strict=True) if isinstance(piece, Part)
    ):
        raise session.unreadable(agent)
    if not pieces:
        return
    text = _only_text(documents) or to_json(documents)
    seen = await channel(agent, text)
    if seen == text:
        return
    passed = [{"text": seen}] if _only_text(documents) else json.loads(seen)
    for piece, document in zip(pieces, passed, strict=True):
        piece.Clear()
        ParseDict(document, piece)


def _only_text(documents: list[dict[str, Any]]) -> str:
    """The text, where that is all there is."""
    return documents[0]["text"] if len(documents) == 1 and documents[0].keys() == {"text"} else ""


def _content(message: Message) -> Iterator[Message]:
    """The parts and the metadata in a message, however deep; ids and states are none."""
    if isinstance(message, (Part, Struct)):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is not None:
            for each in value if field.is_repeated else [value]:
                yield from _content(each)


def _rejected(context: RequestContext, blocked: Blocked) -> TaskStatusUpdateEvent | Told:
    """The end of a task, or an answer where none has begun."""
    told = new_text_message(str(blocked), context_id=context.context_id, task_id=context.task_id)
    if context.current_task is None:
        return told
    status = TaskStatus(state=TaskState.TASK_STATE_REJECTED, message=told)
    return TaskStatusUpdateEvent(task_id=context.task_id, context_id=context.context_id, status=status)
