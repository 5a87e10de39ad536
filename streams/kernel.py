"""The path of a record, without Kafka: annotate, judge, combine, answer, audit.

This page is the story; each step has a file of its own. The topology, the in-process transport,
replay and the tests are callers of the same four functions: `annotate`, `step`, `combine_step`
and `answer`. None of them reads a clock, does I/O or raises.
"""

from collections import deque
from dataclasses import dataclass, field

from lawful.policies.judge import At
from lawful.policies.rego.denying import Denier
from lawful.policies.rules.memory import RuleMemory
from lawful.schemas.event import AgentEvent, Micros
from lawful.schemas.state import Pending
from lawful.schemas.verdict import Partial
from lawful.schemas.view import View
from lawful.streams.annotate import Kernel, SourceRecord, annotate, erased, failure, unannotated
from lawful.streams.answering import Answer, answer
from lawful.streams.combining import combine_step, expire, learnt, overdue
from lawful.streams.judging import NO_ROW, Emit, Policies, Redirect, Shred, Step, step
from lawful.streams.linking import SubjectRow, seat_of
from lawful.streams.refusing import fault, refused
from lawful.streams.sameness import First, substance

__all__ = [
    "Answer",
    "Emit",
    "Kernel",
    "Partial",
    "Pending",
    "Policies",
    "Redirect",
    "Shred",
    "SourceRecord",
    "Step",
    "SubjectRow",
    "Tables",
    "annotate",
    "answer",
    "combine_step",
    "erased",
    "expire",
    "failure",
    "fault",
    "follow",
    "judge_view",
    "learnt",
    "merge_share",
    "overdue",
    "refused",
    "seat_of",
    "step",
    "unannotated",
]

ANNOTATED = "lawful.annotated"


@dataclass(slots=True)
class Tables:
    """What the stages remember, as plain dictionaries: the workers' tables in memory.

    Attributes:
        rows: by pseudonym: history and link.
        pending: by event id: shares that wait for the others.
        firsts: where a view with this event id, key and part stood first.
        annotated, partials: how many records these topics hold (one partition each).
        memory: monitors of the policies' own rules.
    """

    rows: dict[str, SubjectRow] = field(default_factory=dict)
    pending: dict[str, Pending] = field(default_factory=dict)
    firsts: dict[tuple[str, str, int], First] = field(default_factory=dict)
    annotated: int = 0
    partials: int = 0
    memory: RuleMemory | None = field(default_factory=RuleMemory)


def follow(event: AgentEvent, record: SourceRecord, kernel: Kernel, tables: Tables) -> tuple[Answer, ...]:
    """Takes one event all the way: to its one answer, or to the same answer again.

    Returns:
        The answers that this record leads to: one, as every share arrives at once here.
    """
    views = deque(annotate(event, record, kernel))
    answers: list[Answer] = []
    while views:
        view = views.popleft()
        at = At(ANNOTATED, 0, tables.annotated, view.recorded_at)
        tables.annotated += 1
        for emitted in judge_view(view, at, kernel.policies, tables, kernel.denier):
            match emitted:
                case Redirect():
                    views.append(emitted.view)
                case Answer():
                    answers.append(emitted)
                case Partial():
                    given = merge_share(emitted, tables.partials, tables)
                    answers += given
                    views += learnt(tables.pending[emitted.view.event_id], tables.partials, given)
                    tables.partials += 1
    return tuple(answers)


def judge_view(
    view: View, at: At, policies: Policies, tables: Tables, denier: Denier | None = None
) -> tuple[Emit, ...]:
    """The judge stage on in-memory tables: knows duplicates, keeps the subject's row."""
    first = tables.firsts.setdefault((view.event_id, view.key, view.part), First(at, substance(view), view.heavy))
    done = step(view, at, tables.rows.get(view.key, NO_ROW), policies, first, tables.memory, denier)
    tables.rows[view.key] = done.row
    return done.emit


def merge_share(partial: Partial, offset: int, tables: Tables, seen_at: Micros | None = None) -> tuple[Answer, ...]:
    """The combine stage on in-memory tables."""
    event_id = partial.view.event_id
    tables.pending[event_id], given = combine_step(partial, offset, tables.pending.get(event_id), seen_at)
    return () if given is None else (given,)
