"""Laws of redaction, through the real extractor and the guard's own hands."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.client.obligations import apply
from lawful.client.tags import Tags
from lawful.extractors import build_extractor
from lawful.extractors.port import ExtractionSpec, Extractor, Limits
from lawful.policies.lattice import obligations_in_order
from lawful.policies.model import Redaction, Treatment
from lawful.policies.obligations import owed
from lawful.schemas.event import AgentMessage, Payload, UserMessage
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.verdict import Action
from tests.client.test_obligations import verdict
from tests.extractors.support import event

KEY = Pseudonymiser(master=b"0123456789abcdef")
TAGS = Tags(KEY, "acme", "session")
SPEC = ExtractionSpec(limits=Limits(extraction_ms=60_000))
PERSONAL = (
    "me@example.com", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "born 1985-03-15", "I am 34", "Maria Lopez",
    "+44 20 7183 8750", "12 Elm Street, Springfield, IL 62704", "203.0.113.77", "I have diabetes", "SSN: 536-90-4399",
)  # fmt: skip
OTHER = ("order #W1234567", "the lamp is late", "version 1.2.3", "🎉", "ünïcode", "100%", "{x}", "a, b; c")
PIECES = st.lists(st.sampled_from((*PERSONAL, *OTHER)), min_size=1, max_size=5)
TEXTS = st.tuples(PIECES, st.sampled_from((". ", ", ", "\n", "; "))).map(lambda both: both[1].join(both[0]))
TREATMENTS = [Treatment(action) for action in Action]


@lru_cache(maxsize=1)
def extractor() -> Extractor:
    """The extractor as it ships."""
    return build_extractor(KEY)


def redacted(payload: Payload, redaction: Redaction) -> Payload:
    """The payload with everything that is found in it treated."""
    found = extractor().extract(event(payload), SPEC)
    obligations = obligations_in_order(
        owed(one.path, one.start, one.end, redaction.of(one.category), one.category) for one in found.findings
    )
    return apply(payload, verdict(*obligations), tags=TAGS)


def plain(payload: Payload) -> str:
    """What a payload says, as a plain text that nobody has redacted yet."""
    assert isinstance(payload, UserMessage | AgentMessage)
    return str.__str__(payload.text)


@pytest.mark.parametrize("treatment", TREATMENTS, ids=str)
@settings(max_examples=15, deadline=None)
@given(text=TEXTS)
def test_redacting_what_was_redacted_changes_nothing(treatment: Treatment, text: str) -> None:
    """A redacted message that is said again, and read again as if it were new, passes as it is."""
    redaction = Redaction(treatment)
    once = plain(redacted(UserMessage(text), redaction))
    assert plain(redacted(UserMessage(once), redaction)) == once


@settings(max_examples=25, deadline=None)
@given(texts=st.lists(TEXTS, min_size=1, max_size=3), others=st.lists(st.sampled_from(OTHER), max_size=3))
def test_what_was_not_found_is_byte_identical(texts: Sequence[str], others: Sequence[str]) -> None:
    """Beside what is redacted, every leaf of a document is as it was, and so is the whole if nothing is found."""
    document = {**{f"text{place}": text for place, text in enumerate(texts)}, "others": list(others), "n": 1.5}
    payload = AgentMessage(json.dumps(document, ensure_ascii=False))
    touched = {one.path.split("/")[2] for one in extractor().extract(event(payload), SPEC).findings}
    after = plain(redacted(payload, Redaction()))
    found: dict[str, Any] = json.loads(after)
    assert {key: found[key] for key in found if key not in touched} == {
        key: document[key] for key in document if key not in touched
    }
    assert touched or after == payload.text


@settings(max_examples=25, deadline=None)
@given(before=st.sampled_from(OTHER), personal=st.sampled_from(PERSONAL), after=st.sampled_from(OTHER))
def test_words_around_what_is_redacted_stay(before: str, personal: str, after: str) -> None:
    """However the value is treated, what stands before and behind it is kept, byte for byte."""
    text = f"{before}\n{personal}\n{after}"
    for treatment in TREATMENTS:
        said = plain(redacted(UserMessage(text), Redaction(treatment)))
        assert said.startswith(f"{before}\n")
        assert said.endswith(f"\n{after}")


def test_the_values_of_these_laws_are_found() -> None:
    """The laws are about something: each personal value is found, and none of the others."""
    for text in PERSONAL:
        assert extractor().extract(event(UserMessage(text)), SPEC).findings, text
    for text in OTHER:
        assert not extractor().extract(event(UserMessage(text)), replace(SPEC, names=True)).findings, text
