"""Labels explained, compared and linted."""

import pytest

from lawful.policies.diff import diff
from lawful.policies.explain import explain_policy
from lawful.policies.lint import lint
from lawful.policies.load import parse_policy
from tests.policies import samples

LABELS = """
labels:
  from: [agent, memory]
  keep: 12h
  without_place: block
  declassify:
    - name: summary
      why: it says how urgent it is
      agents: [triage]
      purposes: [care]
      categories: [user.health_and_medical]
"""
TEXT = samples.TEXT + LABELS


def test_labels_in_plain_words() -> None:
    """Who gives them, for how long, what becomes of a redaction without a place, and who may lift what."""
    told = explain_policy(parse_policy(TEXT))
    assert told.facts["labels"]["keep_seconds"] == 43_200
    words = " ".join(told.words)
    for sentence in (
        "Labels are given by: AgentMessage, MemoryRead, MemoryWrite; what they cause has them for 12 hours.",
        "A label that would have to be redacted blocks the event.",
        "Declassification summary: triage may lift user.health_and_medical for care: it says how urgent it is.",
    ):
        assert sentence in words, words


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[agent, memory]", "[agent, memory, user]", "stricter: labels: events of the kind UserMessage give labels"),
        ("[agent, memory]", "[agent]", "looser: labels: events of the kind MemoryRead give no labels any more"),
        ("keep: 12h", "keep: 1h", "looser: labels: are kept 1 hour instead of 12 hours"),
        ("keep: 12h", "keep: 2d", "stricter: labels: are kept 2 days instead of 12 hours"),
        ("without_place: block", "without_place: withhold", "looser: labels: where nobody knows a place"),
        ("name: summary", "name: other", "stricter: declassification summary: is gone"),
        ("name: summary", "name: other", "looser: declassification other: is new"),
        ("[triage]", "[triage, desk]", "looser: declassification summary: the agent 'desk' may use it, too"),
        ("[triage]", "[desk]", "stricter: declassification summary: the agent 'triage' may no longer use it"),
        ("[care]", "[care, aid]", "looser: declassification summary: lifts events for 'aid', too"),
        (
            "[user.health_and_medical]",
            "[user.health_and_medical.genetic]",
            "stricter: declassification summary: no longer lifts labels of 'user.health_and_medical'",
        ),
        ("how urgent it is", "nothing else", "neutral: declassification summary: is in other words"),
    ],
)
def test_a_change_has_a_direction(old: str, new: str, expected: str) -> None:
    """One replacement, and how it is told."""
    assert old in LABELS
    changed = TEXT.replace(LABELS, LABELS.replace(old, new, 1))
    told = [str(each) for each in diff(parse_policy(TEXT), parse_policy(changed))]
    assert any(each.startswith(expected) for each in told), told


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("[agent, memory]", "[]", "labels_from_nobody"),
        ("[user.health_and_medical]", "[user]", "declassification_of_everything"),
        ("[user.health_and_medical]", "[user.name, user.name]", "declassification_repeats"),
        ("purposes: [care]", "purposes: [care, care.urgent]", "declassification_repeats"),
    ],
)
def test_what_is_hardly_meant_is_told(old: str, new: str, code: str) -> None:
    """And the rest of the policy is fine."""
    parts = ("labels_", "declassification_")
    assert not [each for each in lint(TEXT).flaws if each.code.startswith(parts)]
    changed = TEXT.replace(LABELS, LABELS.replace(old, new, 1))
    assert [each.code for each in lint(changed).flaws if each.code.startswith(parts)] == [code]
