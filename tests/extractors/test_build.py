"""The extractor as it ships, whole."""

import json
import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from presidio_analyzer import Pattern, PatternRecognizer

from lawful.extractors import build_extractor
from lawful.extractors.port import Extraction, ExtractionSpec, Extractor, IdentifierPattern
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentMessage, Identifier, Payload, ToolCall, ToolResult, UserMessage
from lawful.schemas.view import ExtractionStatus
from tests.extractors.support import PATIENT, PSEUDONYMS, TENANT, call, extract

MESSAGE = (
    "Hi, I'm Yusuf Rossi in zipcode 19122. My email is yusuf@example.com, my card 4111 1111 1111 1111, "
    "call 212-555-0100. I was diagnosed with diabetes. SSN: 536-90-4399."
)


def told(payload: Payload, extraction: Extraction) -> set[tuple[str, str]]:
    """Texts and categories of findings in a message."""
    text = payload.text if isinstance(payload, UserMessage | AgentMessage) else ""
    return {(text[one.start : one.end], one.category) for one in extraction.findings}


def test_a_message(extractor: Extractor) -> None:
    """Each kind of personal data in a message is found where it stands."""
    payload = UserMessage(MESSAGE)
    assert told(payload, extract(extractor, payload)) == {
        ("Yusuf Rossi", "user.name"),
        ("19122", "user.contact.address.postal_code"),
        ("yusuf@example.com", "user.contact.email"),
        ("4111 1111 1111 1111", "user.financial.credit_card"),
        ("212-555-0100", "user.contact.phone_number"),
        ("diabetes", "user.health_and_medical"),
        ("536-90-4399", "user.government_id.national_identification_number"),
    }


@pytest.mark.parametrize(
    "payload",
    [
        UserMessage("How many t-shirt options are available in the online store right now?"),
        UserMessage(
            "I want to exchange the Water Bottle of order #W2378156 for a 750ml one, and fly to Denver on May 20."
        ),
        AgentMessage("Renewing the contract provides a utility of +2; a bonus above 15% ($300k+) gives -1."),
        call(
            {
                "order_id": "#W6247578",
                "item_ids": ["8349118980"],
                "new_item_ids": ["9647292434"],
                "reason": "no longer needed",
            }
        ),
        call({"origin": "ORD", "destination": "PHL", "date": "2024-05-26", "cabin": "economy", "insurance": "no"}),
        call({"expression": "(3131.1 + 4777.75) - 367.38"}),
        ToolResult(
            "t",
            "c",
            json.dumps({"name": "Office Chair", "price": 488.81, "options": {"material": "fabric"}, "available": True}),
        ),
        ToolResult("t", "c", "Transfer successful"),
        call({}),
        UserMessage(""),
    ],
)
def test_ordinary_work_is_about_nobody(extractor: Extractor, payload: Payload) -> None:
    """Shopping, flights, sums and negotiations hold no personal data."""
    extraction = extract(extractor, payload)
    assert (extraction.findings, extraction.status) == ((), ExtractionStatus.COMPLETE)


def test_people_who_are_mentioned_are_named(extractor: Extractor) -> None:
    """Identifiers in content carry the pseudonym that the same identifier has as a subject."""
    spec = ExtractionSpec(
        identifiers=(IdentifierPattern("customer_id", "user.unique_id", r"[a-z]+_[a-z]+_\d{4}"),), limits=PATIENT
    )
    jane, bob = Identifier("email", "jane@example.com"), Identifier("customer_id", "bob_ito_1234")
    payload = AgentMessage('{"to": "Jane@Example.com", "about": ["bob_ito_1234", "bob_ito_1234"]}')
    extraction = extract(extractor, payload, spec, (jane,))
    assert {(one.path, one.subject) for one in extraction.findings} == {
        ("/text/to", PSEUDONYMS.of(TENANT, jane)),
        ("/text/about/0", PSEUDONYMS.of(TENANT, bob)),
        ("/text/about/1", PSEUDONYMS.of(TENANT, bob)),
    }


def test_every_occurrence_at_any_depth(extractor: Extractor) -> None:
    """The same address everywhere is found everywhere (A16)."""
    nested = {"a": "x jane@example.com y jane@example.com", "b": [[{"c": {"d": "jane@example.com"}}]]}
    findings = extract(extractor, ToolResult("t", "c", json.dumps(nested))).findings
    assert [(one.path, one.start) for one in findings] == [
        ("/content/a", 2),
        ("/content/a", 21),
        ("/content/b/0/0/c/d", 0),
    ]


def test_nothing_raw_leaves(extractor: Extractor, caplog: pytest.LogCaptureFixture) -> None:
    """Findings, paths, reasons and logs hold no personal data, for keys and hostile input too (A36)."""
    caplog.set_level(logging.DEBUG)
    secrets = ["jane@example.com", "DE89370400440532013000", "Yusuf Rossi", "536-90-4399", "yusuf_rossi_9620"]
    payloads: list[Payload] = [
        call({secret: {"note": secret, "Yusuf Rossi": [secret]} for secret in secrets}),
        ToolCall("t", "c", json.dumps(secrets)),
        ToolCall("t", "c", " ".join(secrets)),
        UserMessage(" ".join(secrets)),
        UserMessage("DE89370400440532013001"),  # what fails a checksum is not logged either
    ]
    spec = ExtractionSpec(
        identifiers=(IdentifierPattern("customer_id", "user.unique_id", r"[a-z]+_[a-z]+_\d{4}"),), limits=PATIENT
    )
    said = "".join(repr(extract(extractor, payload, spec)) for payload in payloads) + caplog.text
    assert not [secret for secret in (*secrets, "DE89370400440532013001") if secret in said]


def test_the_same_event_gives_the_same_findings(extractor: Extractor) -> None:
    """A redelivered event, a fresh extractor and one that has seen much agree to the byte."""
    fresh = build_extractor(PSEUDONYMS)
    payloads: list[Payload] = [UserMessage(MESSAGE), call({"name": "Dylan Lee", "email": "d@x.co", "note": MESSAGE})]
    for payload in payloads:
        assert repr(extract(fresh, payload)) == repr(extract(extractor, payload)) == repr(extract(extractor, payload))


def test_threads_do_not_disturb_each_other(extractor: Extractor) -> None:
    """Eight threads with different events get what one thread gets (A20)."""
    payloads = [UserMessage(f"please write to Marcus Thorne, user{n}@example.com, about item {n}") for n in range(32)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda payload: extract(extractor, payload), payloads))
    fresh = build_extractor(PSEUDONYMS)
    assert together == [extract(fresh, payload) for payload in payloads]


def test_a_users_own_recogniser_plugs_in() -> None:
    """A Presidio recogniser and its category are all it takes."""
    badges = PatternRecognizer("BADGE", patterns=[Pattern("badge", r"B-\d{4}", 0.6)])
    mine = build_extractor(PSEUDONYMS, recognizers=[badges], categories={"BADGE": "user.workplace"})
    payload = UserMessage("badge B-1234")
    assert told(payload, extract(mine, payload)) == {("B-1234", "user.workplace")}


def test_a_file_adds_recognisers(tmp_path: Path) -> None:
    """Recognisers as Presidio's YAML has them, with category, least score and scheme."""
    config = tmp_path / "mine.yaml"
    config.write_text(
        "recognisers:\n"
        "  - {name: badges, supported_entity: BADGE, patterns: [{name: badge, regex: 'B-\\d{4}', score: 0.6}]}\n"
        "  - {name: UsDriverLicense, supported_entity: CLUB, deny_list: [Rotary]}\n"
        "entities:\n"
        "  BADGE: {category: user.workplace, min_score: 0.5, scheme: badge}\n"
        "  CLUB: {category: user.social}\n",
        encoding="utf-8",
    )
    payload = UserMessage("badge B-1234 of the Rotary")
    extraction = extract(build_extractor(PSEUDONYMS, config=config), payload)
    assert told(payload, extraction) == {("B-1234", "user.workplace"), ("Rotary", "user.social")}
    assert extraction.findings[0].subject == PSEUDONYMS.of(TENANT, Identifier("badge", "B-1234"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("entities: {BADGE: {category: user.wrkplace}}\n", "did you mean 'user.workplace'"),
        ("entities: {BADGE: {categry: user.workplace}}\n", "wrong form"),
        ("recognisers: [{}]\n", "wrong form"),
        ("entities: [\n", r"mine\.yaml:2:1"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(tmp_path: Path, content: str, message: str) -> None:
    """A misspelt category, field or YAML stops the start and says where."""
    config = tmp_path / "mine.yaml"
    config.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=message):
        build_extractor(PSEUDONYMS, config=config)


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    """A file that is not there stops the start."""
    with pytest.raises(ConfigurationError, match=r"mine\.yaml"):
        build_extractor(PSEUDONYMS, config=tmp_path / "mine.yaml")


def test_the_port_is_light() -> None:
    """Whoever only needs the port loads neither spaCy nor Presidio."""
    code = "import sys, lawful.extractors.port; print({'spacy', 'presidio_analyzer', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
