"""The three stages' steps: decode, call the kernel, encode.

Each step keeps in memory only what can be recalled from the log or the rows. Whatever fails
inside becomes one dead letter and, where somebody can be told, a block (acceptance A25, A30).
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from lawful.extractors.port import Job
from lawful.policies.auditing import Brief
from lawful.policies.judge import At
from lawful.policies.rules.memory import RuleMemory
from lawful.schemas.codec import decode, decode_either, encode
from lawful.schemas.errors import InvalidRecord, LawfulError, MustBlock
from lawful.schemas.event import AgentEvent, Micros
from lawful.schemas.history import LinkFact
from lawful.schemas.reply import reply_to
from lawful.schemas.sealed import Erased, SealedEvent
from lawful.schemas.state import LinkRow, Pending
from lawful.schemas.topics import MAX_MESSAGE_BYTES, Topics
from lawful.schemas.verdict import Partial
from lawful.schemas.view import ReplyTo, SourcePosition, View
from lawful.streams import kernel
from lawful.streams.annotate import asked
from lawful.streams.auditing import Panel, auditable, put_before
from lawful.streams.effects import Effects, Later, Put, Record, Rows, Send
from lawful.streams.foresight import Foresight
from lawful.streams.observing import Note
from lawful.streams.outgoing import Outgoing
from lawful.streams.recent import Firsts, Histories
from lawful.streams.sameness import First, substance
from lawful.streams.second_opinion import SecondOpinion

log = logging.getLogger(__name__)
T = TypeVar("T")
U = TypeVar("U", bound=object)

HISTORY, LINK, PENDING = b"h", b"l", b"p"
"""First byte of a row's key: what kind of row it is."""


@dataclass(frozen=True, slots=True)
class StepDeps:
    """What steps need: the kernel's parts, names of topics, and the clock's limits.

    Attributes:
        reply_prefix: what reply topics must begin with.
        recent: how many records per partition duplicates are recognised in.
        combine_timeout: how long a share waits for the others.
        retention: how long an answered event's row stays, so that late shares do not answer again.
        max_bytes: a record larger than this cannot be published.
        second_opinion: the other judges, for a sample of events.
        panel: auditors of the heavy tier; `None`: there are none.
    """

    kernel: kernel.Kernel
    topics: Topics
    reply_prefix: str
    recent: int = 4096
    combine_timeout: Micros = 10_000_000
    retention: Micros = 600_000_000
    max_bytes: int = MAX_MESSAGE_BYTES - 65_536
    second_opinion: SecondOpinion = field(default_factory=lambda: SecondOpinion(0.0))
    panel: Panel | None = None


class AnnotateStep:
    """`lawful.events` to `lawful.annotated`: one view per person."""

    looks_back = 0

    def __init__(self, deps: StepDeps) -> None:
        self._deps = deps
        self._out = Outgoing(deps.topics, deps.reply_prefix, deps.max_bytes)

    def __call__(self, record: Record, rows: Rows) -> Effects:
        """The views of an event; if they cannot be had, one that can only be blocked."""
        return guarded(AgentEvent, record, self._out, self._views, self._blocked, SealedEvent)

    def _views(self, event: AgentEvent | SealedEvent, record: Record) -> Effects:
        source = self._source(record, reply_to(record.headers, self._deps.reply_prefix))
        if isinstance(event, SealedEvent):
            opened, source = self._opened(event, record), replace(source, key_id=event.key_id)
        else:
            opened = event
        if isinstance(opened, Erased):
            return Effects(sends=(self._out.view(kernel.erased(opened, source)),))
        views = kernel.annotate(opened, source, self._deps.kernel)
        sends = tuple(self._out.view(view) for view in views)
        effects = Effects(sends=sends, notes=(Note(views[0]),))
        return self._out.with_letter(effects, record, kernel.failure(views[0]))

    def _opened(self, event: SealedEvent, record: Record) -> AgentEvent | Erased:
        opener = self._deps.kernel.opener
        if opener is None:
            raise MustBlock("a guard has sealed this event, and this worker has no payload key")
        return opener.open(event, record.recorded_at)

    def _blocked(self, event: AgentEvent | SealedEvent, record: Record, reason: str) -> Effects:
        source = self._source(record, self._out.waiting(record))
        view = kernel.unannotated(event, source, reason)
        return Effects(sends=(self._out.view(view),), notes=(Note(view),))

    @property
    def works_ahead(self) -> bool:
        """Where the extractor can read many events at once."""
        return isinstance(self._deps.kernel.extractor, Foresight)

    def ahead(self, records: Sequence[Record]) -> None:
        """Has the content of several events read at once."""
        extractor = self._deps.kernel.extractor
        if isinstance(extractor, Foresight):
            # Whatever fails here fails again in its turn, where it can be told of one event.
            with suppress(Exception):
                extractor.look(list(self._jobs(records)))

    def _jobs(self, records: Sequence[Record]) -> Iterator[Job]:
        for record in records:
            with suppress(InvalidRecord, MustBlock):
                event = read(record, AgentEvent, SealedEvent)
                opened = self._opened(event, record) if isinstance(event, SealedEvent) else event
                spec = None if isinstance(opened, Erased) else asked(opened, self._deps.kernel)
                if spec is not None and not isinstance(opened, Erased):
                    yield opened, spec

    def _source(self, record: Record, reply: ReplyTo | None) -> kernel.SourceRecord:
        place = SourcePosition(record.topic, record.partition, record.offset)
        return kernel.SourceRecord(place, record.recorded_at, reply)

    def begin(self, partition: int, rows: Iterable[tuple[bytes, bytes]]) -> Micros:
        """Nothing is kept."""
        return 0

    def recall(self, record: Record) -> None:
        """Nothing is kept."""

    def overdue(self, partition: int, now: Micros, rows: Rows) -> Iterable[tuple[Effects, Effects]]:
        """Nothing waits."""
        return ()


class JudgeStep:
    """`lawful.annotated` to verdicts, partials and redirects; rows are histories and links."""

    def __init__(self, deps: StepDeps) -> None:
        self._deps = deps
        self._out = Outgoing(deps.topics, deps.reply_prefix, deps.max_bytes)
        self._firsts: dict[int, Firsts] = {}
        self._memory = RuleMemory()
        self._histories = Histories()
        self.looks_back = deps.recent

    def __call__(self, record: Record, rows: Rows) -> Effects:
        """The answer to a view, and its subject's row from now on."""

        def judge(view: View, record: Record) -> Effects:
            return self._judge(view, record, rows)

        return guarded(View, record, self._out, judge, self._blocked)

    def _judge(self, view: View, record: Record, rows: Rows) -> Effects:
        at, first = self._first(view, record)
        before = _subject(view.key, rows, self._histories)
        done = kernel.step(view, at, before, self._deps.kernel.policies, first, self._memory, self._deps.kernel.denier)
        audited = self._audited(view, first.at, before)
        waiting = [audited(emit) for emit in done.emit]
        sends = [s for emit, late in zip(done.emit, waiting, strict=True) if late is None for s in self._out.emit(emit)]
        sends += self._second_opinions(view, first.at, before, done)
        faults = [kernel.fault(emit.verdict) for emit in done.emit if isinstance(emit, kernel.Answer | Partial)]
        notes = tuple(_note(emit) for emit in done.emit if not isinstance(emit, kernel.Shred))
        puts = _changes(view.key, before, done.row, self._histories)
        effects = Effects(puts, tuple(sends), notes=notes, later=tuple(filter(None, waiting)))
        return self._out.with_letter(effects, record, next(filter(None, faults), ""))

    def _audited(self, view: View, at: At, before: kernel.SubjectRow) -> Callable[[kernel.Emit], Later | None]:
        """Puts a share before the auditors, if they have a say; what it gives is published once they have spoken."""
        panel, policy = self._deps.panel, self._deps.kernel.policies.get(view.policy_id)
        if panel is None or policy is None or not view.heavy or view.parted:
            return lambda _: None
        history = kernel.seat_of(before, view.key, view.origin or view.key, at.offset).history

        def put(emit: kernel.Emit) -> Later | None:
            if not isinstance(emit, Partial) or not auditable(emit.view, emit.verdict):
                return None
            return put_before(panel, Brief(emit.view, at, history, policy, emit.verdict), emit, self._out)

        return put

    def _second_opinions(self, view: View, first: At, before: kernel.SubjectRow, done: kernel.Step) -> Iterable[Send]:
        """What the audit is to know of judges who disagree about the verdict just given."""
        second = self._deps.second_opinion
        if not second.wants(view) or view.parted or isinstance(view.fact, LinkFact):
            return
        seat = kernel.seat_of(before, view.key, view.origin or view.key, first.offset)
        seen = seat.seen(replace(view, recorded_at=first.recorded_at))
        policy = self._deps.kernel.policies.get(view.policy_id)
        for emit in done.emit:
            if not isinstance(emit, kernel.Answer | Partial):
                continue
            judged = emit.audit.view if isinstance(emit, kernel.Answer) else emit.view
            # As it was judged: with what it inherited.
            seen = replace(seen, findings=judged.findings, purposes=judged.purposes)
            record = second.on(seen, first, seat.history, policy, emit.verdict)
            if record is not None:
                yield self._out.audit(record)

    def _blocked(self, view: View, record: Record, reason: str) -> Effects:
        if view.acted is not None:
            return Effects()  # its event is answered already
        at, first = self._first(view, record)
        bare = replace(view, findings=(), fact=None, acts=(), heavy=first.heavy)
        verdict = kernel.refused(bare, at, reason, None)
        share = Partial(view=bare, verdict=verdict) if bare.shared else kernel.answer((bare,), verdict)
        return Effects(sends=self._out.emit(share), notes=(_note(share),))

    def _first(self, view: View, record: Record) -> tuple[At, First]:
        at = At(record.topic, record.partition, record.offset, view.recorded_at)
        firsts = self._firsts.setdefault(record.partition, Firsts(self._deps.recent))
        return at, firsts.of((view.event_id, view.key, view.part), First(at, substance(view), view.heavy))

    def begin(self, partition: int, rows: Iterable[tuple[bytes, bytes]]) -> Micros:
        """Forgets what was recent."""
        self._firsts[partition] = Firsts(self._deps.recent)
        return 0

    def recall(self, record: Record) -> None:
        """Remembers where a view stood, so that its duplicates are known."""
        try:
            self._first(read(record, View), record)
        except InvalidRecord:
            log.debug("%s/%s@%s cannot be recalled", record.topic, record.partition, record.offset)

    def overdue(self, partition: int, now: Micros, rows: Rows) -> Iterable[tuple[Effects, Effects]]:
        """Nothing waits."""
        return ()


def _subject(key: str, rows: Rows, histories: Histories) -> kernel.SubjectRow:
    name = key.encode()
    history, link = rows.get(HISTORY + name), rows.get(LINK + name)
    return kernel.SubjectRow(histories.read(name, history), None if link is None else decode(link, LinkRow))


def _changes(key: str, before: kernel.SubjectRow, after: kernel.SubjectRow, histories: Histories) -> tuple[Put, ...]:
    """Only what changed; facts, not every event, make rows grow."""
    name, puts = key.encode(), []
    old, new = before.history, after.history
    if new is not old and new != old:
        puts.append(Put(HISTORY + name, histories.write(name, new)))
    if after.link is not None and after.link != before.link:
        puts.append(Put(LINK + name, encode(after.link)))
    return tuple(puts)


def _note(emitted: kernel.Answer | Partial | kernel.Redirect) -> Note:
    """What an observer is told of it."""
    if isinstance(emitted, kernel.Answer):
        return Note(emitted.audit.view, emitted.verdict)
    return Note(emitted.view)


def read(record: Record, expect: type[T], also: type[U] | None = None) -> T | U:
    """The record's value: of one class, or of another.

    Raises:
        InvalidRecord: it has none, or it is no such thing.
    """
    if record.value is None:
        raise InvalidRecord("the record has no value")
    return decode(record.value, expect) if also is None else decode_either(record.value, expect, also)


Do = Callable[[T, Record], Effects]
Block = Callable[[T, Record, str], Effects]


def guarded(  # noqa: PLR0913, PLR0917 - a step and what surrounds it
    expect: type[T],
    record: Record,
    out: Outgoing,
    do: "Do[Any]",
    block: "Block[Any]",
    also: type[U] | None = None,
) -> Effects:
    """Runs a step on a record's value. What goes wrong becomes one dead letter and a block.

    Args:
        expect: what the value should be.
        record: where it stands.
        out: writes dead letters.
        do: the step.
        block: what to answer when the value can be read but the step fails.
        also: what else the value may be.
    """
    try:
        value = read(record, expect, also)
    except InvalidRecord as error:
        return out.refusal(record, "undecodable", str(error))
    try:
        return out.bounded(do(value, record))
    except Exception as error:  # noqa: BLE001 - Faust would pass over the record (acceptance A25)
        # No traceback: its last line may quote content.
        reason = str(error) if isinstance(error, LawfulError) else type(error).__name__
        log.error("%s/%s@%s: %s", record.topic, record.partition, record.offset, reason)  # noqa: TRY400
        blocked = block(value, record, type(error).__name__)
        letter = out.dead_letter(record, "exception", reason, answered=True)
        # What a sender can cause at will does not count towards stopping everybody's worker.
        counted = "" if isinstance(error, MustBlock) else f"exception: {reason}"
        return Effects(sends=(*blocked.sends, letter), refused=counted, letter="exception", notes=blocked.notes)


class CombineStep:
    """`lawful.partials` to verdicts; rows are the shares that have arrived."""

    looks_back = 0

    def __init__(self, deps: StepDeps) -> None:
        self._deps = deps
        self._out = Outgoing(deps.topics, deps.reply_prefix, deps.max_bytes)
        self._open: dict[int, dict[bytes, Micros]] = {}
        self._done: dict[int, dict[bytes, Micros]] = {}

    def __call__(self, record: Record, rows: Rows) -> Effects:
        """The event's answer, if this share is the last one."""

        def combine(partial: Partial, record: Record) -> Effects:
            return self._combine(partial, record, rows)

        return guarded(Partial, record, self._out, combine, self._blocked)

    def _combine(self, partial: Partial, record: Record, rows: Rows) -> Effects:
        key = PENDING + partial.view.event_id.encode()
        raw = rows.get(key)
        before = None if raw is None else decode(raw, Pending)
        after, answer = kernel.combine_step(partial, record.offset, before, record.recorded_at)
        self._note(record.partition, key, after)
        puts = () if after == before else (Put(key, encode(after)),)
        if answer is None:
            return Effects(puts, notes=(Note(partial.view),))
        # First what was done, then the answer: whoever acts on it is to find it in the past.
        told = [self._out.view(view) for view in kernel.learnt(after, record.offset, (answer,))]
        return Effects(puts, (*told, *self._out.answer(answer)), notes=(_note(answer),))

    def _blocked(self, partial: Partial, record: Record, reason: str) -> Effects:
        bare = replace(partial.view, findings=(), fact=None)
        answer = kernel.answer((bare,), kernel.refused(bare, None, reason, None))
        return Effects(sends=self._out.answer(answer), notes=(_note(answer),))

    def _note(self, partition: int, key: bytes, row: Pending) -> None:
        waiting, done = self._open.setdefault(partition, {}), self._done.setdefault(partition, {})
        if row.done_at is None:
            waiting.setdefault(key, row.first_seen)
        else:
            waiting.pop(key, None)
            done.setdefault(key, row.done_at)

    def begin(self, partition: int, rows: Iterable[tuple[bytes, bytes]]) -> Micros:
        """Knows again what waits."""
        self._open[partition], self._done[partition] = {}, {}
        for key, value in rows:
            if key.startswith(PENDING):
                self._note(partition, key, decode(value, Pending))
        return max((*self._open[partition].values(), *self._done[partition].values()), default=0)

    def recall(self, record: Record) -> None:
        """The rows hold it all."""

    def overdue(self, partition: int, now: Micros, rows: Rows) -> Iterable[tuple[Effects, Effects]]:
        """Blocks events whose shares are missing for too long, and sweeps rows that nobody needs."""
        yield from self._expired(partition, now, rows)
        done = self._done.get(partition, {})
        gone = [key for key, at in done.items() if now - at > self._deps.retention]
        for key in gone:
            del done[key]
            yield Effects((Put(key, None),)), Effects()

    def _expired(self, partition: int, now: Micros, rows: Rows) -> Iterable[tuple[Effects, Effects]]:
        waiting = self._open.get(partition, {})
        for key in [key for key, since in waiting.items() if now - since > self._deps.combine_timeout]:
            raw = rows.get(key)
            if raw is None:
                del waiting[key]
                continue
            after, answer = kernel.expire(decode(raw, Pending), now)
            self._note(partition, key, after)
            # Three steps: no late share may answer, then the answer, then it need not be given again.
            marked = Pending(after.parts, after.first_seen, None, timed_out=True)
            yield (
                Effects((Put(key, encode(marked)),)),
                Effects((Put(key, encode(after)),), self._out.answer(answer), notes=(_note(answer),)),
            )
