"""The fast way against Presidio's, on texts drawn from Presidio's own patterns."""

import time

import pytest
from presidio_analyzer import Pattern, PatternRecognizer, RecognizerResult
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer

from lawful.extractors.budget import Budget
from lawful.extractors.config import EntityRule
from lawful.extractors.presidio import differential
from lawful.extractors.presidio.artifacts import Tokeniser
from lawful.extractors.presidio.context import Words
from lawful.extractors.presidio.running import Running
from lawful.extractors.presidio.sampling import texts


def test_the_fast_way_gives_what_presidio_gives() -> None:
    """All recognisers of Presidio's, entity, place and score, on 250 texts with more than a thousand hits."""
    compared = differential.compare(250, seed=20_261)
    assert [(one.recogniser, one.missing, one.extra) for one in compared.differences] == []
    assert compared.hits > 1_000
    assert compared.recognisers > 60
    assert compared.unfiltered <= 5


def test_a_difference_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fast way that loses every hit is told of, recogniser by recogniser."""
    monkeypatch.setattr(Running, "unweighed", lambda *_args, **_named: [])
    compared = differential.compare(30, seed=1)
    assert compared.differences
    assert compared.hits == 0
    assert all(one.missing and not one.extra for one in compared.differences)


CONTEXT = ["phone", "card", "ssn", "IBAN", "call"]
NUMBERS = PatternRecognizer("NUMBER", patterns=[Pattern("number", r"\b\d{3,9}\b", 0.1)], context=CONTEXT)


def test_context_is_weighed_as_presidio_weighs_it() -> None:
    """Where both see the same words, the scores are the same."""
    tokeniser, enhancer = Tokeniser(), LemmaContextAwareEnhancer(context_matching_mode="whole_word")
    ours = Running(NUMBERS, {"NUMBER": EntityRule("user", min_score=0.0)}, "1")
    budget = Budget(time.monotonic, time.monotonic() + 60)
    boosted = 0
    for text in texts([r"[a-z]{2,8} [a-z]{2,8} \d{3,9}"], CONTEXT, 300, seed=7):
        words = "".join(char if char.isalnum() and char.isascii() else " " for char in text).split()
        # spaCy makes two words of `id` (i'd) and of `6m`.
        plain = " ".join(word for word in words if word != "id" and (word.isalpha() or word.isdigit()))
        raw = NUMBERS.analyze(plain, [])
        for result in raw:
            result.recognition_metadata = {RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: NUMBERS.id}
        theirs = enhancer.enhance_using_context(plain, raw, tokeniser.read(plain), [NUMBERS], ["order"])
        mine = ours.hits(plain, Words(plain, ["order"]), range(1), budget, None)
        assert {(one.start, one.end, one.score) for one in mine} == {
            (one.start, one.end, round(one.score, 4)) for one in theirs
        }
        boosted += sum(one.has_context for one in mine)
    assert boosted > 50
