"""The auditors that come along: each decides by its own means, and takes as given what it does not know."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from lawful.policies.auditing import Auditor, Brief
from lawful.policies.auditing.judges import (
    JUDGES,
    CalledAuditor,
    PackAuditor,
    ReaderAuditor,
    briefing,
)
from lawful.policies.load import parse_policy
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.history import EMPTY, History
from lawful.schemas.verdict import Decision, Violation
from lawful.schemas.view import SubjectRole, View
from tests.policies.samples import TEXT, at, consent, decide, erasure, finding, history, policy, view, withdrawal

RED = Violation("no_chatter", "rule_violated", Decision.WARN, "a rule of the policy's own")
CASES: Iterable[tuple[View, History]] = (
    (view(), EMPTY),
    (view("user.contact.email", purposes=["service"]), EMPTY),
    (view("user.contact.email", purposes=["marketing"]), EMPTY),
    (view("user.contact.email", purposes=["marketing"]), history(consent("marketing"))),
    (view("user.contact.email", purposes=["marketing"]), history(consent("marketing"), withdrawal("marketing"))),
    (view("user.financial", purposes=["service"]), EMPTY),
    (view("user.contact.email", purposes=["service"]), history(erasure())),
    (view("user.contact.email", purposes=["unheard_of"]), EMPTY),
)


def brief(seen: View, past: History = EMPTY) -> Brief:
    """What auditors are given of an event after a history."""
    place = at(past.through + 100)
    return Brief(seen, place, past, policy(), decide(seen, past, place=place).verdict)


@pytest.mark.parametrize("name", ["python", "rego", "mfotl"])
@pytest.mark.parametrize("case", CASES)
def test_the_judges_agree_with_a_verdict_that_is_right(name: str, case: tuple[View, History]) -> None:
    """Each by its own means, on forwards, redactions and blocks."""
    given = brief(*case)
    assert JUDGES[name]().ask(given).decision is given.verdict.decision


@pytest.mark.parametrize("name", ["python", "rego", "mfotl"])
def test_the_judges_object_to_a_verdict_that_is_wrong(name: str) -> None:
    """The operational judge was made to forward what lacks consent."""
    given = brief(view("user.contact.email", purposes=["marketing"]))
    lying = replace(given, verdict=replace(given.verdict, decision=Decision.FORWARD, violations=()))
    assert JUDGES[name]().ask(lying).decision is Decision.BLOCK


@pytest.mark.parametrize("name", ["rego", "mfotl"])
def test_what_a_policys_own_rule_said_is_taken_as_given(name: str) -> None:
    """These judges know the four predicates only, and do not doubt the rest."""
    given = brief(view())
    warned = replace(given, verdict=replace(given.verdict, decision=Decision.WARN, violations=(RED,)))
    assert JUDGES[name]().ask(warned).decision is Decision.WARN


def test_another_policy_decides_by_its_own_rules() -> None:
    """A stricter pack blocks what this policy only redacts."""
    strict = parse_policy(TEXT.replace("id: sample", "id: strict") + "actions:\n  P3: block\n")
    auditor: Auditor = PackAuditor(strict)
    given = brief(view("user.financial", purposes=["service"]))
    assert (auditor.name, auditor.version, given.verdict.decision) == ("pack:strict", "1", Decision.REDACT)
    assert auditor.ask(given).decision is Decision.BLOCK


def test_what_a_second_extractor_finds_is_judged_with_the_rest() -> None:
    """A finding that the first one missed is redacted, and the opinion says where."""
    missed = finding("user.financial", "/text")
    given = brief(view("user.contact.email", purposes=["service"], heavy=True, reread=(missed,)))
    opinion = ReaderAuditor().ask(given)
    assert given.verdict.decision is Decision.FORWARD
    assert opinion.decision is Decision.REDACT
    assert [each.category for each in opinion.obligations] == ["user.financial"]


def test_a_second_reading_of_others_does_not_concern_who_is_mentioned() -> None:
    """Their view has the findings that name them."""
    other = finding("user.financial", subject="somebody else")
    seen = view(role=SubjectRole.MENTIONED, reread=(other,))
    assert ReaderAuditor().ask(brief(seen)).decision is Decision.FORWARD


def test_without_a_second_reading_there_is_no_opinion() -> None:
    """Which is a doubt."""
    with pytest.raises(InvalidRecord, match="no second extractor"):
        ReaderAuditor().ask(brief(view()))


def test_a_callable_gets_a_document_without_content_and_answers_with_a_word() -> None:
    """A word, a word with a reason, or an opinion; anything else raises."""
    told: list[Mapping[str, Any]] = []

    def ask(document: Mapping[str, Any]) -> tuple[str, str]:
        told.append(document)
        return "block", "too_odd"

    given = brief(view("user.contact.email", purposes=["marketing"]))
    opinion = CalledAuditor("odd", ask).ask(given)
    assert (opinion.decision, opinion.reason) == (Decision.BLOCK, "too_odd")
    assert told == [briefing(given)]
    assert told[0]["verdict"]["violations"][0]["reason"] == "consent_missing"
    assert set(told[0]) == {"view", "at", "history", "policy", "event", "verdict"}
    assert CalledAuditor("odd", lambda _: "warn").ask(given).decision is Decision.WARN
    with pytest.raises(KeyError):
        CalledAuditor("odd", lambda _: "whatever").ask(given)


def test_a_pack_judges_the_channels_that_it_has() -> None:
    """An event's channels are its own policy's; those of another name are none of the pack's business."""
    auditor = PackAuditor(parse_policy(TEXT + "recipients: [{name: known, otherwise: block}]\n"))
    seen = brief(view("user.name", purposes=["service"]))
    for channels, decision in ((("unheard_of", "+together"), Decision.FORWARD), (("known",), Decision.BLOCK)):
        travelled = replace(seen, view=replace(seen.view, channels=channels))
        assert auditor.ask(travelled).decision is decision
