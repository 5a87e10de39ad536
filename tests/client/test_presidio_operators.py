"""The same spans through presidio-anonymizer: what its operators do is what the guard does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig, RecognizerResult

from lawful.client.obligations import apply
from lawful.schemas.event import UserMessage
from lawful.schemas.verdict import Action
from tests.client.test_obligations import owed, verdict

CATEGORY = "user.contact.email"
OPERATORS = {
    Action.REPLACE: OperatorConfig("replace", {"new_value": f"[{CATEGORY}]"}),
    Action.REMOVE: OperatorConfig("redact"),
    Action.MASK: OperatorConfig("mask", {"masking_char": "*", "chars_to_mask": 10**6, "from_end": False}),
}
ENGINE = AnonymizerEngine()  # type: ignore[no-untyped-call]


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """A text and spans in it that do not touch."""
    parts = draw(st.lists(st.tuples(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8)), max_size=5))
    text, spans = "", []
    for filler, value in parts:
        # Presidio joins entities of one kind with nothing but white space between them.
        start = len(text) + len(filler) + 2
        text += f"{filler}x,{value}"
        spans.append((start, len(text)))
    return text + ".", spans


@pytest.mark.parametrize("action", list(OPERATORS))
@settings(deadline=None, max_examples=50)
@given(case=texts())
def test_the_guard_does_what_presidios_operators_do(action: Action, case: tuple[str, list[tuple[int, int]]]) -> None:
    """Replace, redact and mask, byte for byte."""
    text, spans = case
    found = [RecognizerResult("PII", start, end, 1.0) for start, end in spans]
    theirs = ENGINE.anonymize(text, found, {"PII": OPERATORS[action]}).text if found else text
    obligations = [owed("/text", start, end, action, CATEGORY) for start, end in spans]
    assert apply(UserMessage(text), verdict(*obligations)).text == theirs
