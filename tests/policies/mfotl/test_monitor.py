"""The monitor against the textbook definition, MonPoly's verdicts, and itself after a restart."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.policies.mfotl.check import check_case, check_text
from lawful.policies.mfotl.errors import FormulaError
from lawful.policies.mfotl.log import read_log, show_log
from lawful.policies.mfotl.monitor import Monitor
from lawful.policies.mfotl.nodes import Row
from lawful.policies.mfotl.parser import parse
from lawful.policies.mfotl.signature import parse_signature
from lawful.policies.mfotl.syntax import (
    Binary,
    Compare,
    Const,
    Formula,
    Interval,
    Not,
    Past,
    Pred,
    Quantified,
    Since,
    Var,
    free_vars,
    show,
)
from tests.outside import GOLDEN, needs_golden
from tests.policies.mfotl.naive import satisfying

SIGNATURE = parse_signature("a(x:int)\nb(x:int)\nq(x:int,y:int)\nd()\n")
DOMAIN = (0, 1, 2)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    """Intervals that are not empty."""
    lo = draw(st.integers(0, 3))
    hi = draw(st.none() | st.integers(lo, lo + 4))
    interval = Interval(lo, hi, draw(st.booleans()), hi is not None and draw(st.booleans()))
    return Interval() if interval.empty else interval


@st.composite
def formulas(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> Formula:
    """Monitorable formulas with just these free variables."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(_atoms(names))
    inner = formulas(names, depth - 1)
    kind = draw(st.integers(0, 8))
    if kind == 0:
        return Binary("OR", draw(inner), draw(inner))
    if kind == 1:
        part = draw(st.sampled_from([(), *[(name,) for name in names], names]))
        return Binary("AND", draw(inner), Not(draw(formulas(part, depth - 1))))
    if kind == 2:
        part = draw(st.sampled_from([(), *[(name,) for name in names], names]))
        left: Formula = draw(formulas(part, depth - 1))
        return Since(draw(intervals()), Not(left) if draw(st.booleans()) else left, draw(inner))
    if kind in (3, 4):
        return Past("ONCE" if kind == 3 else "PREV", draw(intervals()), draw(inner))
    if kind == 5:
        return Quantified("EXISTS", (bound := f"z{len(names)}",), draw(formulas((*names, bound), depth - 1)))
    if kind == 6 and names:
        compare = Compare(draw(st.sampled_from(["=", "<", "<="])), Var(names[0]), Const(draw(st.sampled_from(DOMAIN))))
        return Binary("AND", draw(inner), Not(compare) if draw(st.booleans()) else compare)
    if kind == 7:
        hist = Past("HISTORICALLY", draw(intervals()), Not(draw(formulas(names, depth - 1))))
        return Binary("AND", draw(inner), hist)
    return Binary("AND", draw(inner), draw(formulas(names[:1], depth - 1)))


def _atoms(names: tuple[str, ...]) -> st.SearchStrategy[Formula]:
    if not names:
        return st.sampled_from([Pred("d", ()), Quantified("EXISTS", ("w",), Pred("a", (Var("w"),)))])
    if len(names) == 1:
        (name,) = names
        return st.sampled_from(
            [
                Pred("a", (Var(name),)),
                Pred("b", (Var(name),)),
                Pred("q", (Var(name), Var("_1"))),
                Pred("q", (Const(1), Var(name))),
                Pred("q", (Var(name), Var(name))),
            ]
        )
    halves = [Binary("AND", draw_first, draw_second) for draw_first, draw_second in _pairs(names)]
    return st.sampled_from(halves)


def _pairs(names: tuple[str, ...]) -> list[tuple[Formula, Formula]]:
    singles: list[Formula] = [Pred("a", (Var(name),)) for name in names]
    rest: Formula = singles[-1]
    for single in singles[1:-1]:
        rest = Binary("AND", single, rest)
    pairs: list[tuple[Formula, Formula]] = [(singles[0], rest)]
    pairs.append((Pred("q", (Var(names[0]), Var(names[1]))), rest))
    return pairs


@st.composite
def traces(draw: st.DrawFn) -> list[tuple[int, dict[str, set[Row]]]]:
    """Short traces with equal and distant stamps."""
    trace = []
    stamp = 0
    for _ in range(draw(st.integers(1, 9))):
        stamp += draw(st.sampled_from([0, 0, 1, 1, 2, 4]))
        unary = st.sets(st.tuples(st.sampled_from(DOMAIN)), max_size=2)
        facts: dict[str, set[Row]] = {
            "a": set(draw(unary)),
            "b": set(draw(unary)),
            "q": set(draw(st.sets(st.tuples(st.sampled_from(DOMAIN), st.sampled_from(DOMAIN)), max_size=3))),
            "d": {()} if draw(st.booleans()) else set(),
        }
        trace.append((stamp, facts))
    return trace


@settings(max_examples=150, deadline=None)
@given(formulas(("x",), 3) | formulas(("x", "y"), 2) | formulas((), 3), traces())
def test_monitor_agrees_with_the_definition(formula: Formula, trace: list[tuple[int, dict[str, set[Row]]]]) -> None:
    """At every time-point the incremental monitor gives the rows that the definition gives."""
    monitor = Monitor(formula, SIGNATURE)
    for at, (stamp, facts) in enumerate(trace):
        assert monitor.step(stamp, facts) == satisfying(formula, trace, at, DOMAIN), show(formula)


@settings(max_examples=80, deadline=None)
@given(formulas(("x",), 3) | formulas(("x", "y"), 2), traces(), st.integers(0, 9))
def test_restored_monitor_goes_on_as_if_nothing_happened(
    formula: Formula, trace: list[tuple[int, dict[str, set[Row]]]], cut: int
) -> None:
    """State that was written as JSON and read back in mid-trace changes no later verdict."""
    whole, first = Monitor(formula, SIGNATURE), Monitor(formula, SIGNATURE)
    expected = [whole.step(stamp, facts) for stamp, facts in trace]
    found = [first.step(stamp, facts) for stamp, facts in trace[:cut]]
    second = Monitor(formula, SIGNATURE)
    second.load(json.loads(json.dumps(first.save())))
    found += [second.step(stamp, facts) for stamp, facts in trace[cut:]]
    assert found == expected


@settings(max_examples=100, deadline=None)
@given(formulas(("x", "y"), 3))
def test_shown_formula_reads_back_the_same(formula: Formula) -> None:
    """The bracketed form leaves nothing to precedence."""
    assert free_vars(parse(show(formula))) == free_vars(formula)
    assert show(parse(show(formula))) == show(formula)


@needs_golden
def test_every_verdict_of_the_independent_engine() -> None:
    """Formulas, logs and verdicts of MonPoly: all agree, and what it refuses is refused."""
    results = check_text(GOLDEN.read_text())
    assert len(results) > 100
    assert [result for result in results if not result.agrees] == []


def test_check_reports_a_wrong_verdict() -> None:
    """A case whose expected verdict is wrong is said to disagree, and where."""
    case = {"formula": "a(x)", "sig": "a(x:int)", "log": "@1 a(1)\n@2 a(2)", "vars": ["x"], "verdicts": {"1": [[3]]}}
    result = check_case(case)
    assert not result.agrees
    assert "time-point 0" in result.difference


def test_aggregates_group_and_window() -> None:
    """Sums, extremes and means go per group, over the set of rows in the window."""
    signature = parse_signature("pay(id:int, who:string, amount:int)")
    monitor = Monitor("s <- SUM v; w ONCE[0,10] pay(i, w, v) AND v > 0", signature)
    assert monitor.step(0, {"pay": {(1, "ann", 5), (2, "bob", 7)}}) == {(5, "ann"), (7, "bob")}
    assert monitor.step(8, {"pay": {(3, "ann", 4)}}) == {(9, "ann"), (7, "bob")}
    assert monitor.step(11, {}) == {(4, "ann")}
    mean = Monitor("m <- AVG v; w pay(i, w, v)", signature)
    assert mean.step(0, {"pay": {(1, "ann", 5), (2, "ann", 8)}}) == {(6.5, "ann")}


def test_let_names_a_part() -> None:
    """A LET definition may be used with other variables and with constants."""
    monitor = Monitor("LET seen(u, v) = ONCE q(v, u) IN a(x) AND seen(x, 1) AND NOT seen(2, x)", SIGNATURE)
    assert monitor.step(0, {"q": {(1, 2), (1, 0)}, "a": {(2,), (0,)}}) == {(2,), (0,)}
    assert monitor.step(1, {"q": {(0, 2)}, "a": {(2,), (0,)}}) == {(2,)}


def test_microseconds_scale_the_intervals() -> None:
    """With stamps in microseconds an hour is 3,600,000,000 of them, bounds included."""
    monitor = Monitor("a(x) AND NOT ONCE[0,1h] b(x)", SIGNATURE, scale=1_000_000)
    monitor.step(0, {"b": {(1,)}})
    assert monitor.step(3_600_000_000, {"a": {(1,)}}) == set()
    assert monitor.step(3_600_000_001, {"a": {(1,)}}) == {(1,)}


def test_time_must_not_run_backwards() -> None:
    """A stamp below the one before is refused."""
    monitor = Monitor("a(x)", SIGNATURE)
    monitor.step(5, {})
    with pytest.raises(FormulaError, match="time runs backwards: 4 after 5"):
        monitor.step(4, {})


def test_window_forgets_what_the_interval_has_passed() -> None:
    """State is bounded by the window, not by the trace."""
    monitor = Monitor("a(x) AND ONCE[0,10] b(x)", SIGNATURE)
    for stamp in range(2_000):
        monitor.step(stamp, {"b": {(stamp,)}})
    assert len(json.dumps(monitor.save())) < 500


def test_log_lines_read_back() -> None:
    """What is written as a log reads back as the same facts, texts with brackets included."""
    signature = parse_signature("say(who:string, what:string)\nping()")
    facts: dict[str, set[Row]] = {"say": {("ann", "hello (you), there"), ("bob", "")}, "ping": {()}}
    assert list(read_log(show_log(17, facts), signature)) == [(17, facts)]
