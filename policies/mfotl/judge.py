"""The third judge: P1 to P4 as four formulas over facts, run by the monitor.

Nothing is shared with the operational judge but the facts: the formulas in `predicates/` read a log
in which each fact of a subject's history is one time-point and each event another.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from lawful.policies.answering import At
from lawful.policies.mfotl.facts import CHANGING, EventFacts, fact_facts
from lawful.policies.mfotl.monitor import Monitor, Program, compile_formula
from lawful.policies.mfotl.nodes import Facts, Row
from lawful.policies.mfotl.signature import Signature, parse_signature
from lawful.policies.mfotl.temporal import State
from lawful.policies.model import Policy
from lawful.schemas.event import Micros
from lawful.schemas.history import History
from lawful.schemas.verdict import Predicate
from lawful.schemas.view import View

_FOLDER: Final = Path(__file__).parent / "predicates"
_EVENTS: Final = EventFacts()

Record = Callable[[Micros, Facts, Mapping[Predicate, frozenset[Row]] | None], None]
"""Told a time-point: its stamp, its facts, and for an event the rows of each predicate it violates."""

FORMULAS: Mapping[Predicate, tuple[str, ...]] = {
    Predicate.CONSENT: ("common", "consent"),
    Predicate.PURPOSE: ("purpose",),
    Predicate.MINIMISATION: ("common", "minimisation"),
    Predicate.ERASURE: ("erasure",),
}


@dataclass(frozen=True, slots=True)
class Witness:
    """What violates a predicate: the purpose and category, where the predicate is about one."""

    predicate: Predicate
    purpose: str | None = None
    category: str | None = None


_NO_WITNESSES: Final[frozenset[Witness]] = frozenset()


@cache
def signature() -> Signature:
    """The predicates that the formulas are written in."""
    return parse_signature((_FOLDER / "facts.sig").read_text(encoding="utf-8"))


@cache
def formula(predicate: Predicate) -> str:
    """The whole text of a predicate's formula, as MonPoly reads it."""
    return "".join((_FOLDER / f"{part}.mfotl").read_text(encoding="utf-8") for part in FORMULAS[predicate])


@cache
def program(predicate: Predicate) -> Program:
    """A predicate's formula, planned once for all subjects."""
    return compile_formula(formula(predicate), signature(), changing=CHANGING)


class MfotlJudge:
    """Judges one subject's trace, in order. State grows with the subject's facts, not with events.

    Args:
        record: told every time-point, and for events what was found.
    """

    def __init__(self, record: Record | None = None) -> None:
        self._record = record
        self._monitors = tuple((each, Monitor(program(each))) for each in FORMULAS)
        self._through = -1
        self._learnt = 0
        self._latest = -1
        self._stamp: Micros = 0  # of the log: it never runs back
        self._time: Micros = 0  # of the latest fact

    @property
    def latest(self) -> int:
        """The offset of the last event or fact taken in; what stands before it cannot be judged any more."""
        return max(self._latest, self._through)

    def judge(self, view: View, at: At, history: History, policy: Policy) -> frozenset[Witness]:
        """What is violated by an event, a consent included.

        Facts of the history that were not seen before, and stand before `at`, are taken in first.
        """
        entries = history.entries
        if entries and entries[-1].offset > self._through:
            self.learn(history, at.offset)
        self._latest = at.offset
        # A decision knows no later time than its own and that of the facts it rests on.
        now = max(self._time, at.recorded_at)
        stamp = self._stamp = max(self._stamp, now)
        facts, changing = _EVENTS.of(view, policy), {"now": ((now,),)}
        violated: dict[Predicate, frozenset[Row]] = {}
        for predicate, monitor in self._monitors:
            rows = monitor.step(stamp, facts, changing)
            if rows:
                violated[predicate] = frozenset(rows)
        if self._record is not None:
            self._record(stamp, {**facts.facts, **changing}, violated)
        if not violated:
            return _NO_WITNESSES
        return frozenset(_witness(predicate, row) for predicate, rows in violated.items() for row in rows)

    def learn(self, history: History, offset: int) -> None:
        """Take in the history's new facts from before an offset."""
        news = [entry for entry in history.entries if self._through < entry.offset < offset]
        for entry in news:
            self._time = max(self._time, entry.recorded_at)
            self._stamp = max(self._stamp, self._time)
            facts = fact_facts(self._learnt, entry.fact)
            self._learnt += 1
            for _, monitor in self._monitors:
                monitor.learn(self._stamp, facts)
            if self._record is not None:
                self._record(self._stamp, facts, None)
        self._through = max([self._through, *(entry.offset for entry in news)])

    def save(self) -> State:
        """The state as plain lists, numbers and texts."""
        own = [self._through, self._learnt, self._latest, self._stamp, self._time]
        return [own, *(monitor.save() for _, monitor in self._monitors)]

    def load(self, state: State) -> None:
        """Put back what `save` gave."""
        self._through, self._learnt, self._latest, self._stamp, self._time = state[0]
        for (_, monitor), saved in zip(self._monitors, state[1:], strict=True):
            monitor.load(saved)


def _witness(predicate: Predicate, row: Row) -> Witness:
    match predicate:
        case Predicate.CONSENT:
            return Witness(predicate, str(row[0]) or None, str(row[1]) or None)
        case Predicate.PURPOSE:
            return Witness(predicate, str(row[0]) if row[1] == "purpose_not_declared" else None)
        case Predicate.MINIMISATION:
            return Witness(predicate, None, str(row[0]))
        case _:
            return Witness(predicate)
