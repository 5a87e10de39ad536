"""Arguments that cannot be read: nobody escapes a rule by how an argument is written."""

from typing import Any

import pytest

from lawful.policies.model import Policy
from lawful.policies.rules.acts import acts_of
from lawful.schemas.event import PayloadKind
from lawful.schemas.verdict import Decision
from tests.policies.rules.samples import World, act, clinic, rule, rules_of

MISSING = object()
FORBID = rule("NOT (paid(a) AND a > 1000)")
DEMAND = rule("paid(a) IMPLIES a <= 1000")
FORBID_BY_NOT = rule("paid(a) IMPLIES NOT (a > 1000)")
NUMBERS = [
    (5000, 5000),
    (5000.0, 5000),
    ("5000", 5000),
    ("+0005000", 5000),
    ("-7", -7),
    (10**30, 2**63 - 1),
    (-(10**30), -(2**63)),
    (1e300, 2**63 - 1),
    ("9" * 10_000, 2**63 - 1),
    ("-" + "9" * 10_000, -(2**63)),
]
BLANK = [
    MISSING,
    None,
    [5000],
    {"value": 5000},
    "5,000",
    " 5000",
    "5000\n",
    "5_000",
    "\u0665\u0660",
    "",
    5000.5,
    1e999,
    True,
]


def paid(policy: Policy, amount: Any) -> Any:
    """What a payment does."""
    assert policy.rules is not None
    content = {} if amount is MISSING else {"amount": amount}
    predicates = policy.rules.predicates.values()
    return acts_of(PayloadKind.TOOL_RESULT, "pay", {"content": content}, predicates, lambda _scheme, text: text)


@pytest.mark.parametrize(("written", "number"), NUMBERS)
def test_a_whole_number_is_read_however_it_is_written(written: Any, number: int) -> None:
    """As a float, as digits, and beyond what state can hold."""
    (done,) = paid(clinic(FORBID), written)
    assert done.arguments[0].number == number


@pytest.mark.parametrize(
    ("formula", "reason"),
    [(FORBID, "argument_unreadable"), (FORBID_BY_NOT, "argument_unreadable"), (DEMAND, "rule_violated")],
)
@pytest.mark.parametrize("amount", BLANK)
def test_what_cannot_be_read_breaks_the_rule_either_way_round(formula: str, reason: str, amount: Any) -> None:
    """A prohibition as well as a demand, which what equals nothing does not meet anyway."""
    policy = clinic(formula)
    (violation,) = World(policy).happens(*paid(policy, amount)).verdict.violations
    assert (violation.reason, violation.decision) == (reason, Decision.BLOCK)
    assert violation.message.endswith("(amount of paid cannot be read)") is (reason == "argument_unreadable")


def test_a_small_amount_passes() -> None:
    """The rule is about large ones."""
    policy = clinic(FORBID)
    assert rules_of(World(policy).happens(*paid(policy, "900"))) == ["forward"]


def test_what_a_rule_does_not_compare_may_be_anything() -> None:
    """A variable that is named once only says that there is something."""
    policy = clinic(rule("NOT (send_outreach(p, f) AND ONCE(0,1h] EXISTS g. send_outreach(p, g))"))
    assert rules_of(World(policy).happens(act("send_outreach", "ada", None))) == ["forward"]
    assert rules_of(World(policy).happens(act("send_outreach", None, "+49"))) == ["block", "rule"]


@pytest.mark.parametrize(
    "formula",
    [
        'NOT ship("eu")',
        "NOT (ship(r) AND ONCE[0,1h] ship(r))",
        "LET sent(r) = ship(r) IN NOT (sent(x) AND said())",
        "NOT EXISTS c. (c <- CNT r ONCE[0,1h] ship(r)) AND c > 3",
    ],
)
def test_constants_joins_names_and_counts_compare(formula: str) -> None:
    """Each of them needs to know what the argument is."""
    assert "rule" in rules_of(World(clinic(rule(formula))).happens(act("ship", None)))


def test_what_is_only_looked_back_at_has_to_be_readable_too() -> None:
    """Else a later event would escape."""
    policy = clinic(rule("NOT (send_outreach(p, f) AND ONCE[0,1h] query_record(p))"))
    assert rules_of(World(policy).happens(act("query_record", None))) == ["block", "rule"]


@pytest.mark.parametrize(
    ("formula", "word"),
    [
        ("send_outreach(p, f) IMPLIES ONCE[0,1h] query_record(p)", "forward"),
        ("said() IMPLIES ONCE[0,1h] EXISTS p. (query_record(p) AND NOT ONCE[0,1h] send_outreach(p, _))", "block"),
    ],
)
def test_what_is_demanded_need_not_be_readable_where_that_keeps_no_rule(formula: str, word: str) -> None:
    """It meets no demand later; but it would meet one that has a NOT in it."""
    assert World(clinic(rule(formula))).happens(act("query_record", None)).verdict.decision.word == word


MASK = "{mask: [phone]}"


def test_a_mask_that_cannot_mask_blocks() -> None:
    """What is to be masked must be there, and belong to what the event does."""
    policy = clinic(rule("NOT (send_outreach(p, f) AND ONCE[0,1h] query_record(p))", on_violation=MASK))
    assert rules_of(World(policy).happens(act("send_outreach", None, "+49"))) == ["redact", "rule"]
    assert rules_of(World(policy).happens(act("send_outreach", None, None))) == ["block", "rule"]
    assert rules_of(World(policy).happens(act("query_record", None))) == ["block", "rule"]


def test_a_warning_stays_a_warning() -> None:
    """The rule's author said how much it matters."""
    policy = clinic(rule("NOT (paid(a) AND a > 1000)", on_violation="warn"))
    assert rules_of(World(policy).happens(*paid(policy, None))) == ["warn", "rule"]
