"""What becomes of an outbox record: read it, ask about each recipient's event, deliver or tell its sender.

Nothing here knows Kafka but for names of topics. A verdict is applied by the guard's own code, so what
arrives in an inbox is what a guard would have delivered.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from lawful.client.blocked import Blocked, local_block
from lawful.client.moves import Move
from lawful.client.reports import without_people
from lawful.client.settle import Settler, came
from lawful.client.transport import Transport
from lawful.infra.gateway.addresses import recipients_of
from lawful.infra.gateway.envelope import enveloped
from lawful.infra.gateway.fanout import legs_of
from lawful.infra.gateway.passage import Asked, Outcome, Passage
from lawful.schemas.codec import Codec
from lawful.schemas.errors import InvalidRecord, LawfulError, MustBlock
from lawful.schemas.event import AgentEvent, Payload, Recipient, RecipientKind
from lawful.schemas.inboxes import inbox_of
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.reply import reply_headers, reply_to
from lawful.schemas.topics import MAX_MESSAGE_BYTES, Topics
from lawful.schemas.verdict import Decision, Verdict
from lawful.schemas.view import ReplyTo
from lawful.streams.concerns import SubjectPayload
from lawful.streams.effects import Headers, Record, Send
from lawful.streams.outgoing import Outgoing

NO_RECIPIENT: Final = "no_recipient"
NO_INBOX: Final = "no_inbox"
_TOO_LARGE: Final = "too_large"
_MESSAGES: Final = {
    NO_RECIPIENT: "nobody is named who could get this; set the event's recipient, or the header 'recipients'",
    NO_INBOX: "the recipient has no inbox; have it created: lawful topics inbox KIND:ID",
    _TOO_LARGE: "what would be delivered is larger than a record may be; send less at once",
}


class Topography(Protocol):
    """Which topics there are."""

    def has(self, topic: str, partition: int | None = None, /) -> bool:
        """Whether a topic is there, and has this partition."""
        ...

    def has_inbox(self, topic: str, /) -> bool:
        """Whether an inbox is there, or has just been made."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Opens and closes passages.

    Attributes:
        transport: the way to verdicts, and for reports of what was blocked for want of one.
        people: gives pseudonyms.
        deadline_ms: how long a verdict is waited for at the most; an event may ask for less.
        directory: which topics there are.
        schema_of: the tool's JSON Schema of a call, where the policy has one.
        clock: monotonic seconds.
        max_bytes: what is larger cannot be delivered.
    """

    transport: Transport
    settler: Settler
    people: Pseudonymiser
    topics: Topics
    reply_prefix: str
    deadline_ms: int
    directory: "Topography"
    schema_of: Callable[[AgentEvent], Mapping[str, Any] | None]
    clock: Callable[[], float]
    codec: Codec
    max_bytes: int = MAX_MESSAGE_BYTES - 65_536

    def open(self, record: Record) -> Passage:
        """Reads a record and asks for the verdicts on its events. Never raises for what a record holds."""
        try:
            event = self.codec.decode(record.value or b"", AgentEvent)
        except InvalidRecord as error:
            return Passage(record, refused=self._unreadable(record, "undecodable", str(error)))
        try:
            reply_to(record.headers, self.reply_prefix)
            legs = legs_of(event, recipients_of(event, record.headers))
        except (InvalidRecord, MustBlock) as error:
            refused = self._unreadable(record, "unaddressed", str(error))
            notice = self._notice(record, event, self._refusal(event, NO_RECIPIENT, record), "")
            return Passage(record, refused=replace(refused, sends=(*refused.sends, *notice)))
        return Passage(record, tuple(self._ask(leg, record) for leg in legs))

    def close(self, passage: Passage) -> Outcome:
        """What a settled passage leads to; worked out once."""
        if passage.outcome is None:
            passage.outcome = passage.refused or self._outcome(passage)
        return passage.outcome

    def without(self, passage: Passage, refused: frozenset[Send]) -> Outcome:
        """The outcome without records that their topics do not take; a dead letter tells of one that mattered."""
        before = self.close(passage)
        sends = [send for send in before.sends if send not in refused]
        if any(not send.courtesy for send in before.sends if send in refused):
            out = Outgoing(self.topics, self.reply_prefix, MAX_MESSAGE_BYTES)
            message = "the inbox did not take it: is the topic there, with the limits of `lawful topics list`?"
            sends.append(out.dead_letter(passage.record, "undeliverable", message, answered=False))
        return replace(before, sends=tuple(sends))

    def _ask(self, event: AgentEvent, record: Record) -> Asked:
        now = self.clock()
        inbox = "" if event.recipient is None else self._inbox(event, event.recipient)
        wait = self.deadline_ms if event.deadline_ms is None else min(max(event.deadline_ms, 0), self.deadline_ms)
        asked = Asked(event, inbox, self._refusal(event, NO_RECIPIENT, record), None, now, now + wait / 1_000)
        if not inbox and not isinstance(event.payload, SubjectPayload):
            self.settler.stop(event, NO_RECIPIENT)
            return asked
        if inbox and not self.directory.has_inbox(inbox):
            self.settler.stop(event, NO_INBOX)
            return replace(asked, verdict=self._refusal(event, NO_INBOX, record))
        return replace(asked, verdict=self._submit(event), schema=self.schema_of(event))

    def _submit(self, event: AgentEvent) -> "Future[Verdict] | Verdict":
        try:
            return self.transport.submit(event)
        except LawfulError as error:
            return self.settler.give_up(event, None, type(error).__name__, 0)

    def _outcome(self, passage: Passage) -> Outcome:
        sends: list[Send] = []
        decisions: list[Decision] = []
        for each in passage.asked:
            verdict = self._verdict(each)
            delivered, verdict = self._deliver(each, verdict, passage.record)
            blocked = verdict.decision is Decision.BLOCK
            if delivered is not None and not blocked:
                sends.append(delivered)
            if blocked or delivered is None or self._waits(passage.record):
                sends += self._notice(passage.record, each.event, verdict, each.inbox)
            decisions.append(verdict.decision)
        return Outcome(tuple(sends), tuple(decisions))

    def _verdict(self, asked: Asked) -> Verdict:
        """The answer; a block, written down, if none came."""
        if isinstance(asked.verdict, Verdict):
            return asked.verdict
        waited = round((self.clock() - asked.since) * 1_000)
        if not asked.verdict.done():
            return self.settler.give_up(asked.event, asked.verdict, "deadline", waited)
        answer = came(asked.verdict)
        return answer or self.settler.give_up(asked.event, None, _failure(asked.verdict), waited)

    def _deliver(self, asked: Asked, verdict: Verdict, record: Record) -> tuple[Send | None, Verdict]:
        """The record for the inbox, if there is to be one; and the verdict, or the block that took its place."""
        move: Move[Payload] = Move(asked.event, asked.schema)
        try:
            payload = self.settler.deliverable(move, verdict)
            if not asked.inbox:
                return None, verdict
            value = self.codec.encode(enveloped(asked.event, payload, self.people))
            if len(value) > self.max_bytes:
                raise self.settler.stop(asked.event, _TOO_LARGE)
        except Blocked as blocked:
            return None, blocked.verdict
        session = self.people.of_session(asked.event.tenant_id, asked.event.session_id)
        headers = self._headers(asked.event, verdict, record, "AgentEvent")
        return Send(asked.inbox, session.encode(), value, headers), verdict

    def _notice(self, record: Record, event: AgentEvent, verdict: Verdict, inbox: str) -> tuple[Send, ...]:
        """The verdict, for the sender: where its record says, else in its own inbox, if it has one."""
        headers = self._headers(event, verdict, record, "Verdict")
        if inbox:
            headers = (*headers, ("inbox", inbox.encode()))
        value, key = self.codec.encode(verdict), verdict.event_id.encode()
        reply = self._reply(record)
        if reply is not None:
            if not self._takes(reply):
                return ()
            return (Send(reply.topic, key, value, (*headers, *reply_headers(reply)), reply.partition, courtesy=True),)
        own = self._inbox(event, Recipient(RecipientKind.AGENT, event.agent_id))
        return (Send(own, key, value, headers, courtesy=True),) if self.directory.has_inbox(own) else ()

    def _headers(self, event: AgentEvent, verdict: Verdict, record: Record, what: str) -> Headers:
        """What lets a recipient tell records apart without decoding them, and drop one that comes twice."""
        place = f"{record.topic}/{record.partition}/{record.offset}"
        return (
            ("record", what.encode()),
            ("event_id", without_people(event.event_id, event).encode()),
            ("decision", verdict.decision.word.encode()),
            ("outbox_place", place.encode()),
        )

    def _waits(self, record: Record) -> bool:
        return self._reply(record) is not None

    def _reply(self, record: Record) -> ReplyTo | None:
        try:
            return reply_to(record.headers, self.reply_prefix)
        except MustBlock:
            return None

    def _takes(self, reply: ReplyTo) -> bool:
        try:
            return self.directory.has(reply.topic, reply.partition)
        except LawfulError:
            return False

    def _inbox(self, event: AgentEvent, recipient: Recipient) -> str:
        return inbox_of(self.topics, self.people, event.tenant_id, recipient)

    def _refusal(self, event: AgentEvent, reason: str, record: Record) -> Verdict:
        event_id = without_people(event.event_id, event)
        return local_block(event_id, event.tenant_id, reason, _MESSAGES[reason], record.recorded_at)

    def _unreadable(self, record: Record, reason: str, message: str) -> Outcome:
        """One dead letter, and a block for whoever waits, if the headers say who."""
        out = Outgoing(self.topics, self.reply_prefix, MAX_MESSAGE_BYTES)
        effects = out.refusal(record, reason, message)
        return Outcome(effects.sends, (Decision.BLOCK,), unreadable=True)


def _failure(future: "Future[Verdict]") -> str:
    error = None if future.cancelled() else future.exception()
    return type(error).__name__ if error else "CancelledError"
