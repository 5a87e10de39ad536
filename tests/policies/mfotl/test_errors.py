"""Every way to write a bad rule, and the sentence that mends it."""

import pytest

from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.log import read_log
from lawful.policies.mfotl.monitor import Monitor
from lawful.policies.mfotl.parser import parse
from lawful.policies.mfotl.signature import parse_signature

SIGNATURE = parse_signature("a(x:int)\nb(x:int)\nq(x:int,y:int)\nname(x:int, n:string)\nrate(x:int, r:float)\nd()")

BAD = [
    ("a(x) AND EVENTUALLY b(x)", 10, "EVENTUALLY looks into the future", "ONCE, HISTORICALLY, PREV or SINCE"),
    ("a(x) UNTIL b(x)", 6, "UNTIL looks into the future", "ONCE"),
    ("NEXT a(x)", 1, "NEXT looks into the future", "ONCE"),
    ("ALWAYS a(x)", 1, "ALWAYS looks into the future", "HISTORICALLY"),
    ("a(x) &  b(x)", 6, "unexpected character '&'", "write AND, OR, NOT, IMPLIES in words"),
    ('name(x, "ann)', 9, "unexpected character", "a text constant is not closed"),
    ("a(x) AND", 9, "expected a formula but found end of formula", "something is missing"),
    ("AND a(x)", 1, "expected a formula but found 'AND'", "AND needs a formula on both sides"),
    ("a(x) b(x)", 6, "expected the end of the formula", "join the parts with AND"),
    ("(a(x) AND b(x)", 15, "expected ')'", "a bracket is not closed"),
    ("a(x AND b(x)", 5, "expected ')'", "write a(x, y, ...)"),
    ("a(x) AND d", 11, "expected a comparison", "also without arguments: name()"),
    ("EXISTS. a(x)", 7, "EXISTS names no variable", "write EXISTS x, y. ..."),
    ("EXISTS x a(x)", 10, "expected '.'", "write a dot after the variables: EXISTS x. ..."),
    ("ONCE[5,2] a(x)", 5, "no distance lies in the interval [5,2]", "the lower bound comes first"),
    ("ONCE[0,1w] a(x)", 8, "expected a distance in time but found '1w'", "30s, 5m, 1h, 7d"),
    ("ONCE[0;3] a(x)", 7, "expected ','", "[from,to]"),
    ("k <- MED x a(x)", 6, "MED is not supported", ""),
    ("k <- TOTAL x a(x)", 6, "expected CNT, SUM, MIN, MAX, AVG", ""),
    ("k <- CNT y a(x)", 3, "the aggregated variable y is not free", ""),
    ("k <- CNT x; z a(x)", 3, "the grouping variable z is not free", ""),
    ("x <- CNT x; x a(x)", 3, "x is the result and a grouping variable at once", "rename one"),
    (
        "LET p(x) = q(x, y) IN p(x)",
        1,
        "the parameters of p (x) are not the free variables",
        "bind the others with EXISTS",
    ),
    ("c(x)", 1, "unknown predicate c", "known predicates: a, b, d, name, q, rate"),
    ("nam(x, y)", 1, "unknown predicate nam", "did you mean name?"),
    ("q(x)", 1, "q takes 2 argument(s), here it has 1", "it is declared as q(x:int, y:int)"),
    ('a("ann")', 3, '"ann" is a string where an int is expected', ""),
    ("a(x) AND name(y, x)", 18, "x is an int where a string is expected", ""),
    ("rate(x, r) AND r = x", 18, "x is an int where a float is expected", "convert with i2f"),
    ("s <- SUM n; x name(x, n)", 3, "n is a string where a number is needed", ""),
    ("name(x, n) AND m = n + 1", 22, "1 is an int where a string is expected", ""),
    ("NOT a(x)", 1, "NOT cannot give x its values", "guard it"),
    ("a(x) OR q(x, y)", 6, "y has values on one side of OR only", "bind y with EXISTS"),
    ("b(x) SINCE d()", 6, "x on the left of SINCE has no value on its right", "bind x with EXISTS"),
    ("a(x) AND y > 3", 12, "y has no value here", "some_predicate(y) AND"),
    ("x < 3", 3, "a comparison cannot give x its values", "give x a value first"),
    ("a(x) AND NOT q(x, y)", 10, "y has no value here", "some_predicate(y) AND"),
    ("HISTORICALLY a(x)", 1, "NOT cannot give x its values", "guard it"),
    ("FORALL y. q(x, y)", 1, "x", "guard it"),
    ("a(x) IMPLIES b(x)", 6, "NOT cannot give x its values", "guard it"),
    ("a(x + 1)", 1, "an argument is neither a variable nor a constant", "write a(..., x, ...) AND x = ..."),
    ("NOT " * 300 + "d()", 801, "nested deeper than 200 levels", "LET"),
]


@pytest.mark.parametrize(("text", "column", "message", "hint"), BAD, ids=[row[0][:30] for row in BAD])
def test_bad_formula_says_what_where_and_how_to_mend_it(text: str, column: int, message: str, hint: str) -> None:
    """A bad formula is refused with its column, the sub-formula or word, and what to write instead."""
    with pytest.raises(FormulaError) as refused:
        Monitor(text, SIGNATURE)
    assert message in refused.value.message
    assert hint in refused.value.hint
    assert (refused.value.line, refused.value.column) == (1, column)


GOOD = [
    "a(x) AND (NOT b(x) OR q(x, 1))",
    "NOT b(x) AND a(x)",
    "x > 1 AND a(x)",
    "a(x) AND y = x + 1 AND q(x, y)",
    "a(x) AND (EXISTS y. b(y) AND y > x)",
    "a(x) AND NOT (EXISTS y. q(x, y) AND NOT b(y))",
    "a(x) AND (FORALL y. q(x, y) IMPLIES b(y))",
    "(x < 2) SINCE a(x)",
    "(a(x) IMPLIES b(x)) SINCE q(x, y)",
    "NOT (NOT a(x) AND NOT b(x))",
    "# a comment\na(x) (* and another *)",
    "a(x) AND (x MOD 2) = 0",
]


@pytest.mark.parametrize("text", GOOD)
def test_safe_formula_is_accepted_in_any_order(text: str) -> None:
    """Conjunctions may stand in any order, and conditions over bound variables in any form."""
    assert set(Monitor(text, SIGNATURE).vars) <= {"x", "y"}


def test_leading_always_is_understood_where_a_rule_is_meant() -> None:
    """`ALWAYS phi` as a rule means phi at every event."""
    assert parse("ALWAYS a(x)", always=True) == parse("a(x)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a(x:int", "not a predicate declaration"),
        ("a(x:bool)", "argument 1 of a has no known type ('bool')"),
        ("a(x:int)\na(y:int)", "predicate a is declared twice"),
    ],
)
def test_bad_signature_names_the_predicate(text: str, message: str) -> None:
    """A bad signature says which predicate and argument."""
    with pytest.raises(FormulaError, match="line") as refused:
        parse_signature(text)
    assert message in refused.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@1 a(1) ?", "not a log entry"),
        ("@1 zz(1)", "unknown predicate zz"),
        ("@1 a(1,2)", "a takes 1 argument(s), here it has 2"),
        ("@1 a(x)", "'x' is not of type int"),
    ],
)
def test_bad_log_says_where(text: str, message: str) -> None:
    """A bad log line says what is wrong."""
    with pytest.raises(FormulaError) as refused:
        list(read_log(text, SIGNATURE))
    assert message in refused.value.message
