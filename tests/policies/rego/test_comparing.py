"""`policy diff` on Rego rules: whether there are any, what they lead to, and what the cases say."""

from dataclasses import replace

import pytest

from lawful.policies.diff import diff, golden_changes
from lawful.policies.goldenfile import parse_golden
from lawful.policies.model import RegoRules
from lawful.schemas.verdict import Decision
from tests.policies.samples import policy

RULES = RegoRules((("deny.rego", "one"),), ("data.user.deny",))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, RULES, ["stricter: rego: rules in Rego are new"]),
        (RULES, None, ["looser: rego: rules in Rego are gone"]),
        (RULES, RULES, []),
        (RULES, replace(RULES, decision=Decision.WARN), ["looser: rego: a denial leads to warn instead of block"]),
        (RULES, replace(RULES, limit_ms=50), ["stricter: rego: limit_ms is 50 instead of 100"]),
        (
            RULES,
            replace(RULES, modules=(("deny.rego", "two"),)),
            ["neutral: rego: says something else; see --golden"],
        ),
    ],
)
def test_changes_are_told(old: RegoRules | None, new: RegoRules | None, expected: list[str]) -> None:
    """With their direction, as far as it can be known."""
    found = diff(replace(policy(), rego=old), replace(policy(), rego=new))
    assert [str(change) for change in found] == expected


def test_cases_do_not_pass_for_want_of_a_denier() -> None:
    """Nothing runs the rules, so the case is blocked, not forwarded."""
    cases = parse_golden("cases: [{name: one, steps: [{event: {tool: find}, expect: {decision: forward}}]}]")
    (change,) = golden_changes(policy(), replace(policy(), rego=RULES), cases)
    assert (change.was, change.now) == ("forward", "block, error rego_unavailable")
