"""Payloads as addressed fields."""

import json

import pytest

from lawful.extractors.fields import Document, read
from lawful.extractors.port import Limits
from lawful.schemas.event import (
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    MemoryRead,
    MemoryWrite,
    Payload,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.strict_json import Unreadable
from lawful.schemas.view import ExtractionStatus
from tests.extractors.support import call


def leaves(document: Document) -> list[tuple[str, str]]:
    """Paths and texts of what is no key."""
    return [(field.path, field.text) for field in document.fields if not field.is_key]


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (UserMessage('{"a": "b"}'), [("/text", '{"a": "b"}')]),
        (AssistantMessage("[1]"), [("/text", "[1]")]),
        (AgentMessage("hello"), [("/text", "hello")]),
        (AgentMessage('{"to": ["x", "y"]}'), [("/text/to/0", "x"), ("/text/to/1", "y")]),
        (ToolResult("t", "c", "plain"), [("/content", "plain")]),
        (ToolResult("t", "c", '[{"a": "x"}]'), [("/content/0/a", "x")]),
        (ToolResult("t", "c", "[NaN]"), [("/content", "[NaN]")]),
        (MemoryWrite("k", "v"), [("/key", "k"), ("/content", "v")]),
        (MemoryRead("k", '{"a": "v"}'), [("/key", "k"), ("/content/a", "v")]),
        (ConsentGiven(("marketing",)), []),
        (UserMessage(""), []),
    ],
)
def test_each_payload_has_its_paths(payload: Payload, expected: list[tuple[str, str]]) -> None:
    """Paths point into the payload; JSON in text is addressed as if nested, where JSON may stand."""
    assert leaves(read(payload, Limits())) == expected


def test_leaves_that_are_no_strings_have_their_json() -> None:
    """Numbers, booleans and null are fields too."""
    document = read(ToolCall("t", "c", '{"a": 1.50, "b": true, "c": null, "d": ""}'), Limits())
    assert leaves(document) == [("/arguments/a", "1.50"), ("/arguments/b", "true"), ("/arguments/c", "null")]
    assert not any(field.is_string for field in document.fields if not field.is_key)


def test_every_occurrence_at_any_depth_is_a_field() -> None:
    """Nothing nested is left out (A16)."""
    document = read(call({"a": {"b": [{"c": "x"}, ["y", {"d/e": "z"}]]}}), Limits())
    assert leaves(document) == [
        ("/arguments/a/b/0/c", "x"),
        ("/arguments/a/b/1/0", "y"),
        ("/arguments/a/b/1/1/d~1e", "z"),
    ]


def test_a_field_knows_its_names() -> None:
    """Names on the way are normalised, an array's elements have the array's, siblings are known."""
    document = read(call({"billingAddress": {"ZIP-code": ["1"], "city": "X"}}), Limits())
    field = next(field for field in document.fields if field.text == "1")
    assert field.keys == ("billing_address", "zip_code")
    assert field.siblings == {"zip_code", "city"}


def test_keys_are_fields_of_their_container() -> None:
    """A key stands where its object stands, and knows what lies below it."""
    document = read(call({"outer": {"jane@example.com": 1}}), Limits())
    key = next(field for field in document.fields if field.text == "jane@example.com")
    assert (key.path, key.below, key.is_key) == ("/arguments/outer", "/arguments/outer/jane@example.com", True)


@pytest.mark.parametrize(
    ("payload", "limits", "status", "reason"),
    [
        (ToolCall("t", "c", "nope"), Limits(), ExtractionStatus.FAILED, "arguments_not_json"),
        (ToolCall("t", "c", "[1]"), Limits(), ExtractionStatus.FAILED, "arguments_not_json"),
        (AgentMessage('{"a": {"\\udc00": 1}}'), Limits(), ExtractionStatus.FAILED, "lone_surrogate"),
        (ToolCall("t", "c", '{"a":1,"a":2}'), Limits(), ExtractionStatus.FAILED, "duplicate_keys"),
        (UserMessage("ü" * 6), Limits(max_bytes=11), ExtractionStatus.OVERSIZED, "payload_too_large"),
        (MemoryWrite("k" * 6, "v" * 6), Limits(max_bytes=11), ExtractionStatus.OVERSIZED, "payload_too_large"),
        (call({"a": {"b": {"c": 1}}}), Limits(max_depth=2), ExtractionStatus.OVERSIZED, "too_deep"),
        (call({"a": [1, 2, 3]}), Limits(max_fields=3), ExtractionStatus.OVERSIZED, "too_many_fields"),
        (ToolResult("t", "c", "[" * 100_000 + "]" * 100_000), Limits(), ExtractionStatus.OVERSIZED, "too_deep"),
    ],
)
def test_what_cannot_be_read_whole_is_refused(
    payload: Payload, limits: Limits, status: ExtractionStatus, reason: str
) -> None:
    """A payload beyond a limit is refused as a whole, never cut (A18)."""
    with pytest.raises(Unreadable) as caught:
        read(payload, limits)
    assert (caught.value.status, caught.value.reason) == (status, reason)


def test_limits_are_inclusive() -> None:
    """What just fits is read."""
    assert leaves(read(UserMessage("x" * 10), Limits(max_bytes=10))) == [("/text", "x" * 10)]
    assert len(read(call({"a": {"b": 1}}), Limits(max_depth=2)).fields) == 3
    assert len(read(call({"a": [1, 2]}), Limits(max_fields=3)).fields) == 3


def test_lone_surrogates_are_replaced_one_for_one() -> None:
    """Half of a surrogate pair, which JSON can carry, keeps its place and stops no library."""
    text = next(
        field.text for field in read(ToolCall("t", "c", '{"a": "x\\ud800y"}'), Limits()).fields if not field.is_key
    )
    assert text == "x\ufffdy"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": {"b": 1}}', [("/arguments/body/a/b", "1")]),
        (' ["x", {"c": "y"}] ', [("/arguments/body/0", "x"), ("/arguments/body/1/c", "y")]),
        (json.dumps(json.dumps({"a": "x"})), [("/arguments/body/a", "x")]),
        (json.dumps({"in": json.dumps({"a~/b": "x"})}), [("/arguments/body/in/a~0~1b", "x")]),
        ("[see below]", [("/arguments/body", "[see below]")]),
        ('{"a": 1', [("/arguments/body", '{"a": 1')]),
        ('"quoted"', [("/arguments/body", '"quoted"')]),
        ('"a" and {"b"}"', [("/arguments/body", '"a" and {"b"}"')]),
        ("{}", []),
    ],
)
def test_json_in_strings_of_json(text: str, expected: list[tuple[str, str]]) -> None:
    """What a string holds as JSON is addressed as if it stood there; what is no JSON is text."""
    document = read(call({"body": text}), Limits())
    assert leaves(document) == expected
    assert {field.within for field in document.fields if field.path != "/arguments"} <= {"/arguments/body", ""}


def test_json_in_strings_counts_as_depth() -> None:
    """Wrapping makes nothing deep shallow, and what is ambiguous inside is ambiguous (A18)."""
    wrapped = {"a": 1}
    for _ in range(5):
        wrapped = {"a": json.dumps(wrapped)}  # type: ignore[dict-item] # deeper each time
    with pytest.raises(Unreadable, match="too_deep"):
        read(call(wrapped), Limits(max_depth=8))
    assert leaves(read(call(wrapped), Limits(max_depth=12)))
    with pytest.raises(Unreadable, match="duplicate_keys"):
        read(call({"body": '{"a": 1, "a": 2}'}), Limits())


def test_repr_shows_no_text() -> None:
    """A field in a log or a traceback says nothing of its text (A36)."""
    secret = "jane@example.com"
    document = read(ToolCall("t", "c", json.dumps({"a": secret, secret: {secret: json.dumps({secret: 1})}})), Limits())
    assert secret not in repr(document)
