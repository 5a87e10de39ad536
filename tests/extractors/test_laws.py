"""Laws of extraction, on generated payloads."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawful.extractors.port import Extractor
from lawful.schemas.event import AgentMessage, Payload, ToolResult, UserMessage
from lawful.schemas.view import ExtractionStatus
from tests.extractors.support import call, extract

PIECES = st.sampled_from(
    [
        "jane@example.com",
        "Yusuf Rossi",
        "4111 1111 1111 1111",
        "I have asthma",
        "SSN: 536-90-4399",
        "12 Elm Street",
        "x",
        "\n",
        "[",
        "\ud83d",
        "é",
        "0" * 9,
    ]
)
TEXTS = st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=5).map(" ".join))
# Half a character in a key withholds the whole payload.
KEYS = st.one_of(TEXTS.filter(str.isprintable), st.sampled_from(["name", "email", "diagnosis", "a/b~c", "a\nb", ""]))
LEAVES = st.one_of(TEXTS, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none())
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)), max_leaves=8
)
PAYLOADS = st.one_of(
    TEXTS.map(UserMessage),
    VALUES.map(lambda value: AgentMessage(json.dumps(value))),
    VALUES.map(lambda value: ToolResult("t", "c", json.dumps(value))),
    st.dictionaries(KEYS, VALUES, max_size=3).map(call),
)


def resolve(payload: Payload, path: str) -> Any:
    """What a pointer points to, in a payload whose JSON is read as such."""
    _, root, *tokens = path.split("/")
    text = getattr(payload, root)
    value = json.loads(text) if tokens or root == "arguments" else text
    for token in tokens:
        value = value[int(token)] if isinstance(value, list) else value[token.replace("~1", "/").replace("~0", "~")]
    return value


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PAYLOADS)
def test_findings_point_into_the_payload(extractor: Extractor, payload: Payload) -> None:
    """Every path resolves, every span lies in its leaf, and asking again gives the same."""
    extraction = extract(extractor, payload)
    assert extraction.status is ExtractionStatus.COMPLETE
    assert extract(extractor, payload) == extraction
    for finding in extraction.findings:
        value = resolve(payload, finding.path)
        if (finding.start, finding.end) == (0, 0):
            assert isinstance(value, dict | list) or finding.path in {"/text", "/content"}
        elif isinstance(value, str):
            assert 0 <= finding.start < finding.end <= len(value)
        else:
            assert (finding.start, finding.end) == (0, len(json.dumps(value)))
