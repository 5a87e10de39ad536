"""The monitor: one formula, one slice of the trace, one step per event."""

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.nodes import Facts, Row, Step
from lawful.policies.mfotl.parser import parse
from lawful.policies.mfotl.plan import plan
from lawful.policies.mfotl.signature import Signature
from lawful.policies.mfotl.syntax import Formula, free_vars
from lawful.policies.mfotl.temporal import State
from lawful.policies.mfotl.typecheck import check_types


class Monitor:
    """Reports, at every time-point, the values of the free variables that satisfy a formula.

    Args:
        formula: text, or a parsed formula.
        signature: the predicates it may use.
        scale: stamps per unit of the formula's intervals (1 for logs in seconds).

    Raises:
        FormulaError: if the formula cannot be read, typed, or monitored.
    """

    def __init__(self, formula: str | Formula, signature: Signature, *, scale: int = 1) -> None:
        text = formula if isinstance(formula, str) else ""
        parsed = parse(formula) if isinstance(formula, str) else formula
        self.types = check_types(parsed, signature, text)
        self._node, self._stateful = plan(parsed, text, scale)
        self.vars = free_vars(parsed)
        self._order = tuple(self._node.vars.index(name) for name in self.vars)
        self._stamp: int | None = None

    def step(self, stamp: int, facts: Facts) -> set[Row]:
        """Take in one time-point.

        Args:
            stamp: its time; never less than the one before.
            facts: predicate name to its rows at this time-point (sets, or lists without repeats).

        Returns:
            The satisfying values, in the order of `vars`; a closed formula gives `{()}` or `set()`.
        """
        if self._stamp is not None and stamp < self._stamp:
            raise FormulaError(f"time runs backwards: {stamp} after {self._stamp}")
        self._stamp = stamp
        step = Step(stamp, facts)
        for node in self._stateful:
            node.advance(step)
        return {tuple([row[column] for column in self._order]) for row in self._node.rows(step)}

    def save(self) -> State:
        """The state as plain lists, numbers and texts."""
        return [self._stamp, *(node.save() for node in self._stateful)]

    def load(self, state: State) -> None:
        """Put back what `save` gave, into a monitor of the same formula."""
        self._stamp = state[0]
        for node, saved in zip(self._stateful, state[1:], strict=True):
            node.load(saved)
