"""Reading rules: what is wrong is said where it is, and what they cost is known beforehand."""

import pytest

from lawful.policies.problems import InvalidPolicy
from lawful.policies.rules.bounds import bounds, warnings
from lawful.policies.rules.model import Slice
from lawful.policies.rules.signature import signature_of, signature_text
from lawful.schemas.verdict import Decision
from tests.policies.rules.samples import OUTREACH, TEXT, clinic, rule

WRONG = [
    ("send_outrech(p, f) IMPLIES ONCE query_record(p)", "column 1: unknown predicate send_outrech", "send_outreach"),
    ("send_outreach(p) IMPLIES ONCE query_record(p)", "takes 2 argument(s)", "patient:string"),
    ('send_outreach(p, "+49") IMPLIES FALSE', "column 18: 'phone' is known by its keyed digest", "type: symbol"),
    ('send_outreach(p, f) AND f = "+49" IMPLIES FALSE', "column 29: 'phone' is known by its keyed", "type: symbol"),
    ("send_outreach(p, f) IMPLIES ONCE query_record(f)", "column 47: f stands for", "same type and scheme"),
    ("NOT (send_outreach(p, f) AND query_record(q) AND p < q)", "which has no order", "compare it with ="),
    ('NOT ship("uk")', "column 10: 'region' is never \"uk\"", "eu"),
    ('NOT purpose("marketting")', "'purpose' is never", "did you mean 'marketing'?"),
    ('NOT category("user.contct")', "'category' is never", "did you mean 'user.contact'?"),
    ('NOT tool("shipp")', "'tool' is never", "did you mean 'ship'?"),
    ("EVENTUALLY query_record(p)", "looks into the future", "ONCE"),
    ("send_outreach(p, f) IMPLIES ONCE[0,1h query_record(p)", "column 39", ""),
    ("ONCE[0,1h] query_record(p)", "column 1: in", "watched for what breaks it"),
    ("ship(r) AND r = 1 IMPLIES FALSE", "where", ""),
    ("send_outreach(p, f) IMPLIES LET q(x) = query_record(x) IN ONCE q(f)", "f stands for", "scheme"),
]


@pytest.mark.parametrize(("formula", "message", "hint"), WRONG)
def test_what_is_wrong_with_a_formula_is_said(formula: str, message: str, hint: str) -> None:
    """At the formula's place in the file and the place in the formula, with what would mend it."""
    with pytest.raises(InvalidPolicy) as raised:
        clinic(rule(formula))
    (problem,) = raised.value.problems
    assert problem.place.line == TEXT.count("\n") + 2
    assert message in problem.message
    assert hint in problem.hint


DECLARED = [
    ("tool: query_record, args", "tool: query_recrd, args", "the tool 'query_recrd' is not", "'query_record'"),
    ("/arguments/patient_id", "/arguments/patient_no", 'has no argument "patient_no"', "patient_id"),
    ("/arguments/patient_id", "/content/patient_id", "must begin with /arguments", ""),
    ("on: result, ", "", "must begin with /arguments", ""),
    (", values: [eu, us]", "", "only a symbol, has 'values'", ""),
    ("said: {message: user}", "said: {}", "a 'tool' or a 'message'", ""),
    ("said: {message: user}", "tool: {message: user}", "has a meaning of its own", ""),
    ("/arguments/patient}", "/arguments/*/patient}", "", ""),
    ("name: outreach", "name: error", "the name 'error' is taken", ""),
]


@pytest.mark.parametrize(("good", "bad", "message", "hint"), DECLARED)
def test_predicates_that_cannot_be_read_off_events_are_refused(good: str, bad: str, message: str, hint: str) -> None:
    """Also those that would never hold."""
    if not message:
        clinic(**{good: bad})
        return
    with pytest.raises(InvalidPolicy) as raised:
        clinic(**{good: bad})
    assert any(message in each.message and hint in each.hint for each in raised.value.problems), raised.value.problems


def test_two_arguments_through_arrays_are_refused() -> None:
    """Their combinations would be things that nobody did."""
    both = {"/arguments/patient}": "/arguments/*/patient}", "/arguments/phone": "/arguments/*/phone"}
    with pytest.raises(InvalidPolicy, match="only one argument may go through an array"):
        clinic(**both)


ENFORCED = [
    ("send_outreach(p, f) IMPLIES ONCE query_record(p)", "block", Decision.BLOCK, ""),
    ("NOT ONCE query_record(p)", "block", Decision.WARN, "no event of its own breaks it"),
    ('NOT consent("marketing")', "block", Decision.WARN, "consent cannot be blocked"),
    ('NOT (consent("marketing") OR said())', "block", Decision.BLOCK, "where consent breaks it"),
    ('consent("marketing") AND said() IMPLIES FALSE', "block", Decision.BLOCK, ""),
    ("send_outreach(p, f) IMPLIES ONCE query_record(p)", "{mask: [phone]}", Decision.REDACT, ""),
    ("NOT EXISTS p, f. send_outreach(p, f)", "warn", Decision.WARN, ""),
]


@pytest.mark.parametrize(("formula", "wanted", "decision", "warning"), ENFORCED)
def test_what_cannot_be_enforced_is_a_warning_and_said_aloud(
    formula: str, wanted: str, decision: Decision, warning: str
) -> None:
    """Consents and the passing of time cannot be blocked."""
    policy = clinic(rule(formula, on_violation=wanted))
    assert policy.rules is not None
    assert policy.rules.slices[Slice.SUBJECT].rules[0].decision is decision
    said = warnings(policy)
    assert (not said) if not warning else (warning in said[0])


@pytest.mark.parametrize(
    ("formula", "fields", "message"),
    [
        ("send_outreach(p, f) IMPLIES ONCE query_record(p)", "[amount]", "send_outreach breaks the rule and has none"),
        ("send_outreach(p, f) IMPLIES ONCE query_record(p)", "[phone, amount]", "has no argument 'amount'"),
        ("NOT ONCE query_record(p)", "[patient]", "nothing can be masked"),
        ('NOT category("user.contact")', "[category]", "category breaks the rule"),
    ],
)
def test_masks_that_would_mask_nothing_are_refused(formula: str, fields: str, message: str) -> None:
    """A mask has to be an argument of what breaks the rule."""
    with pytest.raises(InvalidPolicy, match=message):
        clinic(rule(formula, on_violation=f"{{mask: {fields}}}"))


def test_facts_are_known_of_subjects_only() -> None:
    """A session gives no consent."""
    with pytest.raises(InvalidPolicy, match="consent is known of a subject, not of a session"):
        clinic(rule('send_outreach(p, f) IMPLIES ONCE consent("marketing")', slice="session"))


@pytest.mark.parametrize(
    ("formula", "lines"),
    [
        ("send_outreach(p, f) IMPLIES ONCE[0,1h] query_record(p)", ["keeps at most 1 h of query_record per subject"]),
        ("send_outreach(p, f) IMPLIES ONCE[0,90m] query_record(p)", ["keeps at most 90 m of query_record per subject"]),
        (
            "send_outreach(p, f) IMPLIES ONCE[0,1h] (query_record(p) AND NOT ONCE[0,2d] said())",
            ["keeps at most 1 h of query_record per subject", "keeps at most 49 h of said per subject"],
        ),
        (
            "send_outreach(p, f) IMPLIES ONCE query_record(p)",
            ["keeps query_record per subject for ever: give rule an upper bound, as in ONCE[0,30d]"],
        ),
        (
            "send_outreach(p, f) IMPLIES PREV[0,1h] query_record(p)",
            ["keeps at most 1 h of every event per subject", "keeps at most 1 h of query_record per subject"],
        ),
        ("NOT said()", []),
        ("said() IMPLIES ONCE[0,1d] (EXISTS p. consent(p))", []),
    ],
)
def test_the_bound_of_what_is_kept_is_shown(formula: str, lines: list[str]) -> None:
    """One line a predicate, and what is kept for ever is said aloud."""
    assert list(bounds(clinic(rule(formula)))) == lines


@pytest.mark.parametrize(
    ("formula", "every"),
    [
        ("NOT (said() AND PREV[0,1h] said())", True),
        ("send_outreach(p, f) IMPLIES ((NOT query_record(p)) SINCE[0,1h] query_record(p))", False),
        ("send_outreach(p, f) IMPLIES (said() SINCE[0,1h] query_record(p))", True),
        ("send_outreach(p, f) IMPLIES HISTORICALLY[0,1h] NOT query_record(p)", False),
        ("said() IMPLIES HISTORICALLY[0,1h] said()", True),
        ("send_outreach(p, f) IMPLIES ONCE[0,1h] ONCE[1h,2h] query_record(p)", True),
        ("LET q(x) = query_record(x) IN send_outreach(p, f) IMPLIES ONCE[0,1h] q(p)", False),
    ],
)
def test_every_event_counts_only_where_a_formula_depends_on_it(formula: str, every: bool) -> None:  # noqa: FBT001 - a table
    """PREV does, and a positive left side of SINCE; ONCE over a predicate does not."""
    policy = clinic(rule(formula))
    assert policy.rules is not None
    assert (policy.rules.slices[Slice.SUBJECT].every is not None) is every


def test_a_leading_always_changes_nothing() -> None:
    """It is understood."""
    one, two = (clinic(rule(f"{word}send_outreach(p, f) IMPLIES ONCE query_record(p)")) for word in ("", "ALWAYS "))
    assert one.rules is not None
    assert two.rules is not None
    assert one.rules.slices[Slice.SUBJECT].rules[0].causes == two.rules.slices[Slice.SUBJECT].rules[0].causes
    assert bounds(one) == bounds(two)


def test_the_signature_is_generated() -> None:
    """From what the rules use; MonPoly reads it."""
    text = signature_text(clinic())
    assert "query_record(patient:string)\n" in text
    assert "consent(purpose:string)\n" in text
    assert "paid" not in text  # no rule asks for it, so nothing need be read off events
    assert [each.name for each in signature_of(clinic())["send_outreach"]] == ["patient", "phone"]


def test_rules_are_part_of_what_the_digest_says() -> None:
    """Another interval is another policy; comments are not."""
    assert clinic().digest == clinic(OUTREACH + "# a comment\n").digest
    assert clinic().digest != clinic(OUTREACH.replace("1h", "2h")).digest
    assert clinic() == clinic()
