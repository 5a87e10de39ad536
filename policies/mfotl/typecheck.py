"""Types of variables: every predicate known, every argument of its type, every comparison fair."""

import difflib
from collections.abc import Mapping

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.signature import Argument, Signature, Type
from lawful.policies.mfotl.syntax import (
    Aggregate,
    Arith,
    Binary,
    Compare,
    Const,
    Convert,
    Formula,
    Let,
    Not,
    Past,
    Pred,
    Quantified,
    Since,
    Term,
    Var,
    show_term,
)

_OF_VALUE: dict[type, Type] = {int: "int", str: "string", float: "float"}


def check_types(formula: Formula, signature: Signature, text: str = "") -> dict[str, Type]:
    """Check a formula against a signature.

    Returns:
        The types of its free variables (`int` where nothing says otherwise).

    Raises:
        FormulaError: for an unknown predicate, a wrong number of arguments, or types that clash.
    """
    checker = _Checker(dict(signature), text)
    scope: dict[str, _Cell] = {}
    checker.formula(formula, scope)
    return {name: cell.root().type or "int" for name, cell in scope.items()}


class _Cell:
    """The type of one variable while it is being found out (union-find)."""

    def __init__(self, kind: Type | None = None) -> None:
        self.type: Type | None = kind
        self.numeric = False
        self.parent: _Cell | None = None

    def root(self) -> "_Cell":
        return self if self.parent is None else self.parent.root()


class _Checker:
    def __init__(self, signature: dict[str, tuple[Argument, ...]], text: str) -> None:
        self.signature = signature
        self.lets: dict[str, list[_Cell]] = {}
        self.text = text

    def formula(self, formula: Formula, scope: dict[str, _Cell]) -> None:
        if isinstance(formula, Pred):
            self.predicate(formula, scope)
        elif isinstance(formula, Compare):
            left, right = self.term(formula.left, scope), self.term(formula.right, scope)
            self.unify(left, right, formula.right, formula.at)
        elif isinstance(formula, (Not, Past)):
            self.formula(formula.body, scope)
        elif isinstance(formula, (Binary, Since)):
            self.formula(formula.left, scope)
            self.formula(formula.right, scope)
        elif isinstance(formula, Quantified):
            inner = {name: cell for name, cell in scope.items() if name not in formula.variables}
            self.formula(formula.body, inner)
            scope.update({name: cell for name, cell in inner.items() if name not in formula.variables})
        elif isinstance(formula, Aggregate):
            self.aggregate(formula, scope)
        else:
            self.let(formula, scope)

    def predicate(self, pred: Pred, scope: dict[str, _Cell]) -> None:
        cells = self.lets.get(pred.name)
        if cells is None:
            cells = [_Cell(argument.type) for argument in self.declared(pred)]
        if len(pred.args) != len(cells):
            message = f"{pred.name} takes {len(cells)} argument(s), here it has {len(pred.args)}"
            raise FormulaError(message, text=self.text, at=pred.at, hint=self.usage(pred.name))
        for cell, term in zip(cells, pred.args, strict=True):
            self.unify(cell, self.term(term, scope), term, term.at or pred.at)

    def declared(self, pred: Pred) -> tuple[Argument, ...]:
        if pred.name in self.signature:
            return self.signature[pred.name]
        near = difflib.get_close_matches(pred.name, [*self.signature, *self.lets], 1)
        known = ", ".join(sorted([*self.signature, *self.lets])) or "none"
        hint = f"did you mean {near[0]}?" if near else f"known predicates: {known}"
        raise FormulaError(f"unknown predicate {pred.name}", text=self.text, at=pred.at, hint=hint)

    def usage(self, name: str) -> str:
        arguments = self.signature.get(name, ())
        return (
            f"it is declared as {name}({', '.join(f'{arg.name}:{arg.type}' for arg in arguments)})" if arguments else ""
        )

    def aggregate(self, formula: Aggregate, scope: dict[str, _Cell]) -> None:
        inner = {name: scope.setdefault(name, _Cell()) for name in formula.groups}
        self.formula(formula.body, inner)
        value = inner[formula.variable]
        if formula.op in ("SUM", "AVG"):
            self.numeric(value, formula.variable, formula.at)
        result = {"CNT": _Cell("int"), "AVG": _Cell("float")}.get(formula.op, value)
        self.unify(scope.setdefault(formula.result, _Cell()), result, Var(formula.result), formula.at)

    def let(self, formula: Let, scope: dict[str, _Cell]) -> None:
        inner = {name: _Cell() for name in formula.params}
        self.formula(formula.definition, inner)
        shadowed = self.lets.get(formula.name)
        self.lets[formula.name] = [inner[name] for name in formula.params]
        self.formula(formula.body, scope)
        del self.lets[formula.name]
        if shadowed is not None:
            self.lets[formula.name] = shadowed

    def term(self, term: Term, scope: dict[str, _Cell]) -> _Cell:
        if isinstance(term, Var):
            return scope.setdefault(term.name, _Cell()) if not term.name.startswith("_") else _Cell()
        if isinstance(term, Const):
            return _Cell(_OF_VALUE[type(term.value)])
        if isinstance(term, Convert):
            wanted, given = ("float", "int") if term.op == "i2f" else ("int", "float")
            self.unify(_Cell(given), self.term(term.term, scope), term.term, term.at)  # type: ignore[arg-type]
            return _Cell(wanted)  # type: ignore[arg-type]
        return self.arithmetic(term, scope)

    def arithmetic(self, term: Arith, scope: dict[str, _Cell]) -> _Cell:
        left, right = self.term(term.left, scope), self.term(term.right, scope)
        if not (term.op == "-" and isinstance(term.left, Const) and term.left.value == 0):
            self.unify(left, right, term.right, term.at)
        if term.op == "MOD":
            self.unify(_Cell("int"), right, term.right, term.at)
        self.numeric(right, show_term(term), term.at)
        return right

    def numeric(self, cell: _Cell, name: str, at: int) -> None:
        root = cell.root()
        root.numeric = True
        if root.type == "string":
            raise FormulaError(f"{name} is a string where a number is needed", text=self.text, at=at)

    def unify(self, expected: _Cell, actual: _Cell, term: Term, at: int) -> None:
        first, second = expected.root(), actual.root()
        if first is second:
            return
        kind = first.type or second.type
        clash = first.type and second.type and first.type != second.type
        if clash or (kind == "string" and (first.numeric or second.numeric)):
            message = f"{show_term(term)} is {_article(second)} where {_article(first)} is expected"
            raise FormulaError(
                message, text=self.text, at=at, hint="convert with i2f(...) or f2i(...)" if _both(first, second) else ""
            )
        second.parent = first
        first.type = kind
        first.numeric = first.numeric or second.numeric


def _both(first: _Cell, second: _Cell) -> bool:
    return {first.type, second.type} == {"int", "float"}


def _article(cell: _Cell) -> str:
    names: Mapping[Type | None, str] = {"int": "an int", "string": "a string", "float": "a float", None: "a number"}
    return names[cell.type]
