"""A session behind the two firewalls: what is judged, delivered and audited is what came through them.

The conversion happens before the event is made, so that what does not come through does not leave the process
either. What was dropped is written down as counts and codes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lawful.client.moves import Move, Moves, RecipientLike
from lawful.firewalls import Dropped, FirewallSession, Incoming, Outgoing
from lawful.schemas.event import AgentEvent, AgentMessage, Recipient, ToolCall, ToolResult

Note = Callable[[AgentEvent, str], None]


@dataclass(frozen=True, slots=True)
class WalledMoves(Moves):
    """Moves of a session with firewalls.

    Attributes:
        incoming: converts what other agents say; none: it passes as it is.
        outgoing: abstracts tools' results and structured messages; none: they pass as they are.
        to: whom the agent talks to, for what it reads.
        memory: what both remember of the session.
        note: writes down that something was dropped of an event.
    """

    incoming: Incoming | None
    outgoing: Outgoing | None
    to: Recipient
    memory: FirewallSession
    note: Note

    def receive(self, agent: str, text: str) -> Move[AgentMessage]:
        """What another agent says, as JSON of the protocol's value."""
        if self.incoming is None:
            return Moves.receive(self, agent, text)
        admitted = self.incoming.admit(text, self.memory)
        move = Moves.receive(self, agent, _json(dict(admitted.value)))
        return self._noted(move, "firewall_incoming", admitted.dropped)

    def send(self, to: RecipientLike, text: str, cause: str | None = None) -> Move[AgentMessage]:
        """What the agent says: records abstracted for this recipient, then opaque names restored."""
        move = Moves.send(self, to, "", cause)
        dropped: tuple[Dropped, ...] = ()
        if self.outgoing is not None and text.lstrip().startswith(("{", "[")):
            text, dropped = self._abstracted(text, move.event.recipient or self.to)
        payload = AgentMessage(self.memory.names.restore(text))
        return self._noted(replace(move, event=replace(move.event, payload=payload)), "firewall_outgoing", dropped)

    def result(self, call: Move[ToolCall], content: str) -> Move[ToolResult]:
        """What a tool gives back, abstracted; what is no JSON has no keys, so nothing of it passes."""
        if self.outgoing is None:
            return Moves.result(self, call, content)
        content, dropped = self._abstracted(content, self.to)
        return self._noted(Moves.result(self, call, content), "firewall_outgoing", dropped)

    def _abstracted(self, text: str, to: Recipient) -> tuple[str, tuple[Dropped, ...]]:
        if self.outgoing is None:
            return text, ()
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            return "", (Dropped("", "unreadable", 1),)
        released = self.outgoing.release(record, to, self.memory)
        return _json(released.record), released.withheld

    def _noted(self, move: Move[Any], which: str, dropped: tuple[Dropped, ...]) -> Move[Any]:
        if dropped:
            self.note(move.event, f"{which}:{_counts(dropped)}")
        return move


def _counts(dropped: tuple[Dropped, ...]) -> str:
    """Reasons with their counts: the audit need not know of which keys."""
    totals: dict[str, int] = {}
    for each in dropped:
        totals[each.reason] = totals.get(each.reason, 0) + each.count
    return ",".join(f"{reason}={count}" for reason, count in sorted(totals.items()))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
