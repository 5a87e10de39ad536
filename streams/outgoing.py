"""Records as they leave a stage: which topic, which key, which headers."""

from lawful.schemas.audit import DeadLetter
from lawful.schemas.codec import encode
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Decision, Partial, Verdict
from lawful.schemas.view import View
from lawful.streams import kernel
from lawful.streams.effects import Effects, Record, Send
from lawful.streams.refusing import UNREADABLE, error
from lawful.streams.replies import Replies


class Outgoing:
    """Turns what the kernel gives into records to send.

    Args:
        topics: names of the topics.
        replies: reads and writes reply headers.
        max_bytes: a larger record is not sent.
    """

    def __init__(self, topics: Topics, replies: Replies, max_bytes: int) -> None:
        self._topics = topics
        self._replies = replies
        self._max_bytes = max_bytes

    def view(self, view: View) -> Send:
        """A view, for the judge stage of its subject's partition."""
        # A share that cannot be read later is answered by the combine stage's timeout.
        headers = self._replies.forwarded(view.reply_to) if view.parts == 1 else ()
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

    def answer(self, answer: kernel.Answer) -> tuple[Send, ...]:
        """A verdict: to whoever waits, to the topic of all verdicts, and to the audit."""
        key, verdict, reply = answer.verdict.event_id.encode(), encode(answer.verdict), answer.reply_to
        sends = [
            Send(self._topics.verdicts, key, verdict),
            Send(self._topics.audit, answer.key.encode(), encode(answer.audit)),
        ]
        if reply is not None:
            headers = self._replies.headers(reply)
            sends.insert(0, Send(reply.topic, key, verdict, headers, reply.partition, courtesy=True))
        return tuple(sends)

    def bounded(self, effects: Effects) -> Effects:
        """The effects, if every record is small enough to be sent; half an answer is none.

        Raises:
            InvalidRecord: one is too large.
        """
        sizes = [len(send.value) for send in effects.sends] + [len(put.value or b"") for put in effects.puts]
        if sizes and max(sizes) > self._max_bytes:
            raise InvalidRecord(f"it leads to a record of {max(sizes)} bytes, more than {self._max_bytes}")
        return effects

    def refusal(self, record: Record, reason: str, message: str) -> Effects:
        """One dead letter, and a block for whoever waits, if the headers say who."""
        reply = self._replies.read(record.headers)
        sends = [self.dead_letter(record, reason, message, answered=reply is not None)]
        if reply is not None:
            verdict, headers = encode(_unreadable(record)), self._replies.headers(reply)
            sends.append(Send(reply.topic, None, verdict, headers, reply.partition, courtesy=True))
        return Effects(sends=tuple(sends), refused=f"{reason}: {message}")

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
