"""Laws of the two firewalls: nothing that the protocol cannot say comes in, and k people always remain."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.firewalls import (
    Candidate,
    Conversion,
    FirewallSession,
    Incoming,
    Outgoing,
    Released,
    load_protocol,
    parse_abstraction,
    population,
)
from lawful.firewalls.vocabulary import Vocabulary
from lawful.schemas.event import Recipient, RecipientKind

TRAVEL = load_protocol("travel")
LABELS = st.sampled_from([slot.field.key for slot in Vocabulary(TRAVEL).every_slot] + ["hotels", "offer", "note", "x"])
CANARY = "zqxvjwkzq"
SIGNS = ': | - , . ; { } [ ] " ( ) = ``` # 1. 12 1,234.56 EUR $ 2026-05-01 14:30 3h wifi no pool confirmed |---|'
SAID = [*SIGNS.split(" "), "\n", "\n\n", "\u200b", "\u0663", "hotel_7"]
MARKED = [CANARY, f"'{CANARY}'", f'"name": "{CANARY}"', f"Hotel: {CANARY} Inn", f"hotel_7 {CANARY}"]
SCRAPS = st.one_of(st.text(max_size=30), LABELS, st.sampled_from([*SAID, *MARKED]))
TEXTS = st.lists(SCRAPS, max_size=40).map(" ".join)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.just(CANARY)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(LABELS, st.text(max_size=9)), inner)
    ),
    max_leaves=12,
)


def holds_no_canary(value: Any) -> bool:
    """Whether a marked piece of the input is nowhere in what came out."""
    return CANARY not in json.dumps(value, ensure_ascii=False).casefold()


@given(st.one_of(TEXTS, JSON.map(json.dumps), st.text()))
@settings(max_examples=60)
def test_whatever_is_said_a_value_of_the_protocol_arrives(text: str) -> None:
    """For any text, what comes through is a value of the protocol and holds nothing of the text's own."""
    incoming, session = Incoming(TRAVEL), FirewallSession()
    admitted = incoming.admit(text, session)
    assert TRAVEL.holds(admitted.value)
    assert holds_no_canary(admitted.as_json())
    assert incoming.admit(json.dumps(admitted.value), FirewallSession()).value.keys() <= admitted.value.keys()


@given(st.lists(st.builds(Candidate, st.one_of(LABELS, st.text()), JSON, LABELS, st.integers(0, 4)), max_size=10))
@settings(max_examples=60)
def test_no_converter_is_believed(candidates: Sequence[Candidate]) -> None:
    """For any candidates, what the verifier makes of them is a value of the protocol."""

    class Fooled:
        def convert(self, text: str, vocabulary: Vocabulary) -> Conversion:
            return Conversion(candidates)

    admitted = Incoming(TRAVEL, Fooled()).admit("hi", FirewallSession())
    assert TRAVEL.holds(admitted.value)
    assert holds_no_canary(admitted.as_json())


RULES = parse_abstraction(
    """
abstraction: people
version: "1"
fields:
  zip: {allow: true, then: [region]}
  age: {allow: true, then: [band 10, band 20]}
  sex: allow
population: {k: 3, fields: [zip, age, sex]}
"""
)
FIELDS = ("zip", "age", "sex")
PEOPLE = st.lists(
    st.fixed_dictionaries({
        "zip": st.sampled_from(["10115", "10117", "10999", "80331", "80333"]),
        "age": st.sampled_from(["18", "23", "25", "34", "36", "51", "88"]),
        "sex": st.sampled_from(["f", "m"]),
    }),
    min_size=3,
    max_size=14,
)  # fmt: skip
QUESTIONS = st.lists(st.sets(st.sampled_from(FIELDS), min_size=1), min_size=1, max_size=4)
VENDOR = Recipient(RecipientKind.THIRD_PARTY, "vendor")


def answers(people: list[dict[str, str]], person: dict[str, str], questions: Sequence[set[str]]) -> list[Released]:
    """What a vendor is told of a person who is asked these questions one after another."""
    outgoing = Outgoing(RULES, population(people, FIELDS))
    session = FirewallSession()
    return [outgoing.release({name: person[name] for name in asked}, VENDOR, session) for asked in questions]


@given(PEOPLE, st.data(), QUESTIONS)
@settings(max_examples=50)
def test_k_people_remain_whatever_is_asked(people: list[dict[str, str]], data: st.DataObject, questions: Any) -> None:
    """Whoever knows the table, the rules and every answer and refusal still has at least k people who fit."""
    person = data.draw(st.sampled_from(people))
    told = answers(people, person, questions)
    assert sum(answers(people, other, questions) == told for other in people) >= 3


@given(PEOPLE, st.data(), QUESTIONS)
@settings(max_examples=60)
def test_what_was_answered_is_never_answered_more_exactly(
    people: list[dict[str, str]], data: st.DataObject, questions: Any
) -> None:
    """A repeated question gets the same answer, and what was told can be told again."""
    person = data.draw(st.sampled_from(people))
    outgoing, session = Outgoing(RULES, population(people, FIELDS)), FirewallSession()
    seen: dict[str, Any] = {}
    for asked in [*questions, *questions]:
        record = outgoing.release({name: person[name] for name in asked}, VENDOR, session).record or {}
        for name in asked:
            assert seen.setdefault(name, record.get(name)) == record.get(name)
        assert (outgoing.release(record, VENDOR, session).record or {}) == record


@given(PEOPLE, QUESTIONS)
@settings(max_examples=40)
def test_a_stranger_to_the_table_is_not_singled_out(people: list[dict[str, str]], questions: Any) -> None:
    """Of somebody who is not in the table, nothing is told that fits fewer than k of those who are."""
    told = answers(people, {"zip": "99999", "age": "67", "sex": "f"}, questions)
    merged = {name: value for each in told for name, value in (each.record or {}).items()}
    forms = {"zip": ("", "region"), "age": ("", "band 10", "band 20"), "sex": ("",)}
    table = population(people, FIELDS)
    fitting = [
        row
        for row in table.everyone()
        if all(any(table.form(name, how)[row] == value for how in forms[name]) for name, value in merged.items())
    ]
    assert not merged or table.people(fitting) >= 3
