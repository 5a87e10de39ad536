"""What a recipient may not learn together: added up over a session, kept short, gone with the person."""

from dataclasses import replace
from typing import Any

import pytest

from lawful.policies.history import merge, prune
from lawful.policies.judge import At
from lawful.policies.labels.judging import judge_labelled
from lawful.policies.load import parse_policy
from lawful.policies.problems import InvalidPolicy
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import PayloadKind, Recipient, RecipientKind, RequestKind
from lawful.schemas.history import EMPTY, History, MergeFact, RequestFact
from lawful.schemas.verdict import Action, Decision, Verdict
from lawful.schemas.view import SubjectRole, View
from tests.policies import samples

ZIP, BORN, SEX = "user.contact.address.postal_code", "user.demographic.date_of_birth", "user.demographic.gender"
RULE = f"""
combinations:
  - name: who_it_is
    categories: [{ZIP}, {BORN}, {SEX}]
    most: 2
    to: {{kind: agent}}
    keep: 1h
"""
POLICY = parse_policy(samples.TEXT + RULE)
MASKING = parse_policy(samples.TEXT + RULE + "    do: mask\n")
HOUR = 3_600_000_000
AGENCY, HOTEL = (Recipient(RecipientKind.AGENT, name) for name in ("agency", "hotel"))


class Talk:
    """One person's events, one after the other."""

    def __init__(self, policy: Any = POLICY) -> None:
        self.policy, self.history, self.offset, self.now = policy, EMPTY, 0, 0

    def say(self, *categories: Any, to: Recipient | None = AGENCY, after: int = 1, **more: Any) -> Verdict:
        """An agent's message, judged."""
        self.offset += 1
        self.now += after
        given = {"kind": PayloadKind.AGENT_MESSAGE, "recipient": to, "channels": ("+who_it_is",)} | more
        view = samples.view(*categories, purposes=["service"], event_id=f"e{self.offset}", **given)
        return self.judge(view)

    def judge(self, view: View) -> Verdict:
        """A view of theirs, judged here and now."""
        _, done = judge_labelled(view, At("t", 0, self.offset, self.now), self.history, self.policy)
        self.history = done.history
        return done.verdict

    def told(self) -> list[tuple[str, ...]]:
        """What is remembered as told."""
        return [entry.fact.categories for entry in self.history.told]


def test_the_one_too_many_is_blocked_whatever_the_order() -> None:
    """Two of three pass, also again; the third does not, alone or beside others; the evidence is what was told."""
    talk = Talk()
    assert talk.say(ZIP).decision is talk.say(BORN).decision is talk.say(ZIP, BORN).decision is Decision.FORWARD
    verdict = talk.say(SEX)
    (violation,) = verdict.violations
    assert (violation.rule, violation.reason) == ("combination:who_it_is", "told_too_much_together")
    assert (verdict.decision, violation.category, violation.evidence) == (Decision.BLOCK, SEX, ("e1", "e2", "e4"))
    assert talk.told() == [(ZIP,), (BORN,)]
    assert Talk().say(ZIP, BORN, SEX).decision is Decision.BLOCK


def test_recipients_and_sessions_are_counted_apart() -> None:
    """What one learnt is not the other's; whoever is not named may be anybody."""
    talk = Talk()
    talk.say(ZIP, BORN)
    assert talk.say(SEX, to=HOTEL).decision is Decision.FORWARD
    assert talk.say(SEX, session_id="another").decision is Decision.FORWARD
    assert talk.say(BORN, to=replace(HOTEL, id="HOTEL")).decision is Decision.FORWARD
    assert talk.say(ZIP, to=Recipient(RecipientKind.AGENT, "Hotel")).decision is Decision.BLOCK
    assert talk.say(SEX, to=None).decision is Decision.BLOCK
    unnamed = Talk()
    unnamed.say(ZIP, BORN, to=None)
    assert unnamed.say(SEX).decision is unnamed.say(SEX, to=HOTEL).decision is Decision.BLOCK


@pytest.mark.parametrize(
    "written",
    ["agency ", "agency\u200b", "\uff41gency", "AGENCY\u00a0"],
)
@pytest.mark.parametrize("kind", [RecipientKind.AGENT, RecipientKind.LLM, RecipientKind.TOOL])
def test_another_spelling_or_kind_is_no_other_recipient(written: str, kind: RecipientKind) -> None:
    """Nothing begins anew for a recipient that is only written, or called, another way."""
    talk = Talk()
    talk.say(ZIP, BORN)
    assert talk.say(SEX, to=Recipient(kind, written)).decision is Decision.BLOCK


def test_an_id_of_which_nothing_can_be_seen_names_nobody() -> None:
    """It may be anybody, so what each was told counts; a tool or an agent that is meant is known by its own name."""
    talk = Talk()
    talk.say(ZIP, BORN)
    assert talk.say(SEX, to=Recipient(RecipientKind.AGENT, "\u200b ")).decision is Decision.BLOCK
    assert talk.say(SEX, to=None, kind=PayloadKind.TOOL_CALL, tool="agency ").decision is Decision.BLOCK
    assert talk.say(SEX, to=None, kind=PayloadKind.USER_MESSAGE, agent_id="agency\u200b").decision is Decision.BLOCK


def test_another_form_is_not_told() -> None:
    """What is too much passes masked, as often as it comes; a redaction for another reason does not count either."""
    talk = Talk(MASKING)
    talk.say(ZIP, BORN)
    for _ in range(2):
        verdict = talk.say(samples.finding(SEX, "/sex"), samples.finding(ZIP, "/zip"))
        assert [(each.path, each.action) for each in verdict.obligations] == [("/sex", Action.MASK)]
    assert talk.told() == [tuple(sorted((ZIP, BORN)))]
    breaks = talk.say(samples.finding(SEX, essential=True))
    assert [(each.reason, each.decision) for each in breaks.violations] == [
        ("redaction_would_break_arguments", Decision.BLOCK)
    ]


def test_a_broad_category_may_be_any_of_them() -> None:
    """An address has a postal code; `user` may be all three; what lies below a member is that member."""
    talk = Talk()
    assert talk.say("user.contact.address", BORN).decision is Decision.FORWARD
    assert talk.say(SEX).decision is Decision.BLOCK
    assert Talk().say("user.demographic", ZIP).decision is Decision.BLOCK


def test_a_disclosure_counts_for_a_time_and_is_not_written_again_and_again() -> None:
    """For an hour at least, and not for two; a row holds a few entries, and only categories that a rule asks about."""
    talk = Talk()
    for _ in range(50):
        talk.say(ZIP, BORN, "user.name")
    assert talk.told() == [tuple(sorted((ZIP, BORN)))]
    assert talk.say(SEX, after=HOUR - 60).decision is Decision.BLOCK
    assert talk.say(SEX, after=HOUR).decision is Decision.FORWARD
    assert prune(talk.history, talk.now).told == talk.history.told[1:]
    assert ZIP.encode() in encode(talk.history)
    assert decode(encode(talk.history), History) == talk.history


def test_an_event_that_comes_again_is_judged_as_it_was() -> None:
    """Its own disclosure is no past of it, and neither is what was told later."""
    talk = Talk()
    talk.say(ZIP, BORN)
    before = talk.history
    again = samples.view(
        ZIP, BORN, purposes=["service"], event_id="e1", kind=PayloadKind.AGENT_MESSAGE, recipient=AGENCY,
        channels=("+who_it_is",),
    )  # fmt: skip
    assert talk.judge(again).decision is Decision.FORWARD
    assert talk.history == before
    late = replace(again, event_id="late", findings=(samples.finding(SEX),))
    _, done = judge_labelled(late, At("t", 0, 0, 1), before, POLICY)
    assert done.verdict.decision is Decision.FORWARD


def test_two_identifiers_of_one_person_are_added_up_when_they_meet() -> None:
    """The alias's disclosures come along."""
    one, other = Talk(), Talk()
    one.say(ZIP)
    other.say(BORN)
    one.offset += 1
    brought = MergeFact("link", "alias", other.history.entries, told=other.history.told)
    one.history = merge(one.history, brought, one.offset, one.now)
    assert merge(one.history, brought, one.offset, one.now) == one.history
    assert one.say(SEX).decision is Decision.BLOCK


def test_it_is_gone_with_the_person() -> None:
    """An erasure ends it all: the next time the row is looked through, nothing is left."""
    talk = Talk()
    talk.say(ZIP, BORN)
    talk.offset += 1
    erasure = RequestFact("bye", RequestKind.ERASURE, "r")
    talk.judge(samples.telling(erasure, event_id="bye"))
    assert prune(talk.history, talk.now + HOUR).told == ()
    far = Talk()
    far.say(ZIP, BORN)
    far.offset += 10_000
    far.judge(samples.telling(erasure, event_id="bye"))
    assert far.told() == []


@pytest.mark.parametrize("more", [{"role": SubjectRole.MENTIONED}, {"channels": ()}, {"slice": "session"}])
def test_what_it_is_not_about_is_left_alone(more: dict[str, Any]) -> None:
    """People who are only mentioned, other recipients, views for temporal rules: nothing is said or kept."""
    talk = Talk()
    assert not [each for each in talk.say(ZIP, BORN, SEX, **more).violations if each.rule.startswith("combination")]
    assert talk.told() == []


def test_a_rule_that_is_gone_blocks() -> None:
    """An event that was annotated under an older version of the policy does not slip through."""
    verdict = Talk(samples.policy()).say(ZIP)
    assert [each.reason for each in verdict.violations] == ["combination_unknown"]
    assert verdict.decision is Decision.BLOCK


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("most: 2", "most: 3", "nothing would ever be too much"),
        (SEX, "user.demographic.gendre", "is no data category"),
        (SEX, BORN, "is among the others already"),
        (SEX, "user.contact.address", "is among the others already"),
        ("kind: agent", "role: nobody", "nobody has the role"),
        ("keep: 1h", "do: pass", "what is too much would pass"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(old: str, new: str, said: str) -> None:
    """With its place."""
    with pytest.raises(InvalidPolicy, match=said):
        parse_policy(samples.TEXT + RULE.replace(old, new, 1))
