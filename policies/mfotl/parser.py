"""Formula text into a formula, in MonPoly's syntax and precedence.

Loosest to tightest: SINCE (right); ONCE PREV HISTORICALLY; EXISTS FORALL; EQUIV (left); IMPLIES
(right); OR; AND; NOT. A prefix operator may stand wherever an operand may and reaches as far as
its own looseness lets it.
"""

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.lexer import KEYWORDS, Token, tokens
from lawful.policies.mfotl.syntax import (
    FALSE,
    TRUE,
    Aggregate,
    Arith,
    Binary,
    Compare,
    Const,
    Convert,
    Formula,
    Interval,
    Let,
    Not,
    Past,
    Pred,
    Quantified,
    Since,
    Term,
    Var,
    free_vars,
)

_SINCE, _TEMPORAL, _QUANTIFIER, _NOT = 1, 2, 3, 8
_BINARY = {"EQUIV": (4, 5), "IMPLIES": (5, 5), "OR": (6, 7), "AND": (7, 8)}  # own level, level of the right side
_AGGREGATES = ("CNT", "SUM", "MIN", "MAX", "AVG")
_FUTURE = ("NEXT", "EVENTUALLY", "UNTIL", "ALWAYS")
_UNSUPPORTED = ("LETPAST", "FORWARD", "MATCHF", "BACKWARD", "MATCHP", "MED", "SUBSTRING", "MATCHES")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_RELATIONS = ("=", "<", "<=", ">", ">=")
_DEEPEST = 200


def parse(text: str, *, always: bool = False) -> Formula:
    """Parse one formula.

    Args:
        text: the formula.
        always: understand a leading `ALWAYS` as "at every event" and drop it.

    Raises:
        FormulaError: with the place and what to write instead.
    """
    parser = _Parser(text)
    if always and parser.peek.kind == "ALWAYS":
        parser.take()
    formula = parser.formula(0)
    parser.expect("end", "the formula ends before this; join the parts with AND, OR, IMPLIES or SINCE")
    return formula


class _Parser:
    """Recursive descent with binding levels; one token of look-ahead, one place of backtracking."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.position = 0
        self.anonymous = 0
        self.depth = 0

    @property
    def peek(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        token = self.peek
        self.position += 1
        return token

    def accept(self, kind: str) -> bool:
        if self.peek.kind == kind:
            self.position += 1
            return True
        return False

    def expect(self, kind: str, hint: str = "") -> Token:
        if self.peek.kind != kind:
            self.refuse(f"expected {_name(kind)} but found {_shown(self.peek)}", hint=hint)
        return self.take()

    def refuse(self, message: str, *, at: int | None = None, hint: str = "") -> None:
        raise FormulaError(message, text=self.text, at=self.peek.at if at is None else at, hint=hint)

    # Formulas ------------------------------------------------------------------------------

    def formula(self, loosest: int) -> Formula:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.refuse(f"nested deeper than {_DEEPEST} levels", hint="name parts with LET")
        left = self.operand()
        while True:
            token = self.peek
            if token.kind in _BINARY and _BINARY[token.kind][0] >= loosest:
                self.take()
                left = Binary(token.kind, left, self.formula(_BINARY[token.kind][1]), token.at)
            elif token.kind == "SINCE" and loosest <= _SINCE:
                self.take()
                interval = self.interval()
                left = Since(interval, left, self.formula(_SINCE), token.at)
            else:
                self.refuse_unsupported(token)
                self.depth -= 1
                return left

    def refuse_unsupported(self, token: Token) -> None:
        if token.kind in _FUTURE:
            self.refuse(
                f"{token.text} looks into the future",
                hint="a verdict is due now, so only the past can be asked: use ONCE, HISTORICALLY, PREV or SINCE",
            )
        if token.kind in _UNSUPPORTED:
            self.refuse(f"{token.text} is not supported")

    def operand(self) -> Formula:
        token = self.peek
        self.refuse_unsupported(token)
        if token.kind == "NOT":
            self.take()
            return Not(self.formula(_NOT), token.at)
        if token.kind in ("PREV", "ONCE", "HISTORICALLY"):
            self.take()
            interval = self.interval()
            return Past(token.kind, interval, self.formula(_TEMPORAL), token.at)
        if token.kind in ("EXISTS", "FORALL"):
            return self.quantified()
        if token.kind == "LET":
            return self.let()
        if token.kind in ("TRUE", "FALSE"):
            self.take()
            return TRUE if token.kind == "TRUE" else FALSE
        return self.atom()

    def quantified(self) -> Formula:
        token = self.take()
        names = self.names()
        if not names:
            self.refuse(f"{token.kind} names no variable", hint=f"write {token.kind} x, y. ...")
        self.expect(".", f"write a dot after the variables: {token.kind} {', '.join(names)}. ...")
        return Quantified(token.kind, names, self.formula(_QUANTIFIER), token.at)

    def let(self) -> Formula:
        token = self.take()
        name = self.expect("word", "LET name(x, y) = ... IN ...").text
        self.expect("(")
        params = self.names()
        self.expect(")", "the parameters of a LET are variables")
        self.expect("=", "LET name(x, y) = ... IN ...")
        definition = self.formula(0)
        self.expect("IN", "LET name(x, y) = ... IN ...")
        if set(free_vars(definition)) != set(params) or len(set(params)) != len(params):
            free = ", ".join(free_vars(definition)) or "none"
            self.refuse(
                f"the parameters of {name} ({', '.join(params)}) are not the free variables of its definition ({free})",
                at=token.at,
                hint="name each free variable once, and bind the others with EXISTS",
            )
        return Let(name, params, definition, self.formula(0), token.at)

    def atom(self) -> Formula:
        token = self.peek
        following = self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        if token.kind in ("word", "_") and following.kind == "<-":
            return self.aggregate()
        if token.kind == "word" and following.kind == "(":
            return self.predicate()
        if token.kind == "(":
            return self.bracketed()
        if token.kind in ("word", "_", "int", "float", "string", "unit", "-", "f2i", "i2f"):
            return self.comparison()
        self.refuse(f"expected a formula but found {_shown(token)}", hint=_atom_hint(token))
        raise AssertionError

    def bracketed(self) -> Formula:
        start = self.position
        try:
            return self.comparison()  # "(x + 1) < y" starts like "(p(x) AND ...)"
        except FormulaError as as_comparison:
            stopped = self.position
            self.position = start
            self.take()
            try:
                inner = self.formula(0)
            except FormulaError as as_formula:
                raise as_formula if self.position >= stopped else as_comparison from None
            self.expect(")", "a bracket is not closed")
            return inner

    def predicate(self) -> Formula:
        token = self.take()
        self.expect("(")
        args: list[Term] = []
        if self.peek.kind != ")":
            args.append(self.term(0))
            while self.accept(","):
                args.append(self.term(0))
        self.expect(")", f"write {token.text}(x, y, ...)")
        return Pred(token.text, tuple(args), token.at)

    def comparison(self) -> Formula:
        left = self.term(0)
        token = self.peek
        if token.kind not in _RELATIONS:
            self.refuse_unsupported(token)
            self.refuse(
                f"expected a comparison (= < <= > >=) but found {_shown(token)}",
                hint="a predicate is written name(...), also without arguments: name()",
            )
        self.take()
        right = self.term(0)
        if token.kind in (">", ">="):
            left, right = right, left
        return Compare(token.kind.replace(">", "<"), left, right, token.at)

    def aggregate(self) -> Formula:
        result = self.variable()
        arrow = self.take()
        if self.peek.kind not in _AGGREGATES:
            self.refuse_unsupported(self.peek)
            self.refuse(f"expected {', '.join(_AGGREGATES)} but found {_shown(self.peek)}")
        op = self.take().kind
        variable = self.variable()
        groups = self.names() if self.accept(";") else ()
        body = self.formula(0)
        free = free_vars(body)
        for role, name in [("aggregated", variable), *(("grouping", group) for group in groups)]:
            if name not in free:
                self.refuse(f"the {role} variable {name} is not free in the aggregated formula", at=arrow.at)
        if result in groups:
            self.refuse(f"{result} is the result and a grouping variable at once", at=arrow.at, hint="rename one")
        return Aggregate(result, op, variable, groups, body, arrow.at)

    # Terms, names, intervals ---------------------------------------------------------------

    def term(self, loosest: int) -> Term:
        left = self.factor()
        while True:
            token = self.peek
            level = {"+": 1, "-": 1, "*": 2, "/": 2, "MOD": 2}.get(token.kind, 0)
            if level == 0 or level <= loosest:
                return left
            self.take()
            left = Arith(token.kind, left, self.term(level), token.at)

    def factor(self) -> Term:
        token = self.peek
        if token.kind in ("int", "float", "string"):
            self.take()
            return Const(_constant(token), token.at)
        if token.kind == "-":
            self.take()
            return Arith("-", Const(0, token.at), self.factor(), token.at)
        if token.kind in ("f2i", "i2f"):
            self.take()
            self.expect("(")
            inner = self.term(0)
            self.expect(")")
            return Convert(token.kind, inner, token.at)
        if token.kind == "(":
            self.take()
            inner = self.term(0)
            self.expect(")", "a bracket is not closed")
            return inner
        if token.kind == "word" and self.tokens[self.position + 1].kind == "(":
            self.refuse(f"{token.text}(...) is a predicate, not a term", hint="compare variables and constants only")
        return Var(self.variable(), token.at)

    def variable(self) -> str:
        token = self.peek
        if token.kind == "_":
            self.take()
            self.anonymous += 1
            return f"_{self.anonymous}"
        if token.kind not in ("word", "unit"):
            reserved = f"{token.text} is a reserved word" if token.kind in KEYWORDS else ""
            self.refuse(f"expected a variable but found {_shown(token)}", hint=reserved)
        return self.take().text

    def names(self) -> tuple[str, ...]:
        found = []
        while self.peek.kind in ("word", "_", "unit"):
            found.append(self.variable())
            if not self.accept(","):
                break
        return tuple(found)

    def interval(self) -> Interval:
        if self.peek.kind not in ("[", "(") or not self._starts_interval():
            return Interval()
        opening = self.take()
        lo = self.bound()
        self.expect(",", "an interval is [from,to], (from,to] or [from,*)")
        hi = None if self.accept("*") else self.bound()
        closing = self.peek
        if closing.kind not in ("]", ")"):
            self.refuse(f"expected ] or ) but found {_shown(closing)}", hint="an interval is [from,to]")
        self.take()
        interval = Interval(lo, hi, opening.kind == "(", hi is not None and closing.kind == ")")
        if interval.empty:
            self.refuse(
                f"no distance lies in the interval {interval}", at=opening.at, hint="the lower bound comes first"
            )
        return interval

    def _starts_interval(self) -> bool:
        """`ONCE(1,2] p()` has an interval, `ONCE (x < 2)` has none."""
        if self.peek.kind == "[":
            return True
        first, second = self.tokens[self.position + 1 : self.position + 3]
        return first.kind in ("int", "unit") and second.kind == ","

    def bound(self) -> int:
        token = self.peek
        if token.kind == "int" and not token.text.startswith("-"):
            return int(self.take().text)
        if token.kind == "unit" and token.text[-1] in _UNITS:
            self.take()
            return int(token.text[:-1]) * _UNITS[token.text[-1]]
        self.refuse(
            f"expected a distance in time but found {_shown(token)}",
            hint="write a whole number of seconds, or one with a unit: 30s, 5m, 1h, 7d",
        )
        raise AssertionError


def _constant(token: Token) -> int | float | str:
    if token.kind == "int":
        return int(token.text)
    if token.kind == "float":
        return float(token.text)
    return token.text[1:-1]


def _shown(token: Token) -> str:
    return token.text if token.kind == "end" else repr(token.text)


def _name(kind: str) -> str:
    return {"end": "the end of the formula", "word": "a name"}.get(kind, repr(kind))


def _atom_hint(token: Token) -> str:
    if token.kind == "end":
        return "something is missing after the last operator"
    if token.kind in ("AND", "OR", "IMPLIES", "EQUIV", "SINCE"):
        return f"{token.text} needs a formula on both sides"
    return ""
