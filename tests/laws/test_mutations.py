"""Faults planted on purpose: each must be caught by the comparison of judges, or the suite proves nothing.

A fault is planted in a copy of one function, which takes the original's place for one test.
"""

import importlib
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import FunctionType
from typing import Any

import pytest

from lawful.infra.crosscheck.drive import Driver, Tally
from lawful.infra.crosscheck.worlds import Only
from lawful.policies import standing
from lawful.policies.crosscheck.generate import World
from lawful.policies.load import load_pack
from lawful.policies.mfotl import parser
from lawful.policies.mfotl.check import check_case
from lawful.policies.mfotl.syntax import Interval
from lawful.policies.model import PurposeRule
from lawful.policies.rego.judge import RegoJudge

REGO = RegoJudge()
PEOPLE = (("ann", "ann-too"),)
# By name: the package has a function of the same name.
CONSENT = importlib.import_module("lawful.policies.predicates.consent")


def mutant(function: Callable[..., Any], old: str, new: str) -> FunctionType:
    """A copy of a function with one place of its text changed."""
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {function.__qualname__}"
    scope = dict(inspect.unwrap(function).__globals__)
    exec(compile(text.replace(old, new), "<mutant>", "exec"), scope)  # noqa: S102 - our own text
    made = scope[function.__name__]
    assert isinstance(made, FunctionType)
    return made


def crosscheck(pack: str = "medagent", worlds: int = 3) -> Tally:
    """Some generated worlds before all judges."""
    whole = Tally()
    for number in range(worlds):
        # A copy of the policy remembers nothing that a judge without the fault worked out.
        policy = replace(load_pack(pack))
        driver = Driver(Only(policy), REGO)
        for views in World(policy, Random(f"mutants/{number}"), "m", PEOPLE).events(80):
            driver.take(views)
        whole.merge(driver.tally)
    return whole


def test_without_a_fault_the_judges_agree() -> None:
    """What the mutants are measured against."""
    tally = crosscheck()
    assert tally.first is None
    assert tally.rules["P1 consent_expired"]
    assert tally.rules["P1 consent_withdrawn"]
    assert tally.rules["P4 subject_erased"]


def test_an_expiry_that_is_off_by_one_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A consent that still holds at the very moment it ends."""
    late = mutant(standing.shortfall, "time >= fact.expires_at", "time > fact.expires_at")
    monkeypatch.setattr(CONSENT, "shortfall", late)
    assert crosscheck().differing


def test_a_withdrawal_that_is_ignored_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A consent that is still good for what was withdrawn."""
    ignoring = mutant(standing.shortfall, "isinstance(fact, WithdrawalFact)", "isinstance(fact, int)")
    monkeypatch.setattr(CONSENT, "shortfall", ignoring)
    assert crosscheck().differing


def test_an_ancestor_match_that_is_reversed_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A purpose that needs an e-mail address, and is given all of `user`."""
    turned = mutant(
        PurposeRule.needs,
        "any(name in self.necessary for name in line(category))",
        "any(category in line(name) for name in self.necessary)",
    )
    monkeypatch.setattr(PurposeRule, "needs", turned)
    assert crosscheck().differing


# What MonPoly says of formulas whose meaning hangs on precedence: a at time-point 0, b and c at 1.
PRECEDENCE = [
    {
        "formula": "a(x) OR b(x) AND c(x)",
        "sig": "a(x:int)\nb(x:int)\nc(x:int)",
        "log": "@1 a(1)\n@2 b(1)\n@3 b(1) c(1)",
        "vars": ["x"],
        "verdicts": {"0": [[1]], "2": [[1]]},
    },
    {
        "formula": "b(x) AND NOT a(x) OR c(x)",
        "sig": "a(x:int)\nb(x:int)\nc(x:int)",
        "log": "@1 b(1)\n@2 b(1) a(1)\n@3 c(1)",
        "vars": ["x"],
        "verdicts": {"0": [[1]], "2": [[1]]},
    },
]
WINDOW = {
    "formula": "b(x) AND ONCE[0,5] a(x)",
    "sig": "a(x:int)\nb(x:int)",
    "log": "@1 a(1)\n@6 b(1)\n@7 b(1)",
    "vars": ["x"],
    "verdicts": {"1": [[1]]},
}


@pytest.mark.parametrize("case", [*PRECEDENCE, WINDOW], ids=lambda case: str(case["formula"]))
def test_without_a_fault_the_cases_agree(case: dict[str, Any]) -> None:
    """What the two mutants below are measured against."""
    assert check_case(case).agrees


def test_a_wrong_precedence_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """OR that binds tighter than AND."""
    table = parser._BINARY
    monkeypatch.setattr(parser, "_BINARY", {**table, "AND": table["OR"], "OR": table["AND"]})
    assert not all(check_case(case).agrees for case in PRECEDENCE)


def test_an_interval_that_is_off_by_one_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that is left a second too early."""
    early = mutant(Interval.passed, "distance > self.hi", "distance >= self.hi")
    monkeypatch.setattr(Interval, "passed", early)
    assert not check_case(WINDOW).agrees
