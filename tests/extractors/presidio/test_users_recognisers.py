"""A user's own recognisers: asked as Presidio asks them, and kept from harming any event but the one they fail on."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from presidio_analyzer import EntityRecognizer, LocalRecognizer, Pattern, PatternRecognizer, RecognizerResult

from lawful.extractors.config import EntityConfig, EntityRule
from lawful.extractors.language import Language
from lawful.extractors.pipeline import Pipeline
from lawful.extractors.port import ExtractionSpec, Limits
from lawful.extractors.presidio.engine import Engine
from lawful.schemas.event import UserMessage
from lawful.schemas.view import ExtractionStatus
from tests.extractors.support import PSEUDONYMS, SPEC, extract

CONFIG = EntityConfig("1", (), {"BADGE": EntityRule("user.workplace")})


def only(recogniser: EntityRecognizer) -> Pipeline:
    """An extractor with nothing but one recogniser."""
    return Pipeline([Language(Engine(CONFIG, [recogniser]), CONFIG, PSEUDONYMS)], time.monotonic)


class Own(LocalRecognizer):
    """A recogniser that finds what a function finds."""

    def __init__(self, act: Callable[[str, Any], Any], context: list[str] | None = None) -> None:
        super().__init__(["BADGE"], name="own", context=context)
        self.act = act

    def load(self) -> None:
        """Nothing to load."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> Any:
        """What the function says."""
        return self.act(text, nlp_artifacts)


class Checked(PatternRecognizer):
    """A pattern with a validation of its own."""

    def validate_result(self, pattern_text: str) -> bool | None:
        """Even numbers only; of one it cannot tell; and it fails on another."""
        number = int(pattern_text[2:])
        if number == 1313:
            raise ArithmeticError(pattern_text)
        return None if number == 1000 else number % 2 == 0

    def invalidate_result(self, pattern_text: str) -> bool:
        """Not this one."""
        return pattern_text == "B-2222"


class Overridden(PatternRecognizer):
    """A pattern recogniser that goes on from Presidio's own analysis."""

    def analyze(self, *args: Any, **named: Any) -> list[RecognizerResult]:
        """One character less than the pattern."""
        found = super().analyze(*args, **named)
        for hit in found:
            hit.end -= 1
        return found


def at(start: int, end: int, score: float = 0.9, entity: str = "BADGE") -> RecognizerResult:
    """A result of Presidio's."""
    return RecognizerResult(entity, start, end, score)


def tokens(_text: str, artifacts: Any) -> list[RecognizerResult]:
    """Tokens that say `badge`, by spaCy's words and places."""
    pairs = zip(artifacts.tokens_indices, artifacts.lemmas, strict=True)
    return [at(start, start + len(word)) for start, word in pairs if word == "badge"]


def found(recogniser: EntityRecognizer, text: str) -> list[str]:
    """What an extractor with a recogniser finds of its entity."""
    mine = only(recogniser)
    findings = extract(mine, UserMessage(text)).findings
    return [text[one.start : one.end] for one in findings if one.category == "user.workplace"]


BADGES = [Pattern("badge", r"B-\d{4}", 0.6)]


@pytest.mark.parametrize(
    ("recogniser", "text", "expected"),
    [
        (Own(tokens), "a Badge and a badge", ["Badge", "badge"]),
        (Own(lambda text, _: [at(text.index("x"), text.index("x") + 1)]), "\u200bax", ["x"]),
        (Own(lambda _text, _artifacts: None), "anything", []),
        (Own(lambda _text, _artifacts: [at(0, 1, entity="OTHER")]), "anything", []),
        (Own(lambda _text, _artifacts: [at(6, 8, 0.2)], context=["staff"]), "staff 17", ["17"]),
        (Own(lambda _text, _artifacts: [at(6, 8, 0.2)], context=["staff"]), "count 17", []),
        (PatternRecognizer("BADGE", patterns=BADGES), "badge B-1234.", ["B-1234"]),
        (
            PatternRecognizer("BADGE", patterns=BADGES),
            "b-1234 \uff22\uff0d\uff11\uff12\uff13\uff14",
            ["b-1234", "\uff22\uff0d\uff11\uff12\uff13\uff14"],
        ),
        (PatternRecognizer("BADGE", deny_list=["Blue Team"]), "the blue team won", ["blue team"]),
        (PatternRecognizer("BADGE", patterns=[Pattern("p", r"\p{Lu}{3}-\d", 0.9)]), "ÄÖÜ-1", ["ÄÖÜ-1"]),
        (PatternRecognizer("BADGE", patterns=[Pattern("p", r"(?<=id )\d{3}(?!\d)", 0.9)]), "id 123, id 1234", ["123"]),
        (Checked("BADGE", patterns=BADGES), "B-1234 B-1235 B-1000 B-2222", ["B-1234", "B-1000"]),
        (Overridden("BADGE", patterns=BADGES), "B-1234", ["B-123"]),
    ],
)
def test_recognisers_work_unchanged(recogniser: EntityRecognizer, text: str, expected: list[str]) -> None:
    """Patterns, lists, validations, context, tokens, and whatever overrides them."""
    assert found(recogniser, text) == expected


def _raise(error: BaseException) -> Callable[[str, Any], Any]:
    def act(text: str, _artifacts: Any) -> Any:
        if "bad" in text:
            raise error
        return [at(0, 1)]

    return act


def _answer(answer: Any) -> Callable[[str, Any], Any]:
    return lambda text, _artifacts: answer if "bad" in text else [at(0, 1)]


@pytest.mark.parametrize(
    ("recogniser", "text", "reason"),
    [
        (Own(_raise(ValueError("jane@example.com"))), "bad", "detector_failed:presidio.own:ValueError"),
        (Own(_raise(RecursionError())), "bad", "detector_failed:presidio.own:RecursionError"),
        (Own(_raise(MemoryError())), "bad", "detector_failed:presidio.own:MemoryError"),
        (Own(_raise(TimeoutError())), "bad", "detector_failed:presidio.own:TimeoutError"),
        (Own(_answer("nonsense")), "bad", "detector_failed:presidio.own:AttributeError"),
        (Own(_answer(7)), "bad", "detector_failed:presidio.own:TypeError"),
        (Own(_answer([at(0, 99)])), "bad", "detector_failed:presidio.own:ValueError"),
        (Own(_answer([at(-1, 2)])), "bad", "detector_failed:presidio.own:ValueError"),
        (Own(_answer([at(2, 2)])), "bad", "detector_failed:presidio.own:ValueError"),
        (Own(_answer([at(0, 1, float("nan"))])), "bad", "detector_failed:presidio.own:ValueError"),
        (Own(_answer([at(0, 1, 7)])), "bad", "detector_failed:presidio.own:ValueError"),
        (Checked("BADGE", patterns=BADGES), "B-1313", "detector_failed:presidio.Checked:ArithmeticError"),
        (Own(_answer([at(n, n + 1) for n in range(2_001)])), "bad" * 700, "too_many_findings"),
        (PatternRecognizer("BADGE", patterns=[Pattern("p", r"b", 0.9)]), "b" * 2_001, "too_many_findings"),
        (
            PatternRecognizer("BADGE", patterns=[Pattern("p", r"(?:x+x+)+(?=y)", 0.9)]),
            "x" * 3_000 + "z",
            "extraction_timeout",
        ),
        (Overridden("BADGE", patterns=[Pattern("p", r"(?:x+x+)+(?=y)", 0.9)]), "x" * 3_000 + "z", "extraction_timeout"),
    ],
)
def test_a_fault_blocks_its_event_and_nothing_else(recogniser: EntityRecognizer, text: str, reason: str) -> None:
    """What crashes, answers nonsense, finds without end or runs late fails that event alone (A21)."""
    mine = only(recogniser)
    spec = ExtractionSpec(limits=Limits(extraction_ms=300)) if reason == "extraction_timeout" else SPEC
    failed = extract(mine, UserMessage(text), spec)
    assert (failed.findings, failed.status_reason) == ((), reason)
    assert "jane" not in repr(failed)
    assert extract(mine, UserMessage("all is well"), SPEC).status is ExtractionStatus.COMPLETE


@pytest.mark.parametrize(
    "recogniser", [Own(tokens), Checked("BADGE", patterns=BADGES), Overridden("BADGE", patterns=BADGES)]
)
def test_threads_do_not_disturb_a_users_recogniser(recogniser: EntityRecognizer) -> None:
    """Eight threads get what one gets (A20)."""
    mine = only(recogniser)
    payloads = [UserMessage(f"badge B-{2000 + 2 * n}, j{n}@example.com, 4111 1111 1111 1111, {n}") for n in range(24)]
    alone = [extract(mine, payload) for payload in payloads]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda payload: extract(mine, payload), payloads)) == alone
