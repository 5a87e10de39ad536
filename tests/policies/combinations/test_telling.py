"""Combinations explained, compared and linted, on their way through golden cases."""

import pytest

from lawful.policies.diff import diff
from lawful.policies.explain import explain_policy
from lawful.policies.explain_channels import explain_recipient
from lawful.policies.golden import run_golden
from lawful.policies.goldenfile import parse_golden
from lawful.policies.lint import lint
from lawful.policies.load import parse_policy
from tests.policies import samples

RULE = """
roles: {doctor: [doctor]}
combinations:
  - name: who_it_is
    categories: [user.contact.address.postal_code, user.demographic.date_of_birth, user.demographic.gender]
    most: 2
    to: {kind: agent}
    except: {role: doctor}
    keep: 1h
    do: mask
"""
TEXT = samples.TEXT + RULE


def test_a_combination_in_plain_words() -> None:
    """By its name, and for whom it is about."""
    (told,) = explain_recipient(parse_policy(TEXT), "who_it_is")
    assert (told.kind, told.facts["most"], told.facts["keep_seconds"]) == ("combination", 2, 3_600)
    words = " ".join(told.words)
    for sentence in (
        "What goes to those of the kind agent may tell of one person, over a session, at most 2 of:",
        "Not for those with the role doctor, as far as that is known.",
        "What is one too many is masked; what was told counts for 1 hour at least.",
    ):
        assert sentence in words, words
    assert "Combinations: who_it_is" in " ".join(explain_policy(parse_policy(TEXT)).words)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("most: 2", "most: 1", "stricter: combination who_it_is: at most 1 instead of 2"),
        ("keep: 1h", "keep: 30m", "looser: combination who_it_is: what was told counts for 30 minutes"),
        ("do: mask", "do: block", "stricter: combination who_it_is: what is too much: block instead of mask"),
        ("do: mask", "do: remove", "neutral: combination who_it_is: what is too much: remove instead of mask"),
        (", user.demographic.gender]", "]\n    message: no", "looser: combination who_it_is: no longer counts"),
        ("name: who_it_is", "name: other", "looser: combination who_it_is: is gone"),
        ("name: who_it_is", "name: other", "stricter: combination other: is new"),
        ("kind: agent", "kind: llm", "neutral: combination who_it_is: holds for others than before"),
    ],
)
def test_a_change_has_a_direction(old: str, new: str, expected: str) -> None:
    """One replacement, and how it is told."""
    assert old in TEXT
    changed = TEXT.replace(old, new, 1).replace("most: 2", "most: 1" if "message: no" in new else "most: 2", 1)
    told = [str(each) for each in diff(parse_policy(TEXT), parse_policy(changed))]
    assert any(each.startswith(expected) for each in told), told


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("do: mask", "do: warn", "combination_only_noted"),
        (
            "[user.contact.address.postal_code, user.demographic.date_of_birth, user.demographic.gender]",
            "[user.financial, user.criminal_history, user.demographic.gender]",
            "combination_never_met",
        ),
    ],
)
def test_what_is_hardly_meant_is_told(old: str, new: str, code: str) -> None:
    """And the rest of the policy is fine."""
    assert not [each for each in lint(TEXT).flaws if each.code.startswith(("combination", "channel_part"))]
    assert old in TEXT
    assert [each.code for each in lint(TEXT.replace(old, new, 1)).flaws if each.code.startswith("combination")] == [
        code
    ]


def test_golden_cases_add_up() -> None:
    """From step to step; the doctor is exempt, and another agent has learnt nothing yet."""
    cases = parse_golden("""
cases:
  - name: bit by bit
    steps:
      - event: {message: agent, to: {kind: agent, id: agency}, purposes: [service], finds: [user.demographic.gender]}
        expect: {decision: forward}
      - event:
          message: agent
          to: {kind: agent, id: agency}
          purposes: [service]
          finds: [user.contact.address.postal_code]
        expect: {decision: forward}
      - event:
          message: agent
          to: {kind: agent, id: agency}
          purposes: [service]
          finds: [user.demographic.date_of_birth]
        expect:
          decision: redact
          violations: [combination:who_it_is told_too_much_together]
          redact: [user.demographic.date_of_birth]
      - event:
          message: agent
          to: {kind: agent, id: doctor}
          purposes: [service]
          finds:
            - user.demographic.date_of_birth
            - {category: user.demographic.gender, at: /text/b}
            - {category: user.contact.address.postal_code, at: /text/c}
        expect: {decision: forward}
""")
    assert run_golden(parse_policy(TEXT), cases)[0].differences == ()
