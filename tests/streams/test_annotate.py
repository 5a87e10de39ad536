import json
from dataclasses import replace
from typing import Any

import pytest

from lawful.extractors.port import Extraction, ExtractionSpec
from lawful.policies.model import Extraction as ExtractionRules
from lawful.policies.model import IdentifierRule
from lawful.schemas.event import (
    AgentEvent,
    ConsentGiven,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    Recipient,
    RecipientKind,
    RequestKind,
    ToolCall,
    UserMessage,
)
from lawful.schemas.history import ConsentFact, LinkFact, RequestFact
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.view import ExtractionStatus, Provenance, PurposeClaim, ReplyTo, SourcePosition, SubjectRole, View
from lawful.streams.kernel import Kernel, SourceRecord, annotate
from tests.streams.kit import (
    ADA,
    ADA_ID,
    BOB,
    KERNEL,
    MINUTE,
    PEOPLE,
    POLICY,
    TENANT,
    OnePolicy,
    PlainExtractor,
    pseudonym,
)
from tests.streams.kit import make_event as event_of

AT = SourceRecord(SourcePosition("lawful.events", 3, 7), 1_700_000_000_000_000, ReplyTo("lawful.replies.x", 1, b"c"))


def views(event: AgentEvent, kernel: Kernel = KERNEL) -> tuple[View, ...]:
    """The views of an event at the usual place."""
    return annotate(event, AT, kernel)


def test_a_message_about_its_principal_is_one_view_under_the_principals_pseudonym() -> None:
    """The usual event has one view, keyed by the principal, with all findings and the record's time."""
    (view,) = views(event_of(UserMessage("I am ada@example.com"), ADA))
    assert (view.key, view.subject, view.role) == (pseudonym(ADA), pseudonym(ADA), SubjectRole.PRINCIPAL)
    assert (view.part, view.parts, view.position, view.recorded_at) == (0, 1, AT.position, AT.recorded_at)
    assert [(f.path, f.start, f.end) for f in view.findings] == [("/text", 5, 20)]
    assert view.reply_to == AT.reply_to
    assert view.policy_id == "shop"


@pytest.mark.parametrize(
    ("kind", "written", "seen"),
    [
        (RecipientKind.AGENT, " Des\u200bk\x00", "Desk"),
        (RecipientKind.LLM, "\uff4dodel", "model"),
        (RecipientKind.THIRD_PARTY, "\u200b", ""),
        (RecipientKind.AGENT, "", ""),
    ],
)
def test_a_view_names_the_recipient_as_it_looks(kind: RecipientKind, written: str, seen: str) -> None:
    """Its case is kept, what cannot be seen is not, and whoever is not named gets no pseudonym."""
    event = replace(event_of(UserMessage("hello"), ADA), recipient=Recipient(kind, written, "DE "))
    assert views(event)[0].recipient == Recipient(kind, seen, "DE")


def test_everyone_concerned_gets_a_view() -> None:
    """Declared people see all findings, mentioned ones just those that name them (A14)."""
    eve = Identifier("email", "eve@example.com")
    parts = views(event_of(UserMessage("tell eve@example.com and bob@example.com"), ADA, BOB))
    assert [view.role for view in parts] == [SubjectRole.PRINCIPAL, SubjectRole.DECLARED, SubjectRole.MENTIONED]
    assert [view.subject for view in parts] == [pseudonym(ADA), pseudonym(BOB), pseudonym(eve)]
    assert [len(view.findings) for view in parts] == [2, 2, 1]
    assert [(view.part, view.parts) for view in parts] == [(0, 3), (1, 3), (2, 3)]


def test_an_event_about_nobody_is_kept_in_its_sessions_order() -> None:
    """Without a subject the key is the session's pseudonym and the subject is unknown."""
    (view,) = views(event_of(UserMessage("hello")))
    assert (view.key, view.subject) == (PEOPLE.of_session(TENANT, "session-1"), None)
    assert view.role is SubjectRole.NOBODY


def test_annotating_again_gives_the_same_views() -> None:
    """The same record gives equal views, so what is sent again is identical."""
    event = event_of(UserMessage("ada@example.com wrote to bob@example.com"), ADA)
    assert views(event) == views(event)


def test_more_subjects_than_allowed_is_a_refused_view_and_never_a_cut() -> None:
    """Beyond the bound there is one view, marked failed, that no policy can let pass."""
    crowd = [Identifier("email", f"p{n}@example.com") for n in range(17)]
    (view,) = views(event_of(UserMessage("hi"), *crowd))
    assert view.status is ExtractionStatus.FAILED
    assert view.status_reason == "too_many_subjects"


def test_what_is_refused_for_its_many_subjects_is_not_searched() -> None:
    """Each subject is searched for as it is spelt, so many spellings of one person are too many as well."""

    class Counting(PlainExtractor):
        searched = 0

        def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
            self.searched += 1
            return super().extract(event, spec)

    counting = Counting()
    kernel = replace(KERNEL, extractor=counting)
    (view,) = views(event_of(UserMessage("hi"), *[Identifier("email", f"p{n}@example.com") for n in range(17)]), kernel)
    assert (view.status_reason, counting.searched) == ("too_many_subjects", 0)
    spellings = [replace(ADA, value=ADA.value + " " * n) for n in range(17)]
    (view,) = views(event_of(UserMessage("hi"), *spellings), kernel)
    assert (view.status_reason, view.subject, counting.searched) == ("too_many_subjects", pseudonym(ADA), 0)
    (view,) = views(event_of(UserMessage("hi"), *spellings[1:]), kernel)
    assert (view.status, counting.searched) == (ExtractionStatus.COMPLETE, 1)


def test_only_the_first_of_a_crowd_are_named() -> None:
    """What is refused for its many subjects costs no pseudonym for each of them; blank ones are nobody."""

    class Counting(Pseudonymiser):
        made = 0

        def someone(self, tenant_id: str, identifier: Identifier) -> str | None:
            self.made += 1
            return super().someone(tenant_id, identifier)

    counting = Counting(master=b"0123456789abcdef")
    crowd = [Identifier("email", " "), *[Identifier("email", f"p{n}@example.com") for n in range(500)]]
    (view,) = views(event_of(UserMessage("hi"), *crowd), replace(KERNEL, pseudonymiser=counting))
    assert (view.status_reason, view.subject) == ("too_many_subjects", counting.of(TENANT, crowd[1]))
    assert counting.made == 17


def test_a_persons_wish_counts_however_often_the_person_is_named() -> None:
    """Nobody is searched for in a consent or a request: many spellings refuse none."""
    spellings = [replace(ADA, value=ADA.value + " " * n) for n in range(17)]
    (view,) = views(event_of(DataSubjectRequest(RequestKind.ERASURE, "r1"), *spellings))
    assert (view.status, view.subject) == (ExtractionStatus.COMPLETE, pseudonym(ADA))


def test_a_failing_extractor_leaves_the_people_and_a_status() -> None:
    """An extractor's exception becomes a status with its class, never its text."""
    (view,) = views(event_of(UserMessage("crash"), ADA))
    assert view.subject == pseudonym(ADA)
    assert (view.status, view.status_reason, view.findings) == (ExtractionStatus.FAILED, "ValueError", ())


def test_an_unknown_policy_is_marked_and_nothing_is_extracted() -> None:
    """Without a policy nobody knows what to look for."""
    (view,) = views(event_of(UserMessage("crash"), ADA, policy_id="nope"))
    assert view.status_reason == "unknown_policy"


def test_annotate_survives_a_tenant_without_a_key() -> None:
    """A pseudonym that cannot be made is a view that says nothing and is refused."""
    kernel = Kernel(OnePolicy(), PlainExtractor(), Pseudonymiser({"other": b"x" * 16}))
    (view,) = views(event_of(UserMessage("ada@example.com"), ADA, session_id="ada@example.com"), kernel)
    assert view.status_reason == "not_annotated:ConfigurationError"
    assert "ada" not in repr(view)


def test_clocks_that_differ_by_more_than_the_bound_are_flagged_and_both_times_are_kept() -> None:
    """A28: skew is flagged; the record's time is the broker's whatever the producer says."""
    (near,) = views(event_of(UserMessage("x"), ADA, occurred_at=AT.recorded_at - 5 * MINUTE))
    (far,) = views(event_of(UserMessage("x"), ADA, occurred_at=AT.recorded_at + 6 * MINUTE))
    assert not near.skewed
    assert far.skewed
    assert far.recorded_at == AT.recorded_at
    assert far.occurred_at == AT.recorded_at + 6 * MINUTE


@pytest.mark.parametrize(
    "field", ["event_id", "session_id", "agent_id", "source", "task_id", "causation_id", "agent_version", "traceparent"]
)
@pytest.mark.parametrize("value", ["ada@example.com", "chat-with-bob@else.org", "+44 20 7946 0958", "c-1815/run"])
def test_envelope_strings_that_hold_an_identifier_become_pseudonyms(field: str, value: str) -> None:
    """A36: no raw identifier gets into a view through its envelope."""
    if field == "traceparent":
        value = f"00-{value}"
    envelope: dict[str, Any] = {field: value}
    for view in views(event_of(UserMessage("x"), ADA, ADA_ID, **envelope)):
        assert value.casefold() not in repr(view).casefold()


def test_ordinary_envelope_strings_are_left_alone() -> None:
    """UUIDs, times and trace ids are no phone numbers."""
    fields: dict[str, Any] = {
        "session_id": "01234567-8901-7345-8678-901234567890",
        "task_id": "run-2024-11-29T12:30:00Z",
        "agent_id": "shop_bot.v2",
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    }
    (view,) = views(event_of(UserMessage("x"), ADA, **fields))
    assert {name: getattr(view, name) for name in fields} == fields


def test_a_person_as_recipient_is_always_a_pseudonym() -> None:
    """Users and third parties are people, whatever their id looks like; tools are not."""
    (user,) = views(event_of(UserMessage("x"), ADA, recipient=Recipient(RecipientKind.USER, "Ada Lovelace")))
    (tool,) = views(event_of(UserMessage("x"), ADA, recipient=Recipient(RecipientKind.TOOL, "send_mail")))
    assert user.recipient is not None
    assert "Ada" not in user.recipient.id
    assert tool.recipient == Recipient(RecipientKind.TOOL, "send_mail")


def test_a_recipient_that_is_a_subject_has_that_subjects_pseudonym() -> None:
    """So the audit can tell that the principal received something."""
    (view,) = views(event_of(UserMessage("x"), ADA, recipient=Recipient(RecipientKind.USER, "ADA@example.com")))
    assert view.recipient == Recipient(RecipientKind.USER, pseudonym(ADA))


def test_the_policys_own_identifiers_are_noticed_in_the_envelope() -> None:
    """A customer number in a session id is an identifier too."""
    rules = ExtractionRules(identifiers=(IdentifierRule("customer_id", "user.unique_id", r"K\d{4}"),))
    policy = replace(POLICY, extraction=rules, digest="e" * 64)
    (view,) = views(
        event_of(UserMessage("x"), ADA, session_id="chat-K1234"), replace(KERNEL, policies=OnePolicy(policy))
    )
    assert "K1234" not in view.session_id


def test_purposes_keep_who_claims_them_and_odd_ones_are_hidden() -> None:
    """Declared and bound purposes stand beside each other; what is no key becomes a pseudonym."""
    call = ToolCall("send_mail", "c", "{}")
    (view,) = views(event_of(call, ADA, purposes=("order", "ask ada@example.com")))
    assert view.purposes[0] == PurposeClaim("order", Provenance.DECLARED)
    assert view.purposes[-1] == PurposeClaim("marketing", Provenance.TOOL)
    assert "ada" not in repr(view.purposes)


def test_a_consent_is_a_fact_and_is_not_extracted_from() -> None:
    """Consent events change the principal's history; nothing in them is searched."""
    given = ConsentGiven(("marketing",), ("user.contact.email",), 5, evidence="crash", re_enrols=True)
    (view,) = views(event_of(given, ADA, purposes=("order",)))
    assert view.fact == ConsentFact(view.event_id, ("marketing",), ("user.contact.email",), 5, re_enrols=True)
    assert (view.purposes, view.status) == ((), ExtractionStatus.COMPLETE)


def test_a_request_concerns_its_principal_only() -> None:
    """Other people of the session are not erased with the principal."""
    (view,) = views(event_of(DataSubjectRequest(RequestKind.ERASURE, "r1"), ADA, BOB))
    assert view.fact == RequestFact(view.event_id, RequestKind.ERASURE, "r1")
    assert view.subject == pseudonym(ADA)


def test_further_identifiers_become_links_from_the_higher_to_the_lower_pseudonym() -> None:
    """Each further identifier is one link view, keyed by the higher of the two pseudonyms."""
    principal, link = views(event_of(IdentityLinked((ADA_ID, ADA)), ADA))
    high, low = sorted((pseudonym(ADA), pseudonym(ADA_ID)), reverse=True)
    assert principal.fact is None
    assert link.fact == LinkFact(link.event_id, high, low)
    assert (link.key, link.role) == (high, SubjectRole.DECLARED)


def test_without_a_principal_the_first_identifier_is_one() -> None:
    """A link of two identifiers needs no session subject."""
    parts = views(event_of(IdentityLinked((ADA, ADA_ID))))
    assert parts[0].subject == pseudonym(ADA)
    assert len(parts) == 2


def test_the_digest_tells_payloads_apart_and_needs_the_key() -> None:
    """Equal payloads have equal digests under one key, and other ones under another."""
    one, same, other = (views(event_of(UserMessage(text), ADA))[0].digest for text in ("a", "a", "b"))
    kernel = Kernel(OnePolicy(), PlainExtractor(), Pseudonymiser({TENANT: b"another key of 16"}))
    assert one == same != other
    assert views(event_of(UserMessage("a"), ADA), kernel)[0].digest != one


def test_declared_purposes_of_the_extraction_do_not_count_twice() -> None:
    """Only the event says what the agent declares."""

    class Claims:
        def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
            return Extraction(purposes=(PurposeClaim("tax", Provenance.DECLARED),))

    (view,) = views(event_of(UserMessage(json.dumps("x")), ADA), replace(KERNEL, extractor=Claims()))
    assert view.purposes == ()
