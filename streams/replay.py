"""What a log must have led to: the stages run over its records again, with nothing but the records.

The same log gives the same rows, verdicts and audit records as the workers had, whatever was
killed, moved or delivered twice on the way. Tests of the topology measure it against this.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from lawful.policies.judge import At
from lawful.schemas.audit import AuditRecord
from lawful.schemas.event import AgentEvent, Micros
from lawful.schemas.state import Pending
from lawful.schemas.verdict import Partial, Verdict
from lawful.schemas.view import View
from lawful.streams.kernel import (
    Answer,
    Emit,
    Kernel,
    Policies,
    SourceRecord,
    SubjectRow,
    Tables,
    follow,
    judge_view,
    merge_share,
)


@dataclass(frozen=True, slots=True)
class Annotated:
    """A record of `lawful.annotated` and its place."""

    view: View
    partition: int
    offset: int


@dataclass(frozen=True, slots=True)
class Shared:
    """A record of `lawful.partials`, its place and the broker's time of it."""

    partial: Partial
    offset: int
    seen_at: Micros | None = None


@dataclass(slots=True)
class Replayed:
    """What a replay gave.

    Attributes:
        answers: the effective answer to each event, by event id: the first one given.
        contradictions: ids of events that were answered again, and differently.
        emitted: what the judge stage published, in its order.
    """

    tables: Tables = field(default_factory=Tables)
    answers: dict[str, Answer] = field(default_factory=dict)
    contradictions: set[str] = field(default_factory=set)
    emitted: list[Emit] = field(default_factory=list)

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """By event id."""
        return {event_id: answer.verdict for event_id, answer in self.answers.items()}

    @property
    def audit(self) -> dict[str, AuditRecord]:
        """By event id."""
        return {event_id: answer.audit for event_id, answer in self.answers.items()}

    @property
    def rows(self) -> dict[str, SubjectRow]:
        """Histories and links, by pseudonym; those that hold nothing are left out."""
        return {key: row for key, row in self.tables.rows.items() if row != SubjectRow()}

    @property
    def pending(self) -> dict[str, Pending]:
        """Shares of combined verdicts, by event id."""
        return self.tables.pending

    def took(self, answers: Iterable[Answer]) -> None:
        """Notes answers; an event's first one is the effective one."""
        for answer in answers:
            known = self.answers.setdefault(answer.verdict.event_id, answer)
            if known.verdict != answer.verdict:
                self.contradictions.add(answer.verdict.event_id)


def replay(log: Iterable[tuple[AgentEvent, SourceRecord]], kernel: Kernel, onto: Replayed | None = None) -> Replayed:
    """Runs a log of events through all stages.

    Args:
        log: events with their places, in the order in which they are read.
        kernel: policies, extractor and keys.
        onto: go on from here; by default from nothing.
    """
    result = Replayed() if onto is None else onto
    for event, record in log:
        result.took(follow(event, record, kernel, result.tables))
    return result


def replay_views(log: Iterable[Annotated], topic: str, policies: Policies, onto: Replayed | None = None) -> Replayed:
    """Runs the records of `lawful.annotated` through the judge stage.

    What they redirect is not followed: it stands in the log itself. So the rows are exactly those
    that the workers must have.

    Args:
        log: the records, each partition in its order.
        topic: the topic's name, for the positions in the verdicts.
        policies: the loaded policies.
        onto: go on from here; by default from nothing.
    """
    result = Replayed() if onto is None else onto
    for record in log:
        at = At(topic, record.partition, record.offset, record.view.recorded_at)
        emitted = judge_view(record.view, at, policies, result.tables)
        result.emitted += emitted
        result.took(each for each in emitted if isinstance(each, Answer))
    return result


def replay_partials(log: Iterable[Shared], onto: Replayed | None = None) -> Replayed:
    """Runs the records of `lawful.partials` through the combine stage, where no wait ever ends."""
    result = Replayed() if onto is None else onto
    for record in log:
        result.took(merge_share(record.partial, record.offset, result.tables, record.seen_at))
    return result
