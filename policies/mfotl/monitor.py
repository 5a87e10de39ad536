"""The monitor: one formula, one slice of the trace, one step per event."""

from collections.abc import Mapping
from dataclasses import dataclass

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.nodes import Facts, Node, Recurring, Row, Step, picker
from lawful.policies.mfotl.parser import parse
from lawful.policies.mfotl.plan import plan
from lawful.policies.mfotl.signature import Signature, Type
from lawful.policies.mfotl.syntax import Formula, free_vars
from lawful.policies.mfotl.temporal import State, Temporal
from lawful.policies.mfotl.typecheck import check_types

_NO_FACTS: Facts = {}


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A formula ready to be monitored on any number of traces. Holds no state.

    Attributes:
        vars: its free variables, in the order of the rows that monitors give.
        types: their types.
        node: gives its rows, in columns of its own order.
        stateful: its temporal nodes, by slot.
        changing: predicates whose facts differ even where the others recur.
    """

    vars: tuple[str, ...]
    types: Mapping[str, Type]
    node: Node
    stateful: tuple[Temporal, ...]
    changing: frozenset[str] = frozenset()


def compile_formula(
    formula: str | Formula, signature: Signature, *, scale: int = 1, changing: frozenset[str] = frozenset()
) -> Program:
    """Read, type and plan a formula.

    Args:
        formula: text, or a parsed formula.
        signature: the predicates it may use.
        scale: stamps per unit of the formula's intervals (1 for logs in seconds).
        changing: predicates whose facts are told apart from those that recur; see `Monitor.step`.

    Raises:
        FormulaError: if the formula cannot be read, typed, or monitored.
    """
    text = formula if isinstance(formula, str) else ""
    parsed = parse(formula) if isinstance(formula, str) else formula
    try:
        types = check_types(parsed, signature, text)
        node, stateful = plan(parsed, text, scale, changing)
    except RecursionError:
        raise FormulaError("nested too deeply", text=text, hint="name parts with LET") from None
    return Program(free_vars(parsed), types, node, tuple(stateful), changing)


class Monitor:
    """Reports, at every time-point, the values of the free variables that satisfy a formula.

    Args:
        formula: text, a parsed formula, or a program that other monitors may run as well.
        signature: the predicates it may use; a program knows them already.
        scale: stamps per unit of the formula's intervals (1 for logs in seconds).

    Raises:
        FormulaError: if the formula cannot be read, typed, or monitored.
    """

    def __init__(self, formula: str | Formula | Program, signature: Signature | None = None, *, scale: int = 1) -> None:
        self.program: Program
        if isinstance(formula, Program):
            self.program = formula
        else:
            self.program = compile_formula(formula, signature or {}, scale=scale)
        self._state = [node.fresh() for node in self.program.stateful]
        self._pick = picker(tuple(self.program.node.vars.index(name) for name in self.program.vars))
        self._stamp: int | None = None

    @property
    def vars(self) -> tuple[str, ...]:
        """The free variables, in the order of the rows."""
        return self.program.vars

    @property
    def types(self) -> Mapping[str, Type]:
        """The free variables' types."""
        return self.program.types

    def step(self, stamp: int, facts: Facts | Recurring, changing: Facts = _NO_FACTS) -> set[Row]:
        """Take in one time-point.

        Args:
            stamp: its time; never less than the one before.
            facts: predicate name to its rows at this time-point (sets, or lists without repeats).
                Where the same facts come again and again, give the same `Recurring`: what follows
                from them alone is then worked out once.
            changing: the facts of the program's `changing` predicates.

        Returns:
            The satisfying values, in the order of `vars`; a closed formula gives `{()}` or `set()`.
        """
        rows = self.program.node.rows(self._taken(stamp, facts, changing))
        return set(map(self._pick, rows)) if rows else set()

    def learn(self, stamp: int, facts: Facts | Recurring, changing: Facts = _NO_FACTS) -> None:
        """Take in one time-point as `step` does, and report nothing."""
        self._taken(stamp, facts, changing)

    def _taken(self, stamp: int, facts: Facts | Recurring, changing: Facts) -> Step:
        if self._stamp is not None and stamp < self._stamp:
            raise FormulaError(f"time runs backwards: {stamp} after {self._stamp}")
        self._stamp = stamp
        if isinstance(facts, Recurring):
            step = Step(stamp, facts.facts, changing, self._state, facts.memory)
        else:
            step = Step(stamp, facts, changing or facts, self._state, {})
        for node in self._awake(step):
            node.advance(step)
        return step

    def _awake(self, step: Step) -> list[Temporal]:
        """The temporal nodes whose memory these facts may change."""
        found: list[Temporal] | None = step.memory.get(self.program)
        if found is None:
            found = [node for node in self.program.stateful if node.wakes(step.facts)]
            step.memory[self.program] = found
        return found

    def save(self) -> State:
        """The state as plain lists, numbers and texts."""
        return [self._stamp, *(memory.save() for memory in self._state)]

    def load(self, state: State) -> None:
        """Put back what `save` gave, into a monitor of the same formula."""
        self._stamp = state[0]
        for memory, saved in zip(self._state, state[1:], strict=True):
            memory.load(saved)
