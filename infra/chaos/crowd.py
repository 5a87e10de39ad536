"""The events of a chaos run: everyday life of a hundred people, told by agents, from a seed.

Consents, withdrawals, erasures and links are many and texts few: what is put to the test is order and
memory, not the finding of names. Now and then a producer publishes an event a second time.
"""

import json
from collections.abc import Iterator
from random import Random

from lawful.schemas.event import (
    AgentEvent,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    Payload,
    RequestKind,
    ToolCall,
    UserMessage,
)

TENANT = "chaos"
HANGS = "a text on which a detector hangs"
"""Found in an event's text, it makes a detector of `lawful.infra.chaos.hanging` hang."""

_DAY = 86_400_000_000
_BEGIN = 1_700_000_000_000_000
_SENTENCES = ("Where is my order?", "Please call me back.", "It came broken.", "Thank you, that is all.")


class Crowd:
    """Makes events.

    Args:
        seed: the same seed, the same events.
        people: how many people there are.
        tenant: whose they are.
        family: so many of them may be told to be one and the same; all of them if it is 0, so that in
            the end every event concerns everybody.
    """

    def __init__(self, seed: int, people: int = 100, tenant: str = TENANT, family: int = 0) -> None:
        self._draw = Random(seed)  # noqa: S311 - reproducible, and no secret
        self._everyone = tuple(Identifier("email", f"person{number}@example.com") for number in range(people))
        self._tenant = tenant
        self._family = family
        self._seed = seed
        self._number = 0

    def events(self, count: int, hanging: int = 0) -> Iterator[AgentEvent]:
        """So many different events, some of them more than once.

        Args:
            count: different events.
            hanging: so many of them have a text on which a detector hangs.
        """
        hangs = set(self._draw.sample(range(count), hanging))
        last: list[AgentEvent] = []
        for place in range(count):
            event = self._event(UserMessage(HANGS) if place in hangs else self._payload())
            yield event
            last = [*last[-20:], event]
            if self._draw.random() < 0.02:  # noqa: PLR2004 - a producer's retry
                yield self._draw.choice(last)

    def _event(self, payload: Payload) -> AgentEvent:
        who = (self._anyone(), self._anyone()) if self._draw.random() < 0.1 else (self._anyone(),)  # noqa: PLR2004
        if self._family and isinstance(payload, IdentityLinked):
            who = (self._relative(payload.identifiers[0]),)
        self._number += 1
        return AgentEvent(
            event_id=f"{self._seed & 0xFFFFFFFF:08x}-c4a0-7000-8000-{self._number:012x}",
            occurred_at=_BEGIN + self._draw.randrange(-30, 30) * _DAY,  # agents' clocks say anything
            tenant_id=self._tenant,
            source="urn:lawful:chaos",
            agent_id=f"agent-{self._draw.randrange(8)}",
            session_id=f"session-{self._draw.randrange(1_000)}",
            subjects=tuple(dict.fromkeys(who)),
            payload=payload,
        )

    def _payload(self) -> Payload:
        kind = self._draw.random()
        if kind < 0.12:  # noqa: PLR2004 - shares of a day
            return ConsentGiven(("marketing.communications",), re_enrols=self._draw.random() < 0.4)  # noqa: PLR2004
        if kind < 0.20:  # noqa: PLR2004
            return ConsentWithdrawn(("marketing.communications",))
        if kind < 0.22:  # noqa: PLR2004
            return DataSubjectRequest(RequestKind.ERASURE, f"request-{self._number}")
        if kind < 0.225:  # noqa: PLR2004
            return IdentityLinked((self._anyone(),))
        if kind < 0.55:  # noqa: PLR2004
            return _call("send_marketing_email", to=self._anyone().value, body=self._draw.choice(_SENTENCES))
        if kind < 0.7:  # noqa: PLR2004
            return _call("find_user_id_by_email", email=self._anyone().value)
        if kind < 0.75:  # noqa: PLR2004
            return UserMessage(f"Ask {self._anyone().value}.")
        return UserMessage(self._draw.choice(_SENTENCES))

    def _anyone(self) -> Identifier:
        return self._everyone[self._draw.randrange(len(self._everyone))]

    def _relative(self, of: Identifier) -> Identifier:
        first = self._everyone.index(of) // self._family * self._family
        return self._draw.choice(self._everyone[first : first + self._family])


def _call(tool: str, **arguments: str) -> ToolCall:
    return ToolCall(tool, "call", json.dumps(arguments))
