"""The judge's answers, one behaviour a test."""

from dataclasses import replace

import pytest

from lawful.policies.judge import judge
from lawful.schemas.history import EMPTY, ConsentFact
from lawful.schemas.verdict import Action, Decision, Obligation
from lawful.schemas.view import ExtractionStatus, SourcePosition, SubjectRole
from tests.policies.samples import (
    DAY,
    SEEN,
    at,
    consent,
    decide,
    erasure,
    finding,
    history,
    policy,
    reasons,
    view,
    withdrawal,
)


def test_an_event_that_breaks_no_rule_is_forwarded_and_remembered() -> None:
    """The verdict names its policy and its place, and the first contact is noted."""
    rules = policy()
    judgement = judge(view("user.name", purposes=["service"]), at(7, 70), EMPTY, rules)
    verdict = judgement.verdict
    assert (verdict.decision, verdict.violations, verdict.obligations) == (Decision.FORWARD, (), ())
    assert (verdict.policy_id, verdict.policy_version, verdict.policy_digest) == (rules.id, "1", rules.digest)
    assert verdict.decided_on == (SourcePosition("lawful.annotated", 0, 7),)
    assert verdict.recorded_at == 70
    assert [(entry.offset, entry.recorded_at) for entry in judgement.history.entries] == [(7, 70)]


def test_a_second_contact_leaves_the_history_as_it_is() -> None:
    """Nothing is written per event once a subject is known."""
    past = history(SEEN)
    assert decide(view("user.name", purposes=["service"]), past).history is past


def test_a_first_contact_later_in_the_log_does_not_hide_an_earlier_one() -> None:
    """Judging an older event again notes the subject at its own place."""
    past = history(consent("marketing"), SEEN)
    assert [entry.offset for entry in judge(view(), at(0), past, policy()).history.entries] == [0, 1, 2]


def test_an_event_about_nobody_leaves_no_history() -> None:
    """A session without a subject has no row."""
    judged = decide(view("user.name", purposes=["service"], subject=None, role=SubjectRole.NOBODY))
    assert (judged.verdict.decision, judged.history) == (Decision.FORWARD, EMPTY)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        pytest.param([], "P1 consent_missing", id="missing"),
        pytest.param([consent("analytics")], "P1 consent_missing", id="for another purpose"),
        pytest.param([consent("marketing.email.weekly")], "P1 consent_missing", id="for a narrower purpose"),
        pytest.param([consent("marketing")], None, id="for a broader purpose"),
        pytest.param([consent("marketing.email")], None, id="for the purpose"),
        pytest.param([consent("marketing"), withdrawal("marketing.email")], "P1 consent_withdrawn", id="withdrawn"),
        pytest.param([consent("marketing.email"), withdrawal("marketing")], "P1 consent_withdrawn", id="broadly"),
        pytest.param([consent("marketing"), withdrawal()], "P1 consent_withdrawn", id="all withdrawn"),
        pytest.param([consent("marketing"), withdrawal("marketing.sms")], None, id="another withdrawn"),
        pytest.param([withdrawal(), consent("marketing")], None, id="given anew"),
        pytest.param([consent("marketing", expires_at=DAY)], None, id="not yet expired"),
        pytest.param([consent("marketing", expires_at=50)], "P1 consent_expired", id="expired"),
        pytest.param([consent("marketing", categories=("user.contact",))], None, id="covering"),
        pytest.param(
            [consent("marketing", categories=("user.name",))], "P1 consent_not_covering_category", id="not covering"
        ),
        pytest.param(
            [consent("marketing", categories=("user.name",)), consent("marketing", categories=("user.contact.email",))],
            None,
            id="covering together",
        ),
        pytest.param(
            [consent("marketing", expires_at=50), withdrawal("marketing")], "P1 consent_withdrawn", id="both over"
        ),
    ],
)
def test_consent_is_asked_for(facts: list[ConsentFact], expected: str | None) -> None:
    """P1 holds only for a consent that is given, reaches the purpose and the data, and is in force."""
    judged = decide(view("user.contact.email", purposes=["marketing.email"]), history(*facts))
    assert reasons(judged) == ([expected] if expected else [])
    assert judged.verdict.decision is (Decision.BLOCK if expected else Decision.FORWARD)


def test_the_evidence_is_the_event_that_tells() -> None:
    """A withdrawn consent points to the withdrawal, a missing one to the event itself."""
    mail = view("user.contact.email", purposes=["marketing"], event_id="mail")
    withdrawn = decide(mail, history(consent("marketing"), withdrawal("marketing", event_id="no-more")))
    assert withdrawn.verdict.violations[0].evidence == ("no-more",)
    assert decide(mail).verdict.violations[0].evidence == ("mail",)


def test_expiry_counts_from_the_tie_on() -> None:
    """At the very moment of its end a consent no longer holds (A10)."""
    past = history(consent("marketing", expires_at=1000))
    mail = view("user.contact.email", purposes=["marketing"])
    assert judge(mail, at(9, 999), past, policy()).verdict.decision is Decision.FORWARD
    assert judge(mail, at(9, 1000), past, policy()).verdict.decision is Decision.BLOCK


def test_time_never_runs_backwards() -> None:
    """An event stamped before an earlier fact is judged at that fact's time."""
    past = history(consent("marketing", expires_at=1000))
    past = replace(past, entries=(*past.entries, replace(past.entries[0], offset=2, recorded_at=5000, fact=SEEN)))
    mail = view("user.contact.email", purposes=["marketing"])
    assert judge(mail, at(9, 500), past, policy()).verdict.decision is Decision.BLOCK
    assert judge(mail, at(2, 500), past, policy()).verdict.decision is Decision.FORWARD


def test_no_personal_data_needs_no_consent() -> None:
    """A purpose by consent with nothing personal in the event is fine."""
    assert reasons(decide(view("system.operations", purposes=["marketing"]))) == []


def test_nobody_cannot_consent() -> None:
    """Personal data under a purpose by consent, and no subject to ask."""
    judged = decide(view("user.contact.email", purposes=["marketing"], subject=None, role=SubjectRole.NOBODY))
    assert reasons(judged) == ["P1 nobody_to_consent"]


@pytest.mark.parametrize(
    ("purpose", "facts", "expected"),
    [
        pytest.param("care", [], [], id="a condition of Art. 9"),
        pytest.param("marketing", [consent("marketing")], ["P1 explicit_consent_missing"], id="consent to everything"),
        pytest.param(
            "marketing",
            [consent("marketing", categories=("user",))],
            ["P1 explicit_consent_missing"],
            id="consent to a broad name",
        ),
        pytest.param(
            "marketing", [consent("marketing", categories=("user.health_and_medical",))], [], id="consent by name"
        ),
        pytest.param("research", [consent("research")], [], id="consent, and another condition of Art. 9"),
        pytest.param("aid", [], ["P1 consent_missing"], id="a contract, but explicit consent for health"),
        pytest.param("aid", [consent("aid")], ["P1 explicit_consent_missing"], id="the same, not explicit"),
        pytest.param("aid", [consent("aid", categories=("user.health_and_medical",))], [], id="the same, explicit"),
    ],
)
def test_special_categories_need_more(purpose: str, facts: list[ConsentFact], expected: list[str]) -> None:
    """Art. 9 asks for a consent that names the category, or another condition."""
    judged = decide(view("user.health_and_medical.genetic", purposes=[purpose]), history(*facts))
    assert reasons(judged) == expected


def test_a_broad_need_does_not_reach_special_categories() -> None:
    """`user.demographic` is necessary; religion below it still wants a condition."""
    judged = decide(view("user.demographic.religious_belief", purposes=["service"]))
    assert reasons(judged) == ["P1 article9_condition_missing"]


def test_criminal_records_need_an_authorisation() -> None:
    """Art. 10 data passes where the policy states the authorisation, and is excess elsewhere."""
    assert reasons(decide(view("user.criminal_history", purposes=["law"]))) == []
    assert reasons(decide(view("user.criminal_history", purposes=["service"]))) == ["P3 category_not_necessary"]


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(view(purposes=["spying"]), ["P2 purpose_not_declared"], id="undeclared"),
        pytest.param(view(purposes=["service.support.chat"]), [], id="below a declared one"),
        pytest.param(view(purposes=["servicing"]), ["P2 purpose_not_declared"], id="merely similar"),
        pytest.param(view("user.name"), ["P2 purpose_missing", "P3 category_not_necessary"], id="none at all"),
        pytest.param(
            view("user.name", inferred=["service"]),
            ["P2 purpose_missing", "P3 category_not_necessary"],
            id="only inferred",
        ),
        pytest.param(view(), [], id="nothing personal, nothing claimed"),
        pytest.param(view(tool="unheard_of"), ["P2 tool_not_declared"], id="an undeclared tool"),
        pytest.param(view(tool="find"), [], id="a declared tool"),
    ],
)
def test_purposes_must_be_declared(seen: object, expected: list[str]) -> None:
    """P2 knows only what the policy declares, and what lies below that."""
    assert reasons(decide(seen)) == expected  # type: ignore[arg-type]


def test_what_an_agent_puts_into_names_is_not_repeated() -> None:
    """A purpose or tool that is no name of the kind does not reach the verdict."""
    judged = decide(view(purposes=["jane.doe@shop.example +31 6 1234 5678"], tool="call Jane Doe 555-0100"))
    text = repr(judged.verdict)
    assert reasons(judged) == ["P2 purpose_not_declared", "P2 tool_not_declared"]
    assert "jane" not in text.lower()
    assert "555" not in text


def test_excess_is_redacted_at_its_places() -> None:
    """P3 gives one violation per category and one obligation per place."""
    seen = view(
        finding("user.financial", "/arguments/b"),
        finding("user.financial", "/arguments/a"),
        finding("user.name", "/arguments/c"),
        purposes=["service"],
    )
    verdict = decide(seen).verdict
    assert verdict.decision is Decision.REDACT
    assert [each.category for each in verdict.violations] == ["user.financial"]
    assert verdict.obligations == (
        Obligation("/arguments/a", 0, 4, Action.REPLACE, "user.financial"),
        Obligation("/arguments/b", 0, 4, Action.REPLACE, "user.financial"),
    )


def test_a_category_one_purpose_needs_is_not_excess() -> None:
    """Each category needs one purpose that needs it, not all."""
    assert reasons(decide(view("user.name", "user.health_and_medical", purposes=["service", "care"]))) == []


def test_a_block_has_no_obligations() -> None:
    """Nothing is redacted in what does not pass."""
    verdict = decide(view("user.financial", purposes=["service", "spying"])).verdict
    assert verdict.decision is Decision.BLOCK
    assert [each.rule for each in verdict.violations] == ["P2", "P3"]
    assert verdict.obligations == ()


def test_essential_excess_blocks() -> None:
    """Where the tool requires the argument, redacting it is no way out (A17)."""
    seen = view(finding("user.financial", "/arguments/to", essential=True), purposes=["service"], tool="find")
    judged = decide(seen)
    assert reasons(judged) == ["P3 redaction_would_break_arguments"]
    assert judged.verdict.decision is Decision.BLOCK


def test_warned_of_excess_passes_but_needs_its_grounds() -> None:
    """Where P3 only warns, consent and Art. 9 cover the excess too."""
    lenient = policy(P3="warn")
    plain = decide(view("user.name", "user.financial", purposes=["service"]), rules=lenient)
    assert (reasons(plain), plain.verdict.decision) == (["P3 category_not_necessary"], Decision.WARN)
    special = decide(view("user.health_and_medical", purposes=["service"]), rules=lenient)
    assert reasons(special) == ["P1 article9_condition_missing", "P3 category_not_necessary"]


def test_redacting_actions_redact_all_personal_data() -> None:
    """A policy that answers a missing consent by redaction lets nothing personal through."""
    seen = view("user.contact.email", "user.name", "system.operations", purposes=["marketing"])
    verdict = decide(seen, rules=policy(P1="redact")).verdict
    assert verdict.decision is Decision.REDACT
    assert {each.category for each in verdict.obligations} == {"user.contact.email", "user.name"}


def test_redacting_actions_do_not_break_tools() -> None:
    """Redaction for want of consent stops at an argument the tool requires."""
    seen = view(finding("user.contact.email", essential=True), purposes=["marketing"], tool="mail")
    judged = decide(seen, rules=policy(P1="redact"))
    assert reasons(judged) == ["P1 consent_missing", "P1 redaction_would_break_arguments"]
    assert judged.verdict.decision is Decision.BLOCK


def test_after_an_erasure_nothing_touches_the_subject() -> None:
    """Every role, with or without findings, whatever the purpose (A01)."""
    past = history(SEEN, erasure("erase-me"))
    for role in (SubjectRole.PRINCIPAL, SubjectRole.DECLARED, SubjectRole.MENTIONED):
        judged = decide(view(purposes=["service"], role=role), past)
        assert reasons(judged) == ["P4 subject_erased"]
        assert judged.verdict.violations[0].evidence == ("erase-me",)
        assert judged.history is past


def test_a_redacting_erasure_blocks_what_it_cannot_redact() -> None:
    """With `P4: redact` an event without findings still does not pass."""
    past = history(SEEN, erasure())
    assert decide(view(purposes=["service"]), past, policy(P4="redact")).verdict.decision is Decision.BLOCK
    named = decide(view("user.name", purposes=["service"]), past, policy(P4="redact"))
    assert [each.category for each in named.verdict.obligations] == ["user.name"]


def test_legal_duties_survive_an_erasure() -> None:
    """Only if all purposes do, and the verdict names them (A07)."""
    past = history(SEEN, erasure())
    kept = decide(view("user.name", purposes=["law.books"]), past).verdict
    assert (kept.decision, kept.exceptions) == (Decision.FORWARD, ("law.books",))
    mixed = decide(view("user.name", purposes=["law", "service"]), past).verdict
    assert (mixed.decision, mixed.exceptions) == (Decision.BLOCK, ())
    guessed = decide(view("user.name", purposes=["law"], inferred=["service"]), past).verdict
    assert guessed.decision is Decision.BLOCK
    assert decide(view("user.name", purposes=["law"])).verdict.exceptions == ()


def test_those_mentioned_are_judged_by_what_they_said() -> None:
    """P1 counts for someone mentioned once they gave or withdrew consent; P2 and P3 do not."""
    seen = view("user.contact.email", "user.financial", purposes=["marketing", "spying"], role=SubjectRole.MENTIONED)
    assert reasons(decide(seen)) == []
    assert reasons(decide(seen, history(consent("marketing")))) == []
    assert reasons(decide(seen, history(consent("marketing"), withdrawal()))) == ["P1 consent_withdrawn"]


@pytest.mark.parametrize("status", [ExtractionStatus.FAILED, ExtractionStatus.TIMEOUT, ExtractionStatus.OVERSIZED])
def test_what_was_not_read_through_is_withheld(status: ExtractionStatus) -> None:
    """An extraction that is not complete blocks by default (A21)."""
    judged = decide(view(purposes=["service"], status=status))
    assert reasons(judged) == [f"error extraction_{status.value}"]
    assert judged.verdict.decision is Decision.BLOCK


def test_an_exception_is_a_block_that_names_its_class_only() -> None:
    """Whatever breaks inside, the answer is a block without the exception's text (A25)."""
    broken = view(purposes=["service"], findings=[None])
    judged = decide(broken, history(SEEN))
    (violation,) = judged.verdict.violations
    assert (violation.rule, violation.reason, judged.verdict.decision) == ("error", "error", Decision.BLOCK)
    assert "AttributeError" in violation.message
    assert "NoneType" not in violation.message
