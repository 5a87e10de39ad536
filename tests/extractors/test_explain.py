"""Why something was found, and why something else was not."""

import json

import pytest

from lawful.extractors.explain import Explained
from lawful.extractors.pipeline import Pipeline
from lawful.extractors.port import Extractor
from lawful.schemas.event import Identifier, Payload, ToolResult, UserMessage
from tests.extractors.support import SPEC, event

ADA = Identifier("customer_id", "ada_l_1815")


def explained(extractor: Extractor, payload: Payload) -> list[Explained]:
    """Every hit in a payload."""
    assert isinstance(extractor, Pipeline)
    return extractor.explain(event(payload, (ADA,)), SPEC)


@pytest.mark.parametrize(
    ("text", "category", "reason"),
    [
        ("card 4111 1111 1111 1111", "user.financial.credit_card", "confirmed by a checksum"),
        ("my ssn is 536-90-4399", "user.government_id.national_identification_number", "a word beside it"),
        ("please ask maria lopez about it", "user.name", "its first name is listed"),
        ("the parcel that Zbigniew Kowalski sent last week is late", "user.name", "its first name is not listed"),
        ("ask ada_l_1815 again", "user.unique_id", "the event's own subject"),
        ("write to me@example.com", "user.contact.email", "it points to a person"),
        ("I have diabetes", "user.health_and_medical", "a listed term with a cue"),
        ("card \uff14\uff11\uff11\uff11 1111 1111 1111", "user.financial.credit_card", "confirmed by a checksum"),
        ("NDExMSAxMTExIDExMTEgMTExMQ==", "user.financial.credit_card", "decoded or pieced together"),
    ],
)
def test_each_finding_says_what_it_rests_on(extractor: Extractor, text: str, category: str, reason: str) -> None:
    """Detector, version, score, and the rule that raised it."""
    kept = [one for one in explained(extractor, UserMessage(text)) if one.is_kept and one.category == category]
    assert any(reason in why for one in kept for why in one.reasons), kept
    assert all(one.detector and one.version and 0 < one.score <= 1 for one in kept)


@pytest.mark.parametrize(
    ("text", "category", "reason"),
    [
        ("the order 8349118980 came", "user.contact.phone_number", "counts from a score of"),
        (
            "I live with many others in a house, and so we all flew to Berlin",
            "user.contact.address.city",
            "nothing says that somebody lives there",
        ),
        ("My name is Maria Lopez, I am here", "user.name", "says more about the same place"),
    ],
)
def test_what_did_not_count_says_why(extractor: Extractor, text: str, category: str, reason: str) -> None:
    """Too low a score, no evidence, or another reading of the same place."""
    dropped = [one for one in explained(extractor, UserMessage(text)) if not one.is_kept and one.category == category]
    assert any(reason in why for one in dropped for why in one.reasons), dropped


def test_what_is_kept_is_what_is_found(extractor: Extractor) -> None:
    """The explanation holds every finding, with its place, and no place twice."""
    note = "Ask Marcus Thorne at 212-555-0100, or me@example.com"
    payload = ToolResult("t", "c", json.dumps({"dob": "1957-10-05", "n": 4, "note": note}))
    told = explained(extractor, payload)
    kept = {(one.path, one.start, one.end, one.category, one.detector) for one in told if one.is_kept}
    findings = extractor.extract(event(payload, (ADA,)), SPEC).findings
    assert kept == {(one.path, one.start, one.end, one.category, one.detector) for one in findings}
    assert len(kept) == len([one for one in told if one.is_kept]) >= 4
