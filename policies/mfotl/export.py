"""What MonPoly reads: a subject's trace as a log, the predicates as formulas, their signature.

So that nobody has to believe our monitor: the same four formulas over the same facts, run by an
engine that shares nothing with it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lawful.policies.mfotl.judge import FORMULAS, MfotlJudge, formula, signature
from lawful.policies.mfotl.log import show_log
from lawful.policies.mfotl.nodes import Facts, Row
from lawful.policies.mfotl.signature import show_signature
from lawful.policies.mfotl.syntax import Value
from lawful.schemas.event import Micros
from lawful.schemas.verdict import Predicate

_ESCAPES = {ord(char): f"%{ord(char):02X}" for char in '%"\\\r\n'}
Verdicts = Mapping[Predicate, frozenset[Row]]


@dataclass(frozen=True, slots=True)
class Point:
    """One time-point of a subject's log.

    Attributes:
        violated: what our monitor found, for events; `None` for facts of the history.
    """

    stamp: Micros
    facts: Facts
    violated: Verdicts | None = None


@dataclass(slots=True)
class Recorded:
    """The log of one subject, as the formal judge saw it."""

    key: str
    points: list[Point] = field(default_factory=list)

    def judge(self) -> MfotlJudge:
        """A judge that writes this log."""
        return MfotlJudge(self.add)

    def add(self, stamp: Micros, facts: Facts, violated: Verdicts | None) -> None:
        """One time-point."""
        self.points.append(Point(stamp, facts, violated))

    def log(self) -> Iterator[str]:
        """The lines of the log."""
        return (show_log(point.stamp, escaped(point.facts)) for point in self.points)

    def expected(self, predicate: Predicate) -> dict[int, set[Row]]:
        """What our monitor found, by time-point, where it found anything."""
        return {
            number: {escaped_row(row) for row in point.violated[predicate]}
            for number, point in enumerate(self.points)
            if point.violated and point.violated.get(predicate)
        }


def signature_text() -> str:
    """The `.sig` file."""
    return show_signature(signature())


def formulas() -> dict[str, str]:
    """The `.mfotl` files, by name."""
    return {f"{FORMULAS[predicate][-1]}.mfotl": formula(predicate) for predicate in FORMULAS}


def escaped(facts: Facts) -> Facts:
    """The same facts with texts that a log can hold."""
    return {name: [escaped_row(row) for row in rows] for name, rows in facts.items()}


def escaped_row(row: Row) -> Row:
    """The same row with texts that a log can hold: a quote in a text would end it."""
    return tuple([_escaped(value) for value in row])


def _escaped(value: Value) -> Value:
    return value.translate(_ESCAPES) if isinstance(value, str) else value
