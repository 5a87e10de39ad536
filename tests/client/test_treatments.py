"""Generalising, hashing and placeholders: what is left of a text, and what is not."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.client.blocked import Unredactable
from lawful.client.obligations import apply
from lawful.client.tags import Tags
from lawful.schemas.event import ToolCall, UserMessage
from lawful.schemas.generalising import HOW
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.verdict import Action, Decision, Obligation
from tests.client.test_obligations import owed, verdict

BIRTH, AGE, NAME, PAY = "user.demographic.date_of_birth", "user.demographic.age_range", "user.name", "user.financial"
KEY = Pseudonymiser(master=b"0123456789abcdef")
TAGS = Tags(KEY, "acme", "session-1")


def coarser(path: str, start: int, end: int, how: str, category: str = BIRTH) -> Obligation:
    """An obligation to generalise."""
    return replace(owed(path, start, end, Action.GENERALISE, category), detail=how)


def tagged(path: str, start: int, end: int, action: Action = Action.PLACEHOLDER, category: str = NAME) -> Obligation:
    """An obligation to leave a tag."""
    return owed(path, start, end, action, category)


def said(text: str, *obligations: Obligation, tags: Tags | None = None) -> str:
    """A message's text after its obligations."""
    return apply(UserMessage(text), verdict(*obligations), tags=tags).text


@pytest.mark.parametrize(
    ("text", "obligations", "expected"),
    [
        ("born 1985-03-15.", [coarser("/text", 5, 15, "year")], "born 1985."),
        ("born 1985-03-15.", [coarser("/text", 5, 15, "month")], "born 1985-03."),
        ("born on March 15, 1985, ok", [coarser("/text", 8, 22, "month")], "born on March 1985, ok"),
        ("I am 34 now", [coarser("/text", 5, 7, "band", AGE)], "I am 30-39 now"),
        ("earns $52,000 a year", [coarser("/text", 6, 13, "amount", PAY)], "earns $50000-100000 a year"),
        ("12 Elm St, Austin, TX 78701!", [coarser("/text", 0, 27, "region", "user.contact.address")], "TX!"),
        ("born long ago", [coarser("/text", 5, 13, "year")], f"born [{BIRTH}]"),
        ("born 1985-03-15", [coarser("/text", 5, 15, "fortnight")], f"born [{BIRTH}]"),
        ("born 1985-03-15", [coarser("/text", 5, 15, "")], f"born [{BIRTH}]"),
        (
            "1985-03-15",
            [coarser("/text", 0, 10, "year"), coarser("/text", 0, 10, "year", AGE)],
            "1985",
        ),
        ("1985-03-15", [coarser("/text", 0, 10, "year"), coarser("/text", 0, 10, "month", AGE)], f"[{AGE}|{BIRTH}]"),
        ("1985-03-15", [coarser("/text", 0, 10, "year"), coarser("/text", 0, 4, "year", AGE)], f"[{AGE}|{BIRTH}]"),
        ("1985-03-15", [coarser("/text", 0, 10, "year"), owed("/text", 0, 10, Action.MASK)], "*" * 10),
    ],
)
def test_what_is_generalised_in_a_text(text: str, obligations: list[Obligation], expected: str) -> None:
    """The coarser form stands in the place of the exact one; what is not understood goes whole."""
    assert said(text, *obligations) == expected


@pytest.mark.parametrize(
    ("value", "how", "expected"),
    [
        (34, "band", 30),
        (34.0, "band", 0),
        (1985, "decade", 1980),
        (52_345.5, "amount", 50_000.0),
        (52.52003, "coarse", 52.5),
        (34, "fortnight", 0),
        (True, "band", False),
        (None, "band", None),
        ([34], "band", []),
    ],
)
def test_what_is_generalised_in_json(value: object, how: str, expected: object) -> None:
    """A17: a number becomes a coarser number; what has no coarser form, an empty value of its type."""
    after = apply(ToolCall("t", "c", json.dumps({"x": value})), verdict(coarser("/arguments/x", 0, 0, how)))
    found = json.loads(after.arguments)["x"]
    assert (found, type(found)) == (expected, type(expected))


def test_numbers_that_are_to_be_treated_in_two_ways_go_whole() -> None:
    """There is no one coarser number."""
    both = (coarser("/arguments/x", 0, 0, "band"), coarser("/arguments/x", 0, 0, "amount", PAY))
    assert apply(ToolCall("t", "c", '{"x":34}'), verdict(*both)).arguments == '{"x":0}'


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "1985"),
        ({"type": "string", "format": "date"}, "1985-01-01"),
        ({"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}, "1985-01-01"),
    ],
)
def test_a_date_keeps_the_form_that_the_schema_asks_for(schema: dict[str, Any], expected: str) -> None:
    """A17: the first day of the year stands for it where only a date will do."""
    call = ToolCall("t", "c", '{"born": "1985-03-15"}')
    tool = {"type": "object", "properties": {"born": schema}}
    after = apply(call, verdict(coarser("/arguments/born", 0, 10, "year")), tool)
    assert json.loads(after.arguments) == {"born": expected}


def test_a_schema_that_no_form_meets_stops_the_call() -> None:
    """A17: neither the year nor its first day is one of the values."""
    tool = {"type": "object", "properties": {"born": {"enum": ["1985-03-15"]}}}
    with pytest.raises(Unredactable, match="redaction_would_break_arguments"):
        apply(ToolCall("t", "c", '{"born": "1985-03-15"}'), verdict(coarser("/arguments/born", 0, 10, "year")), tool)


@pytest.mark.parametrize("action", [Action.PLACEHOLDER, Action.HASH])
def test_equal_texts_get_equal_tags(action: Action) -> None:
    """A20: within a session the same person has the same placeholder, however it is written; another has another."""
    text = "Ada Lovelace met ada  lovelace and Bob Byron"
    after = said(
        text,
        tagged("/text", 0, 12, action),
        tagged("/text", 17, 30, action),
        tagged("/text", 35, 44, action),
        tags=TAGS,
    )
    first, second, other = (part.split("]")[0] for part in after.split("[")[1:])
    assert first == second != other
    assert first.startswith("user.name#")
    assert "Ada" not in after


def test_placeholders_are_the_sessions_and_hashes_the_tenants() -> None:
    """A20: nobody links sessions by a placeholder; a hash joins records of one tenant only."""

    def tag(action: Action, tags: Tags) -> str:
        return said("Ada Lovelace", tagged("/text", 0, 12, action), tags=tags)

    other = replace(TAGS, session_id="session-2")
    assert tag(Action.PLACEHOLDER, TAGS) == tag(Action.PLACEHOLDER, replace(TAGS)) != tag(Action.PLACEHOLDER, other)
    assert tag(Action.HASH, TAGS) == tag(Action.HASH, other) != tag(Action.HASH, replace(TAGS, tenant_id="b"))
    assert tag(Action.HASH, TAGS) != tag(Action.HASH, replace(TAGS, pseudonymiser=Pseudonymiser(master=b"x" * 16)))
    assert len({TAGS.of(action, name, "Ada") for action in (Action.HASH, Action.PLACEHOLDER) for name in "ab"}) == 4


def test_tags_hold_no_digits() -> None:
    """Nothing takes a tag for somebody's number."""
    assert all(TAGS.of(Action.HASH, NAME, str(number)).isalpha() for number in range(200))


@pytest.mark.parametrize("action", [Action.PLACEHOLDER, Action.HASH])
def test_without_a_key_a_tag_is_a_replacement(action: Action) -> None:
    """What cannot be tagged does not pass."""
    assert said("Ada Lovelace", tagged("/text", 0, 12, action)) == "[user.name]"


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        (Action.GENERALISE, Action.HASH),
        (Action.HASH, Action.PLACEHOLDER),
        (Action.PLACEHOLDER, Action.REPLACE),
        (Action.REPLACE, Action.MASK),
        (Action.MASK, Action.REMOVE),
    ],
)
def test_of_two_actions_the_one_that_leaves_less_wins(weaker: Action, stronger: Action) -> None:
    """Where two obligations meet, no more is left than the stricter one leaves."""
    text = "1985-03-15"
    both = said(text, owed("/text", 0, 10, weaker, BIRTH), owed("/text", 0, 10, stronger, BIRTH), tags=TAGS)
    assert both == said(text, owed("/text", 0, 10, stronger, BIRTH), tags=TAGS)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, tuple[Obligation, ...]]:
    """A text of values and words, and obligations on the values."""
    values = st.sampled_from(["1985-03-15", "May 3, 1985", "34", "$1,200.50", "Ada Lovelace", "52.520, 13.405", "x"])
    parts = draw(st.lists(st.tuples(st.text(max_size=6), values), min_size=1, max_size=4))
    text, owing = "", []
    for filler, value in parts:
        start = len(text) + len(filler)
        text += filler + value
        action, how = draw(st.sampled_from(list(Action))), draw(st.sampled_from(HOW))
        one = owed("/text", start, start + len(value), action, draw(st.sampled_from([BIRTH, AGE, NAME])))
        owing.append(replace(one, detail=how if action is Action.GENERALISE else ""))
    return text, tuple(owing)


@settings(deadline=None)
@given(cases())
def test_what_is_outside_of_all_spans_is_byte_identical(case: tuple[str, tuple[Obligation, ...]]) -> None:
    """Whatever is done to the values, the words around them are kept in their order, byte for byte."""
    text, owing = case
    rest, place = said(text, *owing, tags=TAGS), 0
    for start, end in sorted({(each.start, each.end) for each in owing}):
        kept = text[place:start]
        assert kept in rest
        rest, place = rest[rest.index(kept) + len(kept) :], end
    assert rest.endswith(text[place:])


@settings(deadline=None)
@given(cases())
def test_doing_it_again_changes_nothing(case: tuple[str, tuple[Obligation, ...]]) -> None:
    """The same obligations on the redacted payload leave it as it is."""
    text, owing = case
    once = apply(UserMessage(text), verdict(*owing), tags=TAGS)
    assert apply(once, verdict(*owing), tags=TAGS) == once


@settings(deadline=None)
@given(st.sampled_from(HOW), st.sampled_from(["1985-03-15", "34", "1200", "52.5200, 13.4050", "10.1.2.3", "TX 78701"]))
def test_generalising_what_is_general_changes_nothing(how: str, value: str) -> None:
    """A redacted payload that is judged again, with findings at the new places, is delivered as it is."""
    once = said(value, coarser("/text", 0, len(value), how))
    if once.startswith("["):
        return
    assert said(once, coarser("/text", 0, len(once), how)) == once


def test_a_block_is_a_block_whatever_is_owed() -> None:
    """Obligations make no block deliverable."""
    with pytest.raises(Exception, match="blocked"):
        apply(UserMessage("34"), verdict(coarser("/text", 0, 2, "band"), decision=Decision.BLOCK))
