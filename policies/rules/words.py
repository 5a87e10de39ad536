"""Whether the values in a formula can ever be equal: constants that may be named, variables of one sort.

The type check knows only numbers and strings. But a string that people may be found by is a digest
by the time a rule sees it: comparing it with a constant, or with a word of the policy, is never true.
"""

from collections.abc import Mapping
from typing import Any

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.syntax import (
    Aggregate,
    Compare,
    Const,
    Formula,
    Let,
    Pred,
    Term,
    Var,
    show_term,
)
from lawful.policies.problems import did_you_mean
from lawful.policies.rules.model import Kind, Parameter, Predicate
from lawful.policies.rules.reading import below
from lawful.schemas.taxonomy import categories, covers

Sort = Parameter | None
"""What a variable holds; `None`: a number, or nothing is known."""


class Words:
    """What a policy's words are; checks formulas against it.

    Args:
        predicates: all predicates, built-in ones too.
        purposes, tools: the policy's.
    """

    def __init__(
        self, predicates: Mapping[str, Predicate], purposes: Mapping[str, Any], tools: Mapping[str, Any]
    ) -> None:
        self._predicates = predicates
        self._purposes = purposes
        self._tools = tools

    def check(self, formula: Formula, text: str) -> None:
        """Finds the first comparison that can never be true.

        Raises:
            FormulaError: where it is, and what would mend it.
        """
        _Check(self, text).formula(formula, {}, {})

    def parameters(self, name: str) -> tuple[Sort, ...]:
        """What a predicate's arguments hold."""
        return tuple(self._predicates[name].parameters)

    def trouble(self, sort: Parameter, value: str) -> str | None:
        """Why a constant cannot stand where this is; a hint. `None` if it can."""
        match sort.kind:
            case Kind.STRING:
                return f"declare '{sort.name}' with 'type: symbol' and its 'values', if nobody can be found by it"
            case Kind.SYMBOL:
                known: list[str] = list(sort.values)
            case Kind.PURPOSE:
                known = [value] if any(covers(value, each) or covers(each, value) for each in self._purposes) else []
                return None if known else did_you_mean(value, self._purposes) or "it is no purpose of this policy"
            case Kind.CATEGORY:
                known = list(categories())
            case Kind.TOOL:
                known = list(self._tools)
            case _:
                return None
        return None if value in known else did_you_mean(value, known) or f"one of: {', '.join(sorted(known)[:12])}"


class _Check:
    """One walk through a formula; variables' sorts are kept by name, as far as their scope reaches."""

    def __init__(self, words: Words, text: str) -> None:
        self.words = words
        self.text = text

    def formula(self, formula: Formula, scope: dict[str, Sort], lets: Mapping[str, tuple[Sort, ...]]) -> None:
        if isinstance(formula, Let):
            inner: dict[str, Sort] = {}
            self.formula(formula.definition, inner, lets)
            known = {**lets, formula.name: tuple(inner.get(name) for name in formula.params)}
            self.formula(formula.body, scope, known)
            return
        if isinstance(formula, Pred):
            sorts = lets[formula.name] if formula.name in lets else self.words.parameters(formula.name)
            for sort, term in zip(sorts, formula.args, strict=True):
                self.meet(sort, term, scope, formula.at)
            return
        # Predicates first: they say what the variables of comparisons beside them hold.
        parts = sorted(below(formula), key=lambda each: isinstance(each, Compare))
        bound = getattr(formula, "variables", ())
        inside = {name: sort for name, sort in scope.items() if name not in bound} if bound else scope
        for part in parts:
            self.formula(part, inside, lets)
        scope.update({name: sort for name, sort in inside.items() if name not in bound})
        if isinstance(formula, Compare):
            self.compare(formula, scope)
        if isinstance(formula, Aggregate) and formula.op in ("MIN", "MAX"):
            self.countable(formula, scope.get(formula.variable))

    def compare(self, formula: Compare, scope: dict[str, Sort]) -> None:
        for one, other in ((formula.left, formula.right), (formula.right, formula.left)):
            sort = scope.get(one.name) if isinstance(one, Var) else None
            if sort is not None:
                if formula.op != "=":
                    self.countable(formula, sort)
                self.meet(sort, other, scope, formula.at)

    def countable(self, formula: Compare | Aggregate, sort: Sort) -> None:
        if sort is not None and sort.kind is Kind.STRING:
            message = f"'{sort.name}' is known by its keyed digest only, which has no order"
            raise FormulaError(message, text=self.text, at=formula.at, hint="compare it with =, or declare a number")

    def meet(self, sort: Sort, term: Term, scope: dict[str, Sort], at: int) -> None:
        place = getattr(term, "at", 0) or at
        if sort is None or sort.kind is Kind.INT:
            return
        if isinstance(term, Const) and isinstance(term.value, str):
            hint = self.words.trouble(sort, term.value)
            if hint is not None:
                message = f"'{sort.name}' is never {show_term(term)}"
                if sort.kind is Kind.STRING:
                    message = (
                        f"'{sort.name}' is known by its keyed digest only, so it cannot be compared with a constant"
                    )
                raise FormulaError(message, text=self.text, at=place, hint=hint)
        if isinstance(term, Var) and not term.name.startswith("_"):
            known = scope.setdefault(term.name, sort)
            if known is not None and not _alike(known, sort):
                message = f"{term.name} stands for {_said(known)} and for {_said(sort)}, which are never equal"
                raise FormulaError(message, text=self.text, at=place, hint="give both the same type and scheme")


def _alike(one: Parameter, two: Parameter) -> bool:
    if Kind.STRING in (one.kind, two.kind):
        return one.kind is two.kind and one.scheme == two.scheme
    return one.kind is two.kind


def _said(sort: Parameter) -> str:
    return f"a {sort.kind.value}" + (f" of scheme {sort.scheme}" if sort.kind is Kind.STRING else "")
