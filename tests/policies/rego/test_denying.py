"""Denials: read as what strangers wrote, and never taken for consent when they do not come."""

from dataclasses import dataclass, replace

import pytest

from lawful.policies.judge import judge
from lawful.policies.model import Policy, RegoRules
from lawful.policies.rego.denying import Denial, DenierFailed, denials, read_denials
from lawful.schemas.history import EMPTY
from lawful.schemas.verdict import Decision, Violation
from lawful.schemas.view import View
from tests.policies.samples import at, consent, erasure, finding, policy, telling, view

RULES = RegoRules((("deny.rego", "package user"),), ("data.user.deny",))
NO = {"reason": "no", "message": "no"}


@dataclass
class Says:
    """A denier that always says the same."""

    found: tuple[Denial, ...] = ()
    error: Exception | None = None

    def deny(self, rules: RegoRules, document: str, /) -> tuple[Denial, ...]:
        """What it was told to say."""
        if self.error is not None:
            raise self.error
        return self.found

    def close(self) -> None:
        """Nothing to end."""


def ruled(decision: Decision = Decision.BLOCK) -> Policy:
    """The sample policy with Rego rules."""
    return replace(policy(), rego=replace(RULES, decision=decision))


def asked(seen: View, says: Says | None, rules: Policy) -> tuple[Violation, ...]:
    """What comes of a view."""
    return denials(seen, at(5), EMPTY, rules, says)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "<undefined>",
        {"reason": "no", "message": "no"},
        ["no"],
        [{"reason": "no"}],
        [NO | {"more": 1}],
        [NO | {"reason": "Not snake"}],
        [NO | {"reason": "x" * 64}],
        [NO | {"reason": 3}],
        [NO | {"message": 3}],
        [NO | {"category": "user.nonsense"}],
        [NO] * 65,
    ],
)
def test_what_is_no_set_of_denials_is_refused(value: object) -> None:
    """Reasons are snake_case, categories known, and there are not too many."""
    with pytest.raises(DenierFailed) as raised:
        read_denials(value)
    assert raised.value.reason == "rego_malformed"


def test_messages_are_bounded() -> None:
    """Long ones are cut, and what does not print becomes a blank."""
    (denial,) = read_denials([{"reason": "no", "message": "a\n\x1b" + "x" * 600, "category": "user.contact.email"}])
    assert denial == Denial("no", "a  " + "x" * 497, "user.contact.email")


@pytest.mark.parametrize("decision", [Decision.BLOCK, Decision.WARN])
def test_a_denial_is_a_violation(decision: Decision) -> None:
    """Its rule says where it comes from; the policy says what it leads to."""
    rules = ruled(decision)
    (violation,) = asked(view(), Says((Denial("no", "not so"),)), rules)
    assert (violation.rule, violation.reason, violation.decision) == ("rego:no", "no", decision)
    judged = judge(view(), at(5), EMPTY, rules, denials=(violation,))
    assert judged.verdict.decision is decision
    assert (judged.history is EMPTY) is (decision is Decision.BLOCK)


def test_denials_join_the_predicates_violations() -> None:
    """A warning leaves obligations alone; a block needs none."""
    excess = view(finding("user.financial"), purposes=["service"])
    before = judge(excess, at(5), EMPTY, ruled())
    assert before.verdict.decision is Decision.REDACT
    for decision in (Decision.WARN, Decision.BLOCK):
        added = asked(excess, Says((Denial("no", "no"),)), ruled(decision))
        verdict = judge(excess, at(5), EMPTY, ruled(), denials=added).verdict
        assert set(verdict.violations) == {*before.verdict.violations, *added}
        assert verdict.decision is max(decision, Decision.REDACT)
        assert verdict.obligations == (before.verdict.obligations if decision is Decision.WARN else ())


@pytest.mark.parametrize("seen", [telling(consent("marketing")), telling(erasure()), view(slice="session")])
def test_only_ordinary_events_are_shown(seen: View) -> None:
    """A consent or a request counts whatever the rules would say."""
    assert asked(seen, Says((Denial("no", "no"),)), ruled()) == ()


def test_a_policy_without_rego_asks_nobody() -> None:
    """Nothing is started for it."""
    assert asked(view(), Says(error=RuntimeError()), policy()) == ()


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        (None, "rego_unavailable"),
        (Says(error=DenierFailed("rego_timeout")), "rego_timeout"),
        (Says(error=RuntimeError("ada@example.com")), "rego_failed"),
    ],
)
def test_no_answer_blocks(says: Says | None, reason: str) -> None:
    """Even if denials only warn; and the error quotes nothing."""
    (violation,) = asked(view(), says, ruled(Decision.WARN))
    assert (violation.rule, violation.reason, violation.decision) == ("error", reason, Decision.BLOCK)
    assert "ada" not in violation.message
