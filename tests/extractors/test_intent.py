"""What an event shows of its purpose, and what only looks like a consent."""

import json
from dataclasses import replace
from typing import Any

import pytest

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import read
from lawful.extractors.intent import EVIDENCE, Intent, intent_rules
from lawful.extractors.port import ExtractionSpec, Extractor, Limits, ToolSpec
from lawful.extractors.purposes import claims
from lawful.schemas.event import (
    AgentEvent,
    AssistantMessage,
    Payload,
    Recipient,
    RecipientKind,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.taxonomy import is_personal, known_purposes
from lawful.schemas.view import Provenance
from tests.extractors.support import SPEC, call, event, extract, found
from tests.extractors.support import around as surroundings

ADVERT = "Special offer for you: 20% off, shop now"
MARKETING, SHARING = "marketing.communications", "third_party_sharing"


def to(kind: RecipientKind, payload: Payload) -> AgentEvent:
    """An event with a recipient."""
    return replace(event(payload), recipient=Recipient(kind, "somebody"))


def shown(made: AgentEvent, spec: ExtractionSpec = SPEC) -> list[str]:
    """Inferred purposes."""
    return [claim.purpose for claim in claims(made, spec) if claim.provenance is Provenance.INFERRED]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (event(call({}, "send_newsletter")), [MARKETING]),
        (event(call({}, "launchPromoCampaign")), [MARKETING]),
        (event(call({}, "crm.mailing_list.add")), [MARKETING]),
        (event(call({}, "fine_tune_model")), ["train_ai_system"]),
        (event(call({}, "rank_candidates")), ["employment.recruitment"]),
        (event(call({"body": ADVERT}, "send_email")), [MARKETING]),
        (event(AssistantMessage("Sonderangebot: jetzt kaufen!")), [MARKETING]),
        (event(AssistantMessage("Offre spéciale, profitez !")), [MARKETING]),
        (event(AssistantMessage("Oferta especial, compra ahora")), [MARKETING]),
        (event(call({"url": "https://api.segment.io/v1/track"}, "http_post")), ["analytics"]),
        (event(call({"u": "https://ad.doubleclick.net/x"}, "fetch")), ["marketing.advertising.third_party.targeted"]),
        (to(RecipientKind.THIRD_PARTY, call({}, "export_customers")), [SHARING]),
        (to(RecipientKind.TOOL, call({}, "export_customers")), []),
        (event(call({}, "export_customers")), []),
        (event(call({}, "promote_user_to_admin")), []),
        (event(call({}, "get_order_details")), []),
        (event(call({"body": ADVERT}, "search_products")), []),
        (event(call({"body": "Your order has a special offer"}, "send_email")), []),
        (event(call({"url": "https://notsegment.io"}, "http_post")), []),
        (event(AssistantMessage("You can unsubscribe at any time in the settings.")), []),
        (event(UserMessage(ADVERT)), []),
        (event(ToolResult("send_newsletter", "c", ADVERT)), []),
    ],
)
def test_purposes_that_show(made: AgentEvent, expected: list[str]) -> None:
    """By a tool's name, its recipient, hosts and words; what people and tools answer shows nothing of the agent."""
    assert shown(made) == expected


def test_a_bound_tools_name_says_no_more_and_its_arguments_still_do() -> None:
    """The policy's word stands for the name; what is sent can still be something else."""
    spec = ExtractionSpec(tools={"send_newsletter": ToolSpec(("essential.service",))})
    assert shown(event(call({}, "send_newsletter")), spec) == []
    assert shown(event(call({"body": ADVERT}, "send_newsletter")), spec) == [MARKETING]


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (("marketing",), MARKETING),
        (("marketing.communications.sms", "marketing.communications.email"), "marketing.communications.email"),
        (("essential.service",), MARKETING),
    ],
)
def test_the_policys_words_are_used(declared: tuple[str, ...], expected: str) -> None:
    """A declared purpose above or below stands for the inferred one, so that its own rules are applied."""
    assert shown(event(call({}, "send_newsletter")), ExtractionSpec(purposes=declared)) == [expected]


def test_what_is_said_already_is_not_inferred() -> None:
    """Declared purposes above or below leave nothing to conclude."""
    made = event(call({}, "send_newsletter"), purposes=("marketing.communications.email",))
    assert shown(made) == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Yes, send me offers please", ["offers"]),
        ("I guess you can use my data", ["my data"]),
        ("Ja, gerne Werbung", ["Werbung"]),
        ("Oui, je suis d'accord pour vos offres", ["offres"]),
        ("Sí, pueden usar mis datos", ["mis datos"]),
        ("Yes, ship it on Monday", []),
        ("Do you have offers?", []),
        ("I agree to the exchange. What about my data?", []),
    ],
)
def test_what_looks_like_a_consent_is_told_to_the_officer(text: str, evidence: list[str]) -> None:
    """A word of agreement and what it is about in one sentence; a finding that no verdict rests on, and no fact."""
    assert found(Intent(), text) == [(word, EVIDENCE) for word in evidence]


def test_evidence_has_rule_and_confidence() -> None:
    """The finding says which rule saw what, where, and how sure it is."""
    (field,) = (one for one in read(call({"body": ADVERT}), Limits()).fields if not one.is_key)
    made = surroundings_of(event(call({"body": ADVERT}, "send_email")))
    hits = Intent().find(field, made)
    assert {(hit.detector, hit.score) for hit in hits} == {("purposes.marketing_words", 0.8)}
    assert {ADVERT[hit.start : hit.end].lower() for hit in hits} == {"special offer", "% off", "shop now"}


def surroundings_of(made: AgentEvent) -> Any:
    """Surroundings of an event."""
    return replace(surroundings(), event=made)


def test_an_event_keeps_its_findings_and_gains_the_evidence(extractor: Extractor) -> None:
    """The whole extractor: the address is found, the advert is seen, and evidence is nobody's data."""
    extraction = extract(extractor, ToolCall("send_email", "c", json.dumps({"to": "a@b.co", "body": ADVERT})))
    assert {one.category for one in extraction.findings} == {"user.contact.email", EVIDENCE}
    assert [claim.purpose for claim in extraction.purposes] == [MARKETING]
    assert not is_personal(EVIDENCE)


def test_rules_speak_the_taxonomy_and_are_sure() -> None:
    """Every rule infers a known purpose, with the least confidence at least."""
    data = load_yaml(DATA / "purposes.yaml")
    assert {rule.purpose for rule in intent_rules().rules} <= set(known_purposes())
    assert all(rule.confidence >= data["least"] for rule in intent_rules().rules)
