"""Golden cases: the packs pass theirs, and what fails says how."""

from dataclasses import replace

import pytest

from lawful.policies.golden import run_golden, run_pack
from lawful.policies.goldenfile import load_golden, parse_golden
from lawful.policies.load import load_pack, pack_folder, pack_names, parse_policy
from lawful.policies.problems import InvalidPolicy
from lawful.schemas.verdict import Predicate
from tests.policies.samples import TEXT, policy


@pytest.mark.parametrize("name", pack_names())
def test_packs_pass_their_cases(name: str) -> None:
    """What a pack promises, it does."""
    results = run_pack(name)
    assert results
    assert [(each.name, each.differences) for each in results if not each.passed] == []


@pytest.mark.parametrize("name", pack_names())
def test_packs_show_what_they_are_for(name: str) -> None:
    """Each pack's cases reach all four predicates, and a forward and a block."""
    expected = [step.expect for case in load_golden(pack_folder(name)) for step in case.steps]
    rules = {violation.split()[0] for each in expected for violation in each.violations}
    assert {each.value for each in Predicate} - {"error"} <= rules
    assert {"forward", "block"} <= {each.decision.value for each in expected}


def test_together_they_show_every_decision() -> None:
    """Warnings and redactions occur as well."""
    decisions = {
        step.expect.decision.value
        for name in pack_names()
        for case in load_golden(pack_folder(name))
        for step in case.steps
    }
    assert decisions == {"forward", "warn", "redact", "block"}


@pytest.mark.parametrize("name", pack_names())
def test_a_changed_policy_fails_its_cases(name: str) -> None:
    """Cases that a policy without purposes could pass would prove nothing."""
    hollow = replace(load_pack(name), purposes={})
    assert not all(each.passed for each in run_golden(hollow, load_golden(pack_folder(name))))


def test_a_difference_says_what_was_expected_and_what_came() -> None:
    """One line per thing that differs, with the step it differs in."""
    cases = parse_golden("""
cases:
  - name: wrong in many ways
    steps:
      - event: {tool: find, finds: [user.name]}
        expect: {decision: forward}
      - event: {tool: find, finds: [user.financial]}
        expect: {decision: block, violations: [P1 consent_missing], outcome: erased, exceptions: [law]}
""")
    (result,) = run_golden(policy(), cases)
    assert not result.passed
    assert result.differences == (
        "step 2: decision: expected block; got redact",
        "step 2: violations: expected P1 consent_missing; got P3 category_not_necessary",
        "step 2: redact: expected none; got user.financial",
        "step 2: outcome: expected erased; got none",
        "step 2: exceptions: expected law; got none",
    )


def test_cases_do_not_know_of_each_other() -> None:
    """A consent in one case is none in the next."""
    cases = parse_golden("""
cases:
  - name: with
    given: [{consent: {purposes: [marketing]}}]
    steps: [{event: {tool: mail, finds: [user.name]}, expect: {decision: forward}}]
  - name: without
    steps: [{event: {tool: mail, finds: [user.name]}, expect: {decision: forward}}]
""")
    assert [each.passed for each in run_golden(policy(), cases)] == [True, False]


@pytest.mark.parametrize(
    "event",
    [
        "{message: assistant}",
        "{message: agent}",
        "{memory: read}",
        "{memory: write}",
        "{tool: find, result: true}",
    ],
)
def test_every_kind_of_event_can_be_told(event: str) -> None:
    """Messages, memory and results are judged like the rest."""
    cases = parse_golden(
        f"cases: [{{name: x, steps: [{{event: {event.replace('}', ', finds: [user.financial]}')}, "
        "expect: {decision: redact, violations: [P3 category_not_necessary], redact: [user.financial]}}]}]"
    )
    (result,) = run_golden(policy(), cases)
    assert result.differences == ()


def test_misspelt_cases_are_refused_with_their_place() -> None:
    """A case that tests nothing because of a typo is worse than none."""
    with pytest.raises(InvalidPolicy, match=r"g\.yaml:1:47: unknown key 'tol'.*did you mean 'tool'"):
        parse_golden("cases: [{name: x, steps: [{event: {finds: [], tol: a}, expect: {decision: block}}]}]", "g.yaml")


CHANNELS = """
roles: {doctor: [doctor]}
recipients:
  - {name: others, to: {kind: agent}, except: {role: doctor}, categories: {user.contact: mask}, fields: {salary: block}}
"""


def test_cases_travel_channels() -> None:
    """A recipient has its channels; without one, every channel that its like could travel."""
    cases = parse_golden("""
cases:
  - name: who gets what
    steps:
      - event: {message: agent, to: {kind: agent, id: doctor}, purposes: [service], finds: [user.contact]}
        expect: {decision: forward}
      - event: {message: agent, to: {kind: agent, id: supervisor}, purposes: [service], finds: [user.contact]}
        expect:
          decision: redact
          violations: [channel:others not_for_recipient]
          redact: [user.contact]
          treated: {user.contact: mask}
      - event: {message: agent, purposes: [service], finds: [system.field.salary]}
        expect: {decision: block, violations: [channel:others not_for_recipient]}
      - event: {message: assistant, purposes: [service], finds: [user.contact]}
        expect: {decision: forward}
      - event: {message: agent, agent: doctor, to: {kind: third_party}, purposes: [service], finds: [user.contact]}
        expect: {decision: forward}
""")
    assert run_golden(parse_policy(TEXT + CHANNELS), cases)[0].differences == ()
