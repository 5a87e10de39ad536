"""The guard that an agent's developer sees: ask before acting, deliver only what may be delivered.

```python
guard = Guard(transport, agent="shop-bot", policy="shopper")

@guard.tool(purposes=["order.support"])
def find_order(order_id: str) -> dict: ...

with guard.session(subject=("email", address)) as session:
    question = session.user(text)
    order = find_order(order_id="#W123")
    print(session.assistant(answer))
```
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Generic, Self, TypedDict, TypeVar, Unpack

from lawful.client.async_session import AsyncSession
from lawful.client.base import CURRENT, BaseSession, as_tool, decorator
from lawful.client.checking import Checker
from lawful.client.clock import now
from lawful.client.scope import IdentifierLike, Identity, Scope, identifiers
from lawful.client.session import Session
from lawful.client.settle import Settler
from lawful.client.transport import Transport
from lawful.schemas.event import AgentEvent, Micros, Payload
from lawful.schemas.ids import uuid7
from lawful.schemas.verdict import Verdict

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S", bound=BaseSession)


class SessionDetails(TypedDict, total=False):
    """What a session may say about itself.

    Attributes:
        subject: the principal's identifier, as `(scheme, value)`.
        subjects: further people whom the session concerns.
        purposes: what the agent processes data for.
        policy: the policy's id; by default the guard's.
        session_id: by default a new one.
        task_id: a task across sessions.
    """

    subject: IdentifierLike | None
    subjects: Iterable[IdentifierLike]
    purposes: Iterable[str]
    policy: str | None
    session_id: str | None
    task_id: str | None


class _BaseGuard(Generic[S]):
    """What both guards are made of.

    Args:
        transport: the way to the verdicts; the guard closes it when it is closed.
        agent: this agent's id.
        tenant: whose pseudonym key and policies apply.
        policy: the policy's id; `None` takes the workers' default.
        source: URI of the agent runtime.
        agent_version: for the audit.
        deadline_ms: how long to wait for a verdict. None by then: block.
        clock: the time, in microseconds.
        new_id: makes event, call and session ids.
    """

    _session_class: type[S]

    def __init__(  # noqa: PLR0913 - the parts of an identity, all but one with defaults
        self,
        transport: Transport,
        *,
        agent: str,
        tenant: str = "default",
        policy: str | None = None,
        source: str = "urn:lawful:agent",
        agent_version: str | None = None,
        deadline_ms: int = 5_000,
        clock: Callable[[], Micros] = now,
        new_id: Callable[[], str] = uuid7,
    ) -> None:
        self._transport = transport
        self._identity = Identity(
            tenant_id=tenant,
            agent_id=agent,
            source=source,
            policy_id=policy,
            agent_version=agent_version,
            deadline_ms=deadline_ms,
            clock=clock,
            new_id=new_id,
        )
        self._settler = Settler(transport, clock)
        self._checker = Checker(transport, self._settler, deadline_ms)

    def session(self, **details: Unpack[SessionDetails]) -> S:
        """A conversation. In a `with` block, the guard's own tools belong to it."""
        return self._session_class(self._scope(details), self._checker, self._settler)

    def tool(
        self, name: str | None = None, *, purposes: Iterable[str] | None = None, schema: Mapping[str, Any] | None = None
    ) -> Callable[[F], F]:
        """Makes each call of a function a guarded tool call of the session around it.

        Outside of a session, the call concerns nobody known. See `BaseSession.tool`.
        """
        template = as_tool(name, purposes, schema)
        return decorator(
            lambda: CURRENT.get() or self.session(), template, always_async=self._session_class.always_async
        )

    def current(self) -> S:
        """The session whose `with` block this runs in; outside of any, a new one that concerns nobody known.

        Raises:
            TypeError: that session is of the other kind of guard, and would have to be waited for otherwise.
        """
        around = CURRENT.get()
        if around is None:
            return self.session()
        if not isinstance(around, self._session_class):
            raise TypeError(
                f"this session is a {type(around).__name__}, the guard needs {self._session_class.__name__}"
            )
        return around

    def publish(
        self,
        payload: Payload,
        *,
        agent: str | None = None,
        traceparent: str | None = None,
        **details: Unpack[SessionDetails],
    ) -> "Future[Verdict]":
        """Has something judged and audited that has happened already; nobody waits, nothing is stopped.

        Args:
            payload: what happened.
            agent: who did it; by default this guard's agent.
            traceparent: W3C trace context of it.
            details: as of a session.
        """
        event = self._event(payload, details)
        return self._transport.submit(replace(event, agent_id=agent or event.agent_id, traceparent=traceparent))

    def _event(self, what: AgentEvent | Payload, details: SessionDetails) -> AgentEvent:
        return what if isinstance(what, AgentEvent) else self._scope(details).event(what)

    def _scope(self, details: SessionDetails) -> Scope:
        principal = details.get("subject")
        people = ([] if principal is None else [principal]) + list(details.get("subjects", ()))
        return Scope(
            identity=self._identity,
            session_id=details.get("session_id") or self._identity.new_id(),
            subjects=identifiers(people),
            purposes=tuple(details.get("purposes", ())),
            policy_id=details.get("policy"),
            task_id=details.get("task_id"),
        )


class Guard(_BaseGuard[Session]):
    """The guard for threads."""

    _session_class = Session

    def check(self, what: AgentEvent | Payload, **details: Unpack[SessionDetails]) -> Verdict:
        """The verdict on an event, or on a payload in a session of its own.

        Never raises for a block, and never fails to answer: no verdict by the deadline is a block
        with the reason `no_verdict`. What may be delivered is `obligations.apply(payload, verdict)`.
        """
        return self._checker.check(self._event(what, details))

    def close(self) -> None:
        """Closes the transport."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncGuard(_BaseGuard[AsyncSession]):
    """The guard for coroutines. Its tools are awaited, also those made from plain functions."""

    _session_class = AsyncSession

    async def check(self, what: AgentEvent | Payload, **details: Unpack[SessionDetails]) -> Verdict:
        """As `Guard.check`, without holding up the event loop."""
        return await self._checker.check_async(self._event(what, details))

    async def close(self) -> None:
        """Closes the transport."""
        await asyncio.to_thread(self._transport.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
