import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.client.blocked import Blocked, Unredactable
from lawful.client.obligations import apply
from lawful.schemas.event import (
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    MemoryWrite,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.verdict import Action, Decision, Obligation, Verdict

EMAIL = "user.contact.email"


def owed(path: str, start: int = 0, end: int = 0, action: Action = Action.REPLACE, category: str = EMAIL) -> Obligation:
    """An obligation."""
    return Obligation(path, start, end, action, category)


def verdict(*obligations: Obligation, decision: Decision = Decision.REDACT) -> Verdict:
    """A verdict with these obligations."""
    return Verdict(
        event_id="e",
        tenant_id="t",
        decision=decision,
        obligations=obligations,
        policy_id="p",
        policy_version="1",
        policy_digest="d",
        recorded_at=0,
    )


def text_after(text: str, *obligations: Obligation) -> str:
    """A message's text after its obligations."""
    return apply(UserMessage(text), verdict(*obligations)).text


def arguments_after(arguments: Any, *obligations: Obligation, schema: Any = None) -> Any:
    """A call's arguments after their obligations."""
    return json.loads(apply(ToolCall("t", "c", json.dumps(arguments)), verdict(*obligations), schema).arguments)


@pytest.mark.parametrize(
    ("text", "obligations", "expected"),
    [
        ("to a@b.c now", [owed("/text", 3, 8)], "to [user.contact.email] now"),
        ("to a@b.c now", [owed("/text", 3, 8, Action.MASK)], "to ***** now"),
        ("to a@b.c now", [owed("/text", 3, 8, Action.REMOVE)], "to  now"),
        ("to a@b.c now", [owed("/text", 3, 8, Action.GENERALISE)], "to [user.contact.email] now"),
        ("a@b.c", [owed("/text")], "[user.contact.email]"),
        ("a@b.c", [owed("/text", action=Action.MASK)], "*****"),
        ("ab cd", [owed("/text", 0, 2, Action.MASK), owed("/text", 3, 5, Action.MASK)], "** **"),
        ("abcdef", [owed("/text", 0, 3, Action.MASK), owed("/text", 3, 6, category="user.name")], "***[user.name]"),
        ("abcdef", [owed("/text", 0, 4, Action.MASK), owed("/text", 2, 5, Action.MASK)], "*****f"),
        ("abcdef", [owed("/text", 0, 4, category="x"), owed("/text", 2, 5, category="y")], "[x|y]f"),
        ("abcdef", [owed("/text", 1, 5, category="x"), owed("/text", 2, 3, category="x")], "a[x]f"),
        ("abcdef", [owed("/text", 0, 4, Action.REMOVE), owed("/text", 2, 5, Action.MASK)], "f"),
        ("abc", [owed("/text", 0, 3, category="x"), owed("/text", 0, 3, category="y")], "[x|y]"),
        ("né 🎉 a@b.c 🎉", [owed("/text", 5, 10)], "né 🎉 [user.contact.email] 🎉"),
        ("e\u0301x", [owed("/text", 0, 2, Action.MASK)], "**x"),
        ("", [owed("/text")], "[user.contact.email]"),
        (
            "order later, first: b then a",
            [owed("/text", 27, 28, Action.MASK), owed("/text", 20, 21, Action.MASK)],
            "order later, first: * then *",
        ),
    ],
)
def test_spans_of_text(text: str, obligations: list[Obligation], expected: str) -> None:
    """Each action does its own thing to its span, overlaps go as one, all else stays."""
    assert text_after(text, *obligations) == expected


@pytest.mark.parametrize("action", [Action.REPLACE, Action.MASK, Action.GENERALISE])
@pytest.mark.parametrize(
    ("value", "end", "expected"),
    [
        (42, 2, 0),
        (4.5, 3, 0),
        (True, 4, False),
        (None, 4, None),
        ({"a": 1}, 0, {}),
        ([1, 2], 0, []),
    ],
)
def test_whole_values_keep_their_type(action: Action, value: object, end: int, expected: object) -> None:
    """A17: what is not a string is replaced whole by an empty value of its own type."""
    after = arguments_after(
        {"x": value, "y": [value]}, owed("/arguments/x", 0, end, action), owed("/arguments/y/0", 0, end, action)
    )
    assert after == {"x": expected, "y": [expected]}
    assert type(after["x"]) is type(expected)


@pytest.mark.parametrize("value", [42, True, {"a": 1}, [1]])
def test_removing_takes_a_member_out_and_leaves_places_in_arrays(value: object) -> None:
    """`remove` of a whole value: the key goes; an array keeps its length."""
    action = Action.REMOVE
    after = arguments_after(
        {"x": value, "y": [value, 7]}, owed("/arguments/x", action=action), owed("/arguments/y/0", action=action)
    )
    assert after == {"y": [None, 7]}


def test_every_occurrence_at_any_depth() -> None:
    """A16: nested objects, arrays and JSON's own escapes are all reached."""
    document = {"a": [{"b": "a@b.c"}, "a@b.c"], "s/l~t": {"": "a@b.c"}}
    after = arguments_after(
        document, owed("/arguments/a/0/b", 0, 5), owed("/arguments/a/1", 0, 5), owed("/arguments/s~1l~0t/", 0, 5)
    )
    assert "a@b.c" not in json.dumps(after)
    assert after["s/l~t"] == {"": "[user.contact.email]"}


def test_a_container_that_goes_takes_what_is_in_it_along() -> None:
    """A key that names a person makes its container go; findings inside of it need nothing more."""
    after = arguments_after({"x": {"a@b.c": "z"}}, owed("/arguments/x"), owed("/arguments/x/q", 0, 1))
    assert after == {"x": {}}


def test_the_whole_document_may_go() -> None:
    """A container at the root stays a container."""
    assert apply(ToolResult("t", "c", '["a"]'), verdict(owed("/content", action=Action.REMOVE))).content == "[]"
    assert apply(ToolCall("t", "c", '{"a@b.c":1}'), verdict(owed("/arguments"))).arguments == "{}"


def test_json_in_messages_results_and_memory_is_reached_and_plain_text_is_too() -> None:
    """Content that is a JSON container is addressed inside; other content as a text."""
    inside, plain = verdict(owed("/content/m", 0, 5)), verdict(owed("/content", 0, 5))
    assert apply(ToolResult("t", "c", '{"m": "a@b.c"}'), inside).content == '{"m":"[user.contact.email]"}'
    assert apply(ToolResult("t", "c", "a@b.c"), plain).content == "[user.contact.email]"
    assert apply(AgentMessage('{"m": "a@b.c"}'), verdict(owed("/text/m", 0, 5))).text == '{"m":"[user.contact.email]"}'
    assert apply(MemoryWrite("k a@b.c", "x"), verdict(owed("/key", 2, 7))) == MemoryWrite("k [user.contact.email]", "x")


def test_json_in_strings_of_json_is_reached_and_stays_a_string() -> None:
    """A16, A17: a string that holds JSON keeps its type, its wrapping and the rest of what it holds."""
    inner = json.dumps({"to": ["a@b.c"], "n": 1})
    for body in (inner, json.dumps(inner)):
        after = arguments_after({"body": body, "other": "{}"}, owed("/arguments/body/to/0", 0, 5))
        assert after["other"] == "{}"
        held = json.loads(after["body"])
        held = json.loads(held) if isinstance(held, str) else held
        assert held == {"to": ["[user.contact.email]"], "n": 1}
    content = apply(ToolResult("t", "c", json.dumps(inner)), verdict(owed("/content/to/0", 0, 5))).content
    assert json.loads(json.loads(content)) == {"to": ["[user.contact.email]"], "n": 1}


def test_a_string_of_json_may_go_as_a_whole() -> None:
    """A key inside that names a person makes all of the string go."""
    body = json.dumps({"a@b.c": {"x": "y"}})
    after = arguments_after({"body": body}, owed("/arguments/body"), owed("/arguments/body/q/x", 0, 1))
    assert after == {"body": "[user.contact.email]"}
    assert arguments_after({"body": "{}x"}, owed("/arguments/body", 0, 3)) == {"body": "[user.contact.email]"}


def test_json_that_two_readers_may_read_differently_is_stopped() -> None:
    """Of two members with one name, the one that was judged may not be the one that arrives."""
    for arguments in ('{"a": "a@b.c", "a": "x"}', json.dumps({"a": '{"m": 1, "m": 2}'})):
        with pytest.raises(Unredactable, match="duplicate_keys"):
            apply(ToolCall("t", "c", arguments), verdict(owed("/arguments/a/m", 0, 1)))


def test_names_and_ids_of_a_call_are_never_touched() -> None:
    """A17: the tool's name and the call's id are as they were."""
    after = apply(ToolCall("t", "c", '{"m": "a@b.c"}'), verdict(owed("/arguments/m", 0, 5)))
    assert (after.tool, after.call_id) == ("t", "c")


def test_json_that_is_not_touched_stays_byte_for_byte() -> None:
    """A19: spaces, order and number forms of untouched JSON are the sender's."""
    call = ToolCall("t", "c", '{ "b" : 1.0,\n"a":"ü" }')
    for decision in (Decision.FORWARD, Decision.WARN):
        assert apply(call, verdict(owed("/arguments/b"), decision=decision)) is call
    assert apply(call, verdict()) == call


def test_unicode_in_json_is_kept() -> None:
    """Re-serialised JSON keeps its characters as characters."""
    after = apply(ToolCall("t", "c", '{"m": "a@b.c", "n": "\\u00fc🎉"}'), verdict(owed("/arguments/m", 0, 5)))
    assert after.arguments == '{"m":"[user.contact.email]","n":"ü🎉"}'


def test_a_block_is_never_applied() -> None:
    """Asking for the payload of a blocked event raises with the verdict."""
    with pytest.raises(Blocked, match="blocked"):
        apply(UserMessage("x"), verdict(decision=Decision.BLOCK))


@pytest.mark.parametrize(
    "obligation",
    [
        owed("/text", 2, 99),
        owed("/text", 5, 3),
        owed("/text", -1, 2),
        owed("/other", 0, 1),
        owed("text", 0, 1),
        owed("", 0, 1),
        owed("/text/deeper", 0, 1),
    ],
)
def test_an_obligation_that_does_not_fit_stops_the_payload(obligation: Obligation) -> None:
    """If what must go cannot be found, this is not the payload that was judged."""
    with pytest.raises(Unredactable, match="obligation_misses_payload"):
        text_after("hello", obligation)


@pytest.mark.parametrize("path", ["/arguments/b", "/arguments/a/0", "/arguments/a/b"])
def test_a_path_that_is_not_there_stops_the_call(path: str) -> None:
    """A missing member means that the payload is another one."""
    with pytest.raises(Unredactable, match="obligation_misses_payload"):
        arguments_after({"a": "x"}, owed(path, 0, 1))


def test_consents_have_nothing_to_redact() -> None:
    """An obligation on a payload without content does not fit."""
    with pytest.raises(Unredactable):
        apply(ConsentGiven(("p",)), verdict(owed("/text", 0, 1)))


SCHEMA = {
    "type": "object",
    "properties": {
        "to": {"type": "string", "format": "email"},
        "n": {"type": "integer", "minimum": 1},
        "o": {"enum": ["a"]},
    },
    "required": ["to"],
}


def test_a_call_that_stays_valid_passes() -> None:
    """A17: the schema holds after redaction."""
    assert arguments_after({"to": "a@b.c"}, owed("/arguments/to"), schema=SCHEMA) == {"to": "[user.contact.email]"}


@pytest.mark.parametrize(
    ("arguments", "obligation"),
    [
        ({"to": "x", "n": 5}, owed("/arguments/n", 0, 1)),
        ({"to": "x", "o": "a"}, owed("/arguments/o")),
        ({"to": 5}, owed("/arguments/to", action=Action.REMOVE)),
    ],
)
def test_a_call_that_redaction_would_break_is_stopped(arguments: object, obligation: Obligation) -> None:
    """A17: out of range, not in the enumeration, or missing though required: no call."""
    with pytest.raises(Unredactable, match="redaction_would_break_arguments"):
        arguments_after(arguments, obligation, schema=SCHEMA)


def test_a_schema_that_cannot_be_used_vouches_for_nothing() -> None:
    """A broken schema stops a redacted call."""
    with pytest.raises(Unredactable, match="schema_unusable"):
        arguments_after({"a": "x"}, owed("/arguments/a"), schema={"properties": {"a": {"pattern": "("}}})


def test_arguments_that_cannot_be_written_again_are_stopped() -> None:
    """Numbers beyond all floats and nesting beyond all stacks never become something else."""
    with pytest.raises(Unredactable, match="not_representable"):
        apply(ToolCall("t", "c", '{"n": 1e999, "m": "x"}'), verdict(owed("/arguments/m")))
    deep = "[" * 100_000 + "]" * 100_000
    with pytest.raises(Unredactable, match="too_deep"):
        apply(ToolResult("t", "c", deep), verdict(owed("/content/0")))


@dataclass(frozen=True)
class Case:
    """A text and obligations that fit it."""

    text: str
    obligations: tuple[Obligation, ...]


@st.composite
def cases(draw: st.DrawFn, actions: tuple[Action, ...] = tuple(Action)) -> Case:
    """Any text with any spans on it."""
    text = draw(st.text(min_size=1))
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    spans = draw(st.lists(st.tuples(places, st.sampled_from(actions), st.sampled_from(["a.b", "c"])), max_size=5))
    fitting = [(span, action, name) for span, action, name in spans if span != [0, 0]]
    return Case(text, tuple(owed("/text", span[0], span[1], action, name) for span, action, name in fitting))


@given(cases())
def test_applying_is_idempotent(case: Case) -> None:
    """Meeting the same obligations again changes nothing, whatever was put in."""
    once = apply(AssistantMessage(case.text), verdict(*case.obligations))
    assert apply(once, verdict(*case.obligations)) == once


@given(cases((Action.MASK,)))
def test_what_is_outside_of_all_spans_is_kept_in_place(case: Case) -> None:
    """Masking keeps every other character where it was, and leaves none of those inside."""
    after = text_after(case.text, *case.obligations)
    inside = {place for each in case.obligations for place in range(each.start, each.end)}
    assert after == "".join("*" if place in inside else char for place, char in enumerate(case.text))


@given(cases((Action.REMOVE,)))
def test_removing_leaves_exactly_what_is_outside(case: Case) -> None:
    """What remains is the text without its spans, in order."""
    inside = {place for each in case.obligations for place in range(each.start, each.end)}
    kept = "".join(char for place, char in enumerate(case.text) if place not in inside)
    assert text_after(case.text, *case.obligations) == kept


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=3), json_values, min_size=1, max_size=4), st.data())
def test_other_members_are_not_touched(document: dict[str, Any], data: st.DataObject) -> None:
    """Redacting one member leaves all others equal, and the member's type the same."""
    key = data.draw(st.sampled_from(sorted(document)))
    token = key.replace("~", "~0").replace("/", "~1")
    after = arguments_after(document, owed(f"/arguments/{token}"))
    assert {name: after[name] for name in after if name != key} == {n: document[n] for n in document if n != key}
    kinds = (bool, str, dict, list, type(None))
    expected = next((kind for kind in kinds if isinstance(document[key], kind)), int)
    assert isinstance(after[key], expected)
