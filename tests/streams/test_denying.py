"""A policy's own Rego rules on the path of an event: block, warn, redelivery, and without a denier."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lawful.client import Blocked, Guard
from lawful.infra.denier import RegoDenier
from lawful.policies.model import Policy, RegoRules
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.verdict import Decision
from lawful.streams.checks import check_policies
from lawful.streams.inprocess import InProcessTransport
from lawful.streams.judging import FEW_FACTS
from tests.streams.kit import ADA, KERNEL, MINUTE, PEOPLE, POLICY, TENANT, Log, OnePolicy, PlainExtractor, pseudonym

MODULE = """package user
import rego.v1
deny contains {"reason": "orders_rest", "message": "no orders today"} if input.view.tool == "find_order"
deny contains {"reason": "second_contact", "message": "once is enough"} if {
    input.view.kind == "UserMessage"
    count(input.history) > 0
}
"""
RULES = RegoRules((("deny.rego", MODULE),), ("data.user.deny",), limit_ms=10_000)


def ruled(decision: Decision = Decision.BLOCK) -> Policy:
    """The kit's policy with Rego rules."""
    return replace(POLICY, rego=replace(RULES, decision=decision))


@pytest.fixture(scope="module")
def denier() -> Iterator[RegoDenier]:
    """One for all tests of this file."""
    made = RegoDenier()
    yield made
    made.close()


def log_of(denier: RegoDenier | None, decision: Decision = Decision.BLOCK) -> Log:
    """A log judged by the ruled policy."""
    return Log(replace(KERNEL, policies=OnePolicy(ruled(decision)), denier=denier))


def test_what_is_denied_did_not_happen(denier: RegoDenier) -> None:
    """The first message is a first contact; the second is blocked, and leaves the history as it was."""
    log = log_of(denier)
    assert log.say("hello", ADA).decision is Decision.FORWARD
    before = log.replayed.rows[pseudonym(ADA)]
    blocked = log.say("hello again", ADA)
    assert [(each.rule, each.decision) for each in blocked.violations] == [("rego:second_contact", Decision.BLOCK)]
    assert log.replayed.rows[pseudonym(ADA)] == before


def test_a_consent_is_no_business_of_the_rules(denier: RegoDenier) -> None:
    """Facts are recorded, and then seen by the rules."""
    log = log_of(denier)
    assert log.consent(ADA).decision is Decision.FORWARD
    assert log.say("hello", ADA).decision is Decision.BLOCK


def test_denials_may_warn(denier: RegoDenier) -> None:
    """Then the event passes, and is told."""
    log = log_of(denier, Decision.WARN)
    log.consent(ADA)
    assert log.say("hello", ADA).decision is Decision.WARN


def test_what_rules_may_ask_for_is_kept(denier: RegoDenier) -> None:
    """Nothing is pruned from a history that rules can count."""
    log = log_of(denier)
    for _ in range(FEW_FACTS + 8):
        log.consent(ADA)
        log.time += 30 * 24 * 60 * MINUTE
    assert len(log.replayed.rows[pseudonym(ADA)].history.entries) == FEW_FACTS + 8


def test_redelivery_is_answered_the_same(denier: RegoDenier) -> None:
    """A record that comes again is judged as of its first place, by the rules too."""
    log = log_of(denier)
    first = log.say("hello", ADA)
    log.consent(ADA)
    log.say("again", ADA)
    for event, _ in list(log.entries):
        log.put(event)
    assert log.replayed.verdicts[first.event_id] == first
    assert not log.replayed.contradictions


def test_without_a_denier_every_ordinary_event_is_blocked() -> None:
    """And a worker says so at its start."""
    log = log_of(None)
    (violation,) = log.say("hello", ADA).violations
    assert (violation.rule, violation.reason) == ("error", "rego_unavailable")
    assert log.consent(ADA).decision is Decision.FORWARD
    with pytest.raises(ConfigurationError, match="nothing here runs them"):
        check_policies(OnePolicy(ruled()), None)


def test_a_guard_hears_what_the_rules_say() -> None:
    """End to end in one process: the tool is not called, and the reason is the author's."""
    denier = RegoDenier()
    transport = InProcessTransport(OnePolicy(ruled()), PlainExtractor(), PEOPLE, denier=denier)
    guard = Guard(transport, agent="shop", tenant=TENANT)
    called: list[str] = []

    @guard.tool("find_order", purposes=["order"])
    def find_order(number: str) -> str:
        called.append(number)
        return "found"

    with guard.session(subject=ADA), pytest.raises(Blocked, match="no orders today"):
        find_order("1")
    assert called == []
    transport.close()
    assert denier.pid(ruled().rego or RULES) is None
