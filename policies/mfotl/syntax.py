"""The terms and formulas of past-time metric first-order temporal logic, as plain data.

Semantics: D. Basin, F. Klaedtke, S. Müller, E. Zălinescu, "Monitoring Metric First-Order Temporal
Properties", J. ACM 62(2), 2015. The concrete syntax is MonPoly's.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

Value = int | str | float
"""What a predicate's argument can be."""


def _place() -> int:
    return field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Var:
    """A variable. One that starts with `_` is bound by the predicate that it stands in."""

    name: str
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Const:
    """A constant."""

    value: Value
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Arith:
    """`left op right` with `op` one of `+ - * / MOD`; unary minus is `0 - right`."""

    op: str
    left: "Term"
    right: "Term"
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Convert:
    """`f2i(t)` or `i2f(t)`."""

    op: str
    term: "Term"
    at: int = _place()


Term = Var | Const | Arith | Convert


@dataclass(frozen=True, slots=True)
class Interval:
    """Distances in time, in the unit of the log's stamps. `hi=None` is unbounded."""

    lo: int = 0
    hi: int | None = None
    lo_open: bool = False
    hi_open: bool = False

    def __str__(self) -> str:
        left = "(" if self.lo_open else "["
        return f"{left}{self.lo},{'*)' if self.hi is None else str(self.hi) + (')' if self.hi_open else ']')}"

    @property
    def unrestricted(self) -> bool:
        """Whether it is `[0,*)`, which is what a missing interval means."""
        return self.lo == 0 and not self.lo_open and self.hi is None

    @property
    def empty(self) -> bool:
        """Whether no distance lies in it."""
        if self.hi is None:
            return False
        return self.hi < self.lo or (self.hi == self.lo and (self.lo_open or self.hi_open))

    def scaled(self, factor: int) -> "Interval":
        """The same interval in a finer unit: seconds to microseconds takes 1,000,000."""
        return Interval(self.lo * factor, None if self.hi is None else self.hi * factor, self.lo_open, self.hi_open)

    def reached(self, distance: int) -> bool:
        """Whether a distance is at or above the lower bound."""
        return distance > self.lo if self.lo_open else distance >= self.lo

    def passed(self, distance: int) -> bool:
        """Whether a distance is beyond the upper bound, now and for ever."""
        if self.hi is None:
            return False
        return distance >= self.hi if self.hi_open else distance > self.hi


@dataclass(frozen=True, slots=True)
class Pred:
    """`name(t1, ..., tn)`."""

    name: str
    args: tuple[Term, ...]
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Compare:
    """`left op right` with `op` one of `= < <=`."""

    op: str
    left: Term
    right: Term
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    body: "Formula"
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right` with `op` one of `AND OR IMPLIES EQUIV`."""

    op: str
    left: "Formula"
    right: "Formula"
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Quantified:
    """`EXISTS` or `FORALL` over variables."""

    op: str
    variables: tuple[str, ...]
    body: "Formula"
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Past:
    """`PREV`, `ONCE` or `HISTORICALLY` with an interval."""

    op: str
    interval: Interval
    body: "Formula"
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Since:
    """`left SINCE[interval] right`."""

    interval: Interval
    left: "Formula"
    right: "Formula"
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`result <- op variable; groups body` with `op` one of `CNT SUM MIN MAX AVG`, over sets."""

    result: str
    op: str
    variable: str
    groups: tuple[str, ...]
    body: "Formula"
    at: int = _place()


@dataclass(frozen=True, slots=True)
class Let:
    """`LET name(params) = definition IN body`."""

    name: str
    params: tuple[str, ...]
    definition: "Formula"
    body: "Formula"
    at: int = _place()


Formula = Pred | Compare | Not | Binary | Quantified | Past | Since | Aggregate | Let

TRUE = Compare("=", Const(0), Const(0))
FALSE = Compare("=", Const(0), Const(1))


def term_vars(term: Term) -> Iterator[str]:
    """The variables of a term, in order, with repetitions."""
    if isinstance(term, Var):
        yield term.name
    elif isinstance(term, Arith):
        yield from term_vars(term.left)
        yield from term_vars(term.right)
    elif isinstance(term, Convert):
        yield from term_vars(term.term)


def free_vars(formula: Formula) -> tuple[str, ...]:
    """The free variables, each once, in order of first occurrence."""
    return tuple(dict.fromkeys(_free(formula)))


def _free(formula: Formula) -> Iterator[str]:
    if isinstance(formula, Pred):
        yield from (name for arg in formula.args for name in term_vars(arg) if not name.startswith("_"))
    elif isinstance(formula, Compare):
        yield from term_vars(formula.left)
        yield from term_vars(formula.right)
    elif isinstance(formula, (Not, Past)):
        yield from _free(formula.body)
    elif isinstance(formula, (Binary, Since)):
        yield from _free(formula.left)
        yield from _free(formula.right)
    elif isinstance(formula, Quantified):
        yield from (name for name in _free(formula.body) if name not in formula.variables)
    elif isinstance(formula, Aggregate):
        yield formula.result
        yield from formula.groups
    else:
        yield from _free(formula.body)


def show_term(term: Term) -> str:
    """A term as it would be written."""
    if isinstance(term, Var):
        return "_" if term.name.startswith("_") and term.name[1:].isdigit() else term.name
    if isinstance(term, Const):
        return f'"{term.value}"' if isinstance(term.value, str) else str(term.value)
    if isinstance(term, Arith):
        return f"({show_term(term.left)} {term.op} {show_term(term.right)})"
    return f"{term.op}({show_term(term.term)})"


def show(formula: Formula) -> str:
    """A formula with every bracket, so that nothing is left to precedence."""
    if isinstance(formula, Pred):
        return f"{formula.name}({', '.join(map(show_term, formula.args))})"
    if isinstance(formula, Compare):
        return f"{show_term(formula.left)} {formula.op} {show_term(formula.right)}"
    if isinstance(formula, Not):
        return f"(NOT {show(formula.body)})"
    if isinstance(formula, Binary):
        return f"({show(formula.left)} {formula.op} {show(formula.right)})"
    if isinstance(formula, Quantified):
        return f"({formula.op} {', '.join(formula.variables)}. {show(formula.body)})"
    if isinstance(formula, Past):
        return f"({formula.op}{formula.interval} {show(formula.body)})"
    if isinstance(formula, Since):
        return f"({show(formula.left)} SINCE{formula.interval} {show(formula.right)})"
    if isinstance(formula, Aggregate):
        groups = f"; {', '.join(formula.groups)}" if formula.groups else ""
        return f"({formula.result} <- {formula.op} {formula.variable}{groups} {show(formula.body)})"
    return f"(LET {formula.name}({', '.join(formula.params)}) = {show(formula.definition)} IN {show(formula.body)})"
