"""Records as they leave a stage: which topic, which key, which headers."""

from dataclasses import replace
from typing import Final

from lawful.schemas.audit import AuditRecord, DeadLetter
from lawful.schemas.codec import encode
from lawful.schemas.errors import MustBlock
from lawful.schemas.reply import reply_headers, reply_to, request_headers
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Decision, Partial, Verdict
from lawful.schemas.view import ReplyTo, View
from lawful.streams import kernel
from lawful.streams.effects import Effects, Record, Send
from lawful.streams.refusing import UNREADABLE, error

_SENDERS: Final = frozenset({"ConfigurationError", "MustBlock", "TooManyActs"})
"""Exceptions that a sender can cause at will (a tenant without a key, a reply address outside of the prefix,
too many acts at once): the event is blocked, but one sender must not be able to stop the workers."""


class Outgoing:
    """Turns what the kernel gives into records to send.

    Args:
        topics: names of the topics.
        reply_prefix: what a reply topic must begin with.
        max_bytes: a larger record is not sent.
    """

    def __init__(self, topics: Topics, reply_prefix: str, max_bytes: int) -> None:
        self._topics = topics
        self._reply_prefix = reply_prefix
        self._max_bytes = max_bytes

    def view(self, view: View) -> Send:
        """A view, for the judge stage of its subject's partition."""
        # A share that cannot be read later is answered by the combine stage's timeout.
        headers = tuple(request_headers(view.reply_to)) if view.reply_to and view.parts == 1 else ()
        return Send(self._topics.annotated, view.key.encode(), encode(view), headers)

    def emit(self, emitted: kernel.Emit) -> tuple[Send, ...]:
        """What the judge stage gives."""
        match emitted:
            case kernel.Redirect():
                return (self.view(emitted.view),)
            case Partial():
                return (Send(self._topics.partials, emitted.view.event_id.encode(), encode(emitted)),)
            case kernel.Answer():
                return self.answer(emitted)
            case kernel.Shred():
                return tuple(Send(self._topics.keys, name.encode(), b"", tombstone=True) for name in emitted.key_ids)

    def answer(self, answer: kernel.Answer) -> tuple[Send, ...]:
        """A verdict: to whoever waits, to the topic of all verdicts, and to the audit."""
        key, verdict, reply = answer.verdict.event_id.encode(), encode(answer.verdict), answer.reply_to
        sends = [
            Send(self._topics.verdicts, key, verdict),
            self.audit(answer.audit),
        ]
        if reply is not None:
            sends.insert(0, _reply(reply, key, verdict))
        return tuple(sends)

    def audit(self, record: AuditRecord) -> Send:
        """A row of the audit trail, in the order of its principal."""
        return Send(self._topics.audit, record.view.key.encode(), encode(record))

    def bounded(self, effects: Effects) -> Effects:
        """The effects, if every record is small enough to be sent; half an answer is none.

        Raises:
            MustBlock: one is too large.
        """
        sizes = [len(send.value) for send in effects.sends] + [len(put.value or b"") for put in effects.puts]
        if sizes and max(sizes) > self._max_bytes:
            raise MustBlock(f"it leads to a record of {max(sizes)} bytes, more than {self._max_bytes}")
        return effects

    def refusal(self, record: Record, reason: str, message: str) -> Effects:
        """One dead letter, and a block for whoever waits, if the headers say who."""
        reply = self.waiting(record)
        sends = [self.dead_letter(record, reason, message, answered=reply is not None)]
        if reply is not None:
            sends.append(_reply(reply, place_of(record).encode(), encode(_unreadable(record))))
        return Effects(sends=tuple(sends), refused=f"{reason}: {message}", letter=reason)

    def with_letter(self, effects: Effects, record: Record, fault: str) -> Effects:
        """The effects, and a dead letter if they block an event because our own code failed on it.

        Args:
            effects: what the record leads to.
            record: where it stands.
            fault: which exception it was; empty if there was none.
        """
        if not fault:
            return effects
        letter = self.dead_letter(record, "exception", fault, answered=True)
        counted = "" if fault in _SENDERS else f"exception: {fault}"
        return replace(effects, sends=(*effects.sends, letter), refused=counted, letter="exception")

    def waiting(self, record: Record) -> ReplyTo | None:
        """Where the record's verdict is awaited, if its headers say so and it is allowed."""
        try:
            return reply_to(record.headers, self._reply_prefix)
        except MustBlock:
            return None

    def dead_letter(self, record: Record, reason: str, message: str, *, answered: bool) -> Send:
        """Where a record stands that could not be handled, and why; its content is left out."""
        letter = DeadLetter(
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            reason=reason,
            error=message,
            size=len(record.value or b""),
            recorded_at=record.recorded_at,
            answered=answered,
        )
        return Send(self._topics.dead_letters, place_of(record).encode(), encode(letter))


def _reply(reply: ReplyTo, key: bytes, verdict: bytes) -> Send:
    return Send(reply.topic, key, verdict, tuple(reply_headers(reply)), reply.partition, courtesy=True)


def place_of(record: Record) -> str:
    """A record's place, as one word."""
    return f"{record.topic}/{record.partition}/{record.offset}"


def _unreadable(record: Record) -> Verdict:
    """A block of an event of which nothing is known but where it stands."""
    return Verdict(
        event_id=place_of(record),
        tenant_id="",
        decision=Decision.BLOCK,
        violations=(error(UNREADABLE),),
        policy_id="",
        policy_version="",
        policy_digest="",
        recorded_at=record.recorded_at,
    )
