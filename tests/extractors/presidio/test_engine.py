"""Presidio's parts over one text."""

import socket
import time
from typing import Any

import pytest
import regex  # type: ignore[import-untyped] # ships no types
import tldextract
from presidio_analyzer import EntityRecognizer, LocalRecognizer, Pattern, PatternRecognizer, RecognizerResult

from lawful.extractors.budget import Budget, DetectorFailed, TimeUp
from lawful.extractors.chunks import chunks
from lawful.extractors.config import EntityConfig, EntityRule, RecogniserRule, load_entities
from lawful.extractors.presidio.engine import Engine
from lawful.schemas.errors import ConfigurationError

BADGE = PatternRecognizer("BADGE", name="badges", patterns=[Pattern("badge", r"B-\d{4}", 0.3)], context=["badge"])
BADGES = EntityConfig("1", (), {"BADGE": EntityRule("user.workplace", 0.5)})


def within(seconds: float = 60) -> Budget:
    """A budget of some seconds."""
    return Budget(time.monotonic, time.monotonic() + seconds)


def entities(engine: Engine, text: str, words: tuple[str, ...] = (), *, least: float = 0.4) -> set[tuple[str, str]]:
    """Entities and texts with a score from `least` on."""
    hits = engine.hits(text, words, within())
    return {(hit.entity, text[hit.start : hit.end]) for hit in hits if hit.score >= least}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NHS number 943 476 5919", ("UK_NHS", "943 476 5919")),
        ("my ssn is 536-90-4399", ("US_SSN", "536-90-4399")),
        ("ssn 536904399", ("US_SSN", "536904399")),
        ("536.90.4399", ("US_SSN", "536.90.4399")),
        ("passport 912803456", ("US_PASSPORT", "912803456")),
        ("from 10.0.0.1", ("IP_ADDRESS", "10.0.0.1")),
        ("at fe80::1ff:fe23:4567:890a", ("IP_ADDRESS", "fe80::1ff:fe23:4567:890a")),
        ("00:1B:44:11:3A:B7", ("MAC_ADDRESS", "00:1B:44:11:3A:B7")),
        ("DNI 12345678Z", ("ES_NIF", "12345678Z")),
        ("call 6502530000", ("PHONE_NUMBER", "6502530000")),
    ],
)
def test_what_presidio_finds(engine: Engine, text: str, expected: tuple[str, str]) -> None:
    """Patterns and context words work without a model."""
    assert expected in entities(engine, text)


@pytest.mark.parametrize(
    "text",
    [
        "order 536904399",
        "see https://example.com/a?b=c",
        "on 2024-05-26 at 10:30",
        "version 1.2.3",
        "license D1234567",
        "SKU 8349118980",
    ],
)
def test_noise_is_off(engine: Engine, text: str) -> None:
    """No dates, no URLs, no driver licences, no bare digits."""
    assert entities(engine, text) == set()


def test_a_fields_name_is_context(engine: Engine) -> None:
    """Words from outside the text support a weak hit."""
    assert entities(engine, "536904399") == set()
    assert entities(engine, "536904399", ("client", "ssn")) == {("US_SSN", "536904399")}


@pytest.mark.parametrize(
    "unit", [".", ":", "(", "a.", "a@", "1 ", "1-", "4111 ", "DE89 ", "0:", "x", "_", "+1 ", "a.b@c."]
)
def test_hostile_text_stays_within_the_budget(engine: Engine, unit: str) -> None:
    """Four thousand characters of anything are read, and nothing is late: Presidio's defaults take seconds."""
    for piece in chunks((unit * 4_000)[:4_000]):
        engine.hits(piece.text, (), within(20))


class Crashing(LocalRecognizer):
    """A user's recogniser with a fault."""

    def load(self) -> None:
        """Nothing to load."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> list[RecognizerResult]:
        """Raises with the text in its message."""
        raise KeyError(text)


def test_a_crash_is_named_without_its_message() -> None:
    """The recogniser and the exception's class are told, the text is not (A21, A36)."""
    engine = Engine(BADGES, [Crashing(["BADGE"], name="mine")])
    with pytest.raises(DetectorFailed) as caught:
        engine.hits("jane@example.com", (), within())
    assert str(caught.value) == "presidio.mine:KeyError"


def test_a_slow_pattern_ends_loudly_with_the_budget() -> None:
    """Presidio passes over a pattern that times out; here the event is late instead (A21)."""
    slow = PatternRecognizer("BADGE", patterns=[Pattern("slow", r"(?:x+x+)+(?=y)", 0.9)])
    engine = Engine(BADGES, [slow])
    with pytest.raises(TimeUp):
        engine.hits("x" * 3_000 + "z", (), within(0.2))


def test_a_users_recogniser_is_left_as_it_was() -> None:
    """Bounding the patterns of a recogniser does not touch the user's own object."""
    patterns: list[Pattern] = BADGE.patterns  # type: ignore[has-type] # Presidio is typed in part
    before = [pattern.compiled_regex for pattern in patterns]
    engine = Engine(BADGES, [BADGE])
    assert entities(engine, "badge B-1234") == {("BADGE", "B-1234")}
    assert [pattern.compiled_regex for pattern in patterns] == before


@pytest.mark.parametrize(
    ("config", "extra", "message"),
    [
        (EntityConfig("1", (RecogniserRule("NoSuchRecognizer"),), {}), (), "NoSuchRecognizer"),
        (EntityConfig("1", (), {}), (BADGE,), "no data category"),
        (BADGES, ("not a recogniser",), "not a Presidio recogniser"),
    ],
)
def test_wrong_configuration_stops_the_start(
    config: EntityConfig, extra: tuple[EntityRecognizer, ...], message: str
) -> None:
    """A missing recogniser or category is said at the start."""
    with pytest.raises(ConfigurationError, match=message):
        Engine(config, extra)


def test_nothing_asks_the_network(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """E-mail addresses and the public-suffix list work without a socket."""

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert entities(engine, "jane@example.co.uk") == {("EMAIL_ADDRESS", "jane@example.co.uk")}
    assert tldextract.tldextract.TLD_EXTRACTOR.suffix_list_urls == ()


def test_hits_carry_detector_and_version(engine: Engine) -> None:
    """Who found it, and in which version."""
    (hit,) = engine.hits("ask a@b.co", (), within())
    assert hit.detector == "presidio.EmailRecogniser"
    assert regex.fullmatch(r"2\.2\.\d+", hit.version)


def test_the_shipped_entities_are_all_found_by_something(engine: Engine) -> None:
    """No line of the map is dead."""
    found = {entity for one in engine.recognisers for entity in one.supported} | {"PERSON", "LOCATION"}
    assert set(load_entities().entities) == found
