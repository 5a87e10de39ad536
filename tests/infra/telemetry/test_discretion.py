"""Nobody gets into the log, whatever is logged and whoever logs it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.infra.telemetry.discretion import errors, message, places, scrubbed
from lawful.schemas.errors import MustStop


def said(template: object, *arguments: Any, logger: str = "faust.app") -> str:
    """What the log would say."""
    return message(logging.LogRecord(logger, logging.INFO, "x.py", 1, template, arguments, None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mail to ada.lovelace+x@example.co.uk failed", "mail to [email] failed"),
        ("GET /people/zoë@münchen.example/x", "GET /people/[email]/x"),
        ("GET /?to=ada%40example.com&x=1", "GET /?to=[email]&x=1"),
        ("ada@localhost", "[email]"),
        ("call +44 20 7183 8750 now", "call [phone] now"),
        ("call +442071838750.", "call [phone]."),
        ("0207 183 8750", "[phone]"),
        ("(555) 123-4567", "[phone]"),
        ("555-123-4567", "[phone]"),
        ("pay DE89 3704 0044 0532 0130 00 today", "pay [iban] today"),
        ("GB29NWBK60161331926819", "[iban]"),
        ("card 4111 1111 1111 1111", "card [card]"),
        ("078-05-1120", "[number]"),
    ],
)
def test_what_points_to_somebody_is_replaced(text: str, expected: str) -> None:
    """A36: addresses, phone numbers, accounts, cards and insurance numbers, quoted for the web or not."""
    assert scrubbed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "lawful.events/3 goes back to offset 1234567890123",
        "event 01934567-8912-7345-9678-901234567890 took 12.5 ms",
        "kafka-1.internal:9092 at 10.20.30.40 port 19092: no answer",
        "2026-11-30 00:38:24,123 and 2026-11-30T00:38:24.123",
        "policy digest 5d41402abc4b2a76b9719d911017c592",
        "1795990380584000 microseconds",
        "version 26.9.0, 4 partitions of 0",
    ],
)
def test_what_operators_need_stays(text: str) -> None:
    """Offsets, ids, times, hosts and digests are nobody's."""
    assert scrubbed(text) == text


def test_an_exception_in_an_argument_is_told_by_its_class() -> None:
    """A36: what a library choked on may stand in its message: names, whole payloads."""
    error = ValueError("Ada Lovelace lives at 12 St James's Square")
    assert said("cannot do it: %s", error) == said("cannot do it: %r", error) == "cannot do it: ValueError"
    assert said("cannot do it: %r", error, logger="lawful.streams.agents") == "cannot do it: ValueError"
    assert said(error) == "ValueError"


def test_our_own_errors_keep_their_words() -> None:
    """They hold nobody by contract; what looks like somebody is replaced all the same."""
    assert said("%s", MustStop("offset 7 is gone, ask ada@example.com")) == "offset 7 is gone, ask [email]"


class Colour(Enum):
    """Something to choose."""

    RED = "red"


@dataclass
class Payload:
    """Shows all that it has."""

    text: str


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Payload("Ada Lovelace"), "<Payload>"),
        ([Payload("Ada Lovelace"), 1], "[<Payload>, 1]"),
        ({"to": "ada@example.com", "n": 2}, "{to: [email], n: 2}"),
        ({"deep": {"deep": {"deep": {"deep": {"deep": "x"}}}}}, "{deep: {deep: {deep: {deep: <dict>}}}}"),
        (b"Ada Lovelace", "<12 bytes>"),
        ("Ada Lovelace wrote", "<text of 18>"),
        ("lawful.events", "lawful.events"),
        (Path("/data/ada@example.com"), "/data/[email]"),
        (Colour.RED, "red"),
        (None, "None"),
        (2.5, "2.5"),
    ],
)
def test_arguments_of_libraries_are_told_by_kind(value: object, expected: str) -> None:
    """A36: objects by their class, sentences by their length, names of topics as they are."""
    wrapped = (value,) if not isinstance(value, Mapping) else ({"value": value},)
    template = "%s" if not isinstance(value, Mapping) else "%(value)s"
    assert said(template, *wrapped) == expected


def test_numbers_keep_their_formats() -> None:
    """`%d` and `%.1f` get numbers; a format that no longer fits leaves the bare template."""
    assert said("%d of %.1f", 3, 2.25) == "3 of 2.2"
    assert said("%d people", Payload("Ada Lovelace")) == "%d people"


def test_a_line_cannot_pretend_to_be_another() -> None:
    """Line ends and control characters of a text become spaces, and there is an end to it."""
    assert scrubbed("a\nERROR forged\x1b[31m\u2028b") == "a ERROR forged [31m b"
    assert len(scrubbed("x" * 1_000_000)) == 2_000


def test_exceptions_are_told_by_class_and_place_with_what_led_to_them() -> None:
    """The chain of causes and the frames, without messages and without source lines."""

    def fail() -> None:
        raise RuntimeError("Ada Lovelace") from KeyError("ada@example.com")

    with pytest.raises(RuntimeError) as caught:
        fail()
    assert errors(caught.value) == ["RuntimeError", "KeyError"]
    assert places(caught.tb)[-1].startswith("test_discretion.py:")
    assert places(caught.tb)[-1].endswith(" fail")


LOCAL = st.text("abcdefghijklmnopqrstuvwxyz0123456789._+-äß", min_size=1, max_size=20)
AROUND = st.text(max_size=30)


@given(LOCAL, AROUND, AROUND)
def test_no_address_survives(local: str, before: str, after: str) -> None:
    """A36: whatever stands around an e-mail address, it does not come through."""
    address = f"{local}@example.com"
    assert address not in scrubbed(f"{before} {address} {after}")


@given(st.text(max_size=200))
def test_scrubbing_twice_changes_nothing_more(text: str) -> None:
    """What is clean stays as it is."""
    once = scrubbed(text)
    assert scrubbed(once) == once
