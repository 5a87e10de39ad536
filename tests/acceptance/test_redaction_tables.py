"""Redaction, row by row: one process, the real extractor, the real judge, the real guard."""

import base64
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import jsonschema
import pytest

from lawful.client import Blocked, Tool
from lawful.client.session import Session
from lawful.infra.extraction.pool import ExtractorPool
from lawful.schemas.audit import AuditKind
from tests.acceptance.in_one_process import Desk, desk, digits
from tests.infra.extraction import scripted

MAIL, CARD, IBAN, PHONE = "ada@example.com", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "+44 20 7183 8750"
HIDDEN = "[user.contact.email]"
TREATED = (
    "user.name: placeholder, user.contact.email: hash, user.financial.credit_card: mask, "
    "user.demographic.date_of_birth: generalise, user.demographic.age_range: {generalise: band}, "
    "user.contact.address: generalise, user.contact.phone_number: remove"
)


@pytest.fixture(scope="module")
def plain() -> Iterator[Desk]:
    """A desk that replaces."""
    with desk() as given:
        yield given


@pytest.fixture(scope="module")
def treated() -> Iterator[Desk]:
    """A desk that treats each category in its own way."""
    with desk(TREATED) as given:
        yield given


def noting(got: dict[str, Any]) -> Callable[..., str]:
    """A tool that notes its arguments."""

    def note(**arguments: Any) -> str:
        got.update(arguments)
        return "done"

    return note


def noted(here: Desk, **arguments: Any) -> dict[str, Any]:
    """What a tool gets of its arguments."""
    got: dict[str, Any] = {}
    with here.guard.session() as session:
        session.call("note", noting(got), **arguments)
    return got


# --- A16: every occurrence, at any depth ------------------------------------------------------------

NESTED: list[tuple[str, Any, list[str]]] = [
    ("twice in a text", f"{MAIL} and {MAIL}", [MAIL]),
    ("next to each other", f"{MAIL},{MAIL};{MAIL}", [MAIL]),
    ("many", " ".join([MAIL] * 40), [MAIL]),
    ("different kinds", f"{MAIL} {CARD} {IBAN} {PHONE}", [MAIL, CARD, IBAN, PHONE]),
    ("in an object", {"a": MAIL, "b": {"c": MAIL}}, [MAIL]),
    ("in lists of lists", [[MAIL], [[MAIL, [MAIL]]]], [MAIL]),
    ("in an object in a list", [{"a": [{"b": MAIL}]}, {"a": [{"b": PHONE}]}], [MAIL, PHONE]),
    ("eight deep", {"a": {"b": {"c": {"d": {"e": {"f": {"g": MAIL}}}}}}}, [MAIL]),
    ("under a telling key", {"email": MAIL, "phone": PHONE, "iban": IBAN}, [MAIL, PHONE, IBAN]),
    ("a key itself", {MAIL: "x", "other": 1}, [MAIL]),
    ("keys at two levels", {"a": {MAIL: {PHONE: 1}}}, [MAIL, PHONE]),
    ("a number", {"phone": 442071838750, "n": 3}, ["442071838750"]),
    ("JSON in a string", {"raw": json.dumps({"to": [MAIL]})}, [MAIL]),
    ("JSON in JSON in a string", {"raw": json.dumps({"raw": json.dumps({"to": MAIL})})}, [MAIL]),
    ("in prose around JSON", f"see {json.dumps({'to': MAIL})} there", [MAIL]),
    ("over lines", f"To: {MAIL}\nCc: {MAIL}\n\n{PHONE}\n", [MAIL, PHONE]),
    ("after emoji and marks", f"👩‍👩‍👧 e\u0301 {MAIL} 🇪🇺 {PHONE}", [MAIL, PHONE]),
    ("beside right-to-left text", f"שלום {MAIL} مرحبا", [MAIL]),
    ("with zero-width characters", f"ada\u200b@exam\u200dple.com and {MAIL}", [MAIL]),
    ("in full-width digits", CARD.translate({ord(str(n)): chr(0xFF10 + n) for n in range(10)}), [CARD]),
    ("in Base64", f"token {base64.b64encode(CARD.encode()).decode()} end", [base64.b64encode(CARD.encode()).decode()]),
    ("in a table", "\n".join(f"| {number} | {MAIL} |" for number in range(5)), [MAIL]),
]


@pytest.mark.parametrize(("value", "hidden"), [row[1:] for row in NESTED], ids=[row[0] for row in NESTED])
def test_every_occurrence_goes(plain: Desk, value: Any, hidden: list[str]) -> None:
    """A16: wherever a value stands and however often, the tool and the agent see none of it."""
    got = noted(plain, value=value)
    with plain.guard.session() as session:
        seen = session.call("note", lambda **_: value)
    for each in hidden:
        assert digits(each) not in digits(got)
        assert digits(each) not in digits(seen)


# --- A17: types and schema hold ----------------------------------------------------------------------

KEPT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("a string stays one", {"note": MAIL}, {"note": HIDDEN}),
    ("a part of a string", {"note": f"to {MAIL}!"}, {"note": f"to {HIDDEN}!"}),
    ("a list keeps its length", {"cc": [MAIL, "x", MAIL]}, {"cc": [HIDDEN, "x", HIDDEN]}),
    ("a number becomes one", {"phone": 442071838750}, {"phone": 0}),
    ("an empty list stays", {"cc": [], "note": MAIL}, {"cc": [], "note": HIDDEN}),
    ("booleans and null stay", {"a": True, "b": None, "note": MAIL}, {"a": True, "b": None, "note": HIDDEN}),
    ("floats stay", {"a": 1.5, "b": -0.25, "note": MAIL}, {"a": 1.5, "b": -0.25, "note": HIDDEN}),
    ("large integers stay", {"a": 2**70, "note": MAIL}, {"a": 2**70, "note": HIDDEN}),
    ("a personal key empties its object", {"m": {MAIL: 1}, "n": 2}, {"m": {}, "n": 2}),
    (
        "JSON in a string stays a string",
        {"raw": json.dumps({"to": MAIL})},
        {"raw": json.dumps({"to": HIDDEN}, separators=(",", ":"))},
    ),
    ("unicode stays", {"note": f"für {MAIL} 🎉"}, {"note": f"für {HIDDEN} 🎉"}),
]
FITTING: list[tuple[str, dict[str, Any]]] = [
    ("a date stays a date", {"to": "W1", "date_of_birth": "1985-03-15"}),
    ("an age stays a number", {"to": "W1", "age": 34}),
    ("tags stay strings", {"to": "W1", "tags": [MAIL, "x"]}),
    ("an optional object", {"to": "W1", "extra": {MAIL: 1}}),
    ("nothing to redact", {"to": "W1"}),
]
BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("a required argument goes whole", {"to": MAIL}),
    ("an address that must be one", {"to": "W1", "mail": MAIL}),
    ("a required argument by name", {"to": "Maria Lopez"}),
]


@pytest.mark.parametrize(("arguments", "expected"), [row[1:] for row in KEPT], ids=[row[0] for row in KEPT])
def test_types_are_kept(plain: Desk, arguments: dict[str, Any], expected: dict[str, Any]) -> None:
    """A17: what is redacted is of the type that it was, and all else is equal."""
    got = noted(plain, **arguments)
    assert got == expected
    assert [type(value) for value in got.values()] == [type(value) for value in expected.values()]


@pytest.mark.parametrize("arguments", [row[1] for row in FITTING], ids=[row[0] for row in FITTING])
def test_a_redacted_call_is_one_that_the_tool_takes(treated: Desk, arguments: dict[str, Any]) -> None:
    """A17: the arguments hold to the tool's schema; name and call id are as they were."""
    schema = treated.schema("ship")
    got: dict[str, Any] = {}
    with treated.guard.session() as session:
        session.call(Tool("ship", schema=schema), noting(got), **arguments)
    jsonschema.validate(got, schema, format_checker=jsonschema.FormatChecker())
    assert digits(MAIL) not in digits(got)
    assert "1985-03-15" not in json.dumps(got)


@pytest.mark.parametrize("arguments", [row[1] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_call_that_redaction_would_break_is_blocked(plain: Desk, arguments: dict[str, Any]) -> None:
    """A17: the tool is not called with a placeholder where it needs a value."""
    with plain.guard.session() as session, pytest.raises(Blocked) as caught:
        session.call(Tool("ship", schema=plain.schema("ship")), lambda **_: pytest.fail("it was called"), **arguments)
    assert "redaction_would_break_arguments" in str(caught.value)


TREATMENTS: list[tuple[str, str]] = [
    ("born 1985-03-15", "born 1985"),
    ("date of birth: 15.03.1985", "date of birth: 1985"),
    ("I am 34 years old", "I am 30-39 years old"),
    ("card 4111 1111 1111 1111.", "card *******************."),
    ("at 12 Elm Street, Springfield, IL 62704", "at IL"),
    ("call +44 20 7183 8750 now", "call  now"),
]


@pytest.mark.parametrize(("text", "expected"), TREATMENTS)
def test_each_category_is_treated_as_the_policy_says(treated: Desk, text: str, expected: str) -> None:
    """A17: a year for a date, a band for an age, a region for an address; the words around them stay."""
    with treated.guard.session() as session:
        assert session.user(text) == expected
        assert session.user(expected) == expected


# --- A18: withheld whole --------------------------------------------------------------------------------

LARGE: list[tuple[str, Any, str]] = [
    ("a long text", "word " * 5_000, "oversized"),
    ("one long word", "x" * 25_000, "oversized"),
    ("in bytes, not in characters", "é" * 12_000, "oversized"),
    ("a long list", ["x" * 100] * 300, "oversized"),
    ("too deep", json.loads("[" * 14 + "]" * 14), "oversized"),
    ("too deep in a string", json.dumps(json.loads("[" * 14 + "]" * 14)), "oversized"),
    ("too many fields", list(range(6_000)), "oversized"),
    ("a secret at the very end", "word " * 5_000 + MAIL, "oversized"),
    ("a secret at the limit", "x" * (20_000 - 5) + MAIL, "oversized"),
    ("a key twice", f'{{"to": "a", "to": "{MAIL}"}}', "failed"),
]


@pytest.mark.parametrize(("value", "status"), [row[1:] for row in LARGE], ids=[row[0] for row in LARGE])
def test_what_is_too_large_is_withheld_whole(plain: Desk, value: Any, status: str) -> None:
    """A18: nothing of it is delivered, not even its beginning, and the reason is told."""
    with plain.guard.session() as session, pytest.raises(Blocked) as caught:
        session.call("note", lambda **_: value)
    assert f"extraction_{status}" in str(caught.value)
    assert MAIL not in str(caught.value)


@pytest.mark.parametrize("text", ["x" * 19_000, "word " * 3_900, f"{'word ' * 3_000}{MAIL} end"])
def test_what_is_just_small_enough_passes_whole(plain: Desk, text: str) -> None:
    """A18: nothing is cut off within the limit, also not in mid-word."""
    with plain.guard.session() as session:
        assert session.user(text) == text.replace(MAIL, HIDDEN)


# --- A19: exactly the redacted payload, on every channel -------------------------------------------------


def given(session: Session, text: str) -> str:
    """What a tool gets."""
    got: dict[str, Any] = {}
    session.call("note", noting(got), value=text)
    return str(got["value"])


CHANNELS: dict[str, Callable[[Session, str], Any]] = {
    "user": lambda session, text: session.user(text),
    "assistant": lambda session, text: session.assistant(text),
    "agent": lambda session, text: session.send("other", text),
    "memory, written": lambda session, text: session.remember("k", text).content,
    "memory, read": lambda session, text: session.recall("k", text),
    "tool, called": given,
    "tool, answered": lambda session, text: session.call("note", lambda **_: text),
}
TEXTS: list[tuple[str, str]] = [
    (f"  to {MAIL} \t — today\r\n", f"  to {HIDDEN} \t — today\r\n"),
    ('{ "b": 1.0,  "a": [ "ü" ,2e3 ] }', '{ "b": 1.0,  "a": [ "ü" ,2e3 ] }'),
    (f'{{"to":"{MAIL}","n":1.0}}', f'{{"to":"{HIDDEN}","n":1.0}}'),
]


@pytest.mark.parametrize("channel", list(CHANNELS))
@pytest.mark.parametrize(("text", "expected"), TEXTS, ids=["redacted", "untouched", "a document"])
def test_what_arrives_is_exactly_the_redacted_payload(plain: Desk, channel: str, text: str, expected: str) -> None:
    """A19: byte for byte, whichever way it goes."""
    with plain.guard.session() as session:
        assert CHANNELS[channel](session, text) == expected


# --- A20: many at once, and stable placeholders ----------------------------------------------------------

SAME: list[tuple[str, str, bool]] = [
    ("Maria Lopez called", "ask Maria Lopez again", True),
    ("please ask Maria Lopez", "please ask maria lopez", True),
    ("Maria Lopez called", "Bob Carter called", False),
    (f"write to {MAIL} today", f"wrote to {MAIL.upper()} then", True),
    (f"write to {MAIL} today", "write to bob@example.com today", False),
]


@pytest.mark.parametrize(("one", "other", "same"), SAME)
def test_placeholders_are_stable(treated: Desk, one: str, other: str, same: bool) -> None:  # noqa: FBT001 - a column
    """A20: within a session the same person has the same placeholder, and another person another."""
    with treated.guard.session(session_id="s1") as session:
        tags = [session.user(text).split("#")[1].split("]")[0] for text in (one, other)]
    assert (tags[0] == tags[1]) is same


def test_placeholders_of_two_sessions_cannot_be_linked(treated: Desk) -> None:
    """A20: a placeholder says nothing outside of its session; a hash does."""
    said = []
    for name in ("s1", "s2"):
        with treated.guard.session(session_id=name) as session:
            said.append([session.user("ask Maria Lopez"), session.user(f"to {MAIL}")])
    assert said[0][0] != said[1][0]
    assert said[0][1] == said[1][1]


def test_many_threads_get_what_one_would(treated: Desk) -> None:
    """A20: detectors that are shared find the same for everybody, in any order."""
    texts = [f"{text} number {number}" for number in range(8) for text, _ in TREATMENTS]
    with treated.guard.session() as session:
        alone = [session.user(text) for text in texts]

        def say(text: str) -> str:
            return session.user(text)

        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(say, texts)) == alone


# --- A21: a detector that crashes or hangs ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("please hang", "extraction_timeout"),
        ("please crash", "extraction_failed"),
        ("please raise", "extraction_failed"),
    ],
)
def test_a_detector_in_trouble_blocks_its_event_and_nothing_else(text: str, reason: str) -> None:
    """A21: that event is blocked, the ones before and behind it are answered, and the guard goes on."""
    with (
        closing(ExtractorPool(scripted.scripted, spare=0.1)) as pool,
        desk(given=scripted.Impatient(pool)) as here,
        here.guard.session() as session,
    ):
        assert session.user("fine") == "[user.name]"
        with pytest.raises(Blocked, match=reason):
            session.user(text)
        assert session.user("fine") == "[user.name]"
        assert here.kinds() == [AuditKind.VERDICT] * 3
