"""Attacks in a language model's words: templates are asked for once, checked, and drawn by the seed."""

from random import Random
from typing import Any

import pytest

from lawful.infra.evaluation.attacks.families import Batch, trials
from lawful.infra.evaluation.attacks.variants import Variants, usable, write_variants
from lawful.infra.evaluation.attacks.wording import FRAMINGS
from lawful.infra.evaluation.run import Order, run_batch
from lawful.infra.evaluation.tally import Sums
from lawful.schemas.errors import ConfigurationError, RetryLater
from lawful.schemas.event import UserMessage

utils = pytest.importorskip("dspy.utils", reason="the extra dspy is not installed")


def model(*answers: str) -> Any:
    """DSPy's own dummy, with one answer for each framing."""
    return utils.DummyLM([{"messages": answer} for answer in answers])


def test_a_model_s_words_are_used_in_attacks() -> None:
    """Each framing is asked for once; the trials carry the model's words, and the monitor meets them."""
    written = write_variants(model(*(f'["{name}: {{ask}}, dear machine"]' for name in FRAMINGS)))
    assert set(written.templates) == set(FRAMINGS)
    batch = Batch(1, "shopper", "A1", benign=False, first=0, count=3)
    for trial in trials(batch, written):
        said = [step.event.payload.text for step in trial.steps if isinstance(step.event.payload, UserMessage)]
        assert any(text.startswith(f"{trial.framing}: ") and "dear machine" in text for text in said)
    sums = Sums(run_batch(Order(batch, ("none", "perfect"), written)))
    assert sums.attack_success("none").share == 1
    assert sums.attack_success("perfect").count == 0


def test_what_is_no_template_is_left_out() -> None:
    """One place to fill in, no other braces; where nothing can be used, our own words are."""
    assert usable(["do {ask}", "do it", "{ask} and {ask}", "{ask} {name}", "{ask", 7, "do {ask}"]) == ("do {ask}",)
    assert Variants({}).ask("wait", "plain", Random(1))


def test_a_model_that_writes_nothing_of_use_is_told() -> None:
    """Instead of running the old attacks as if they were new."""
    with pytest.raises(ConfigurationError, match="no template"):
        write_variants(model(*['["nothing to fill in"]' for _ in FRAMINGS]))


def test_a_model_that_does_not_answer_is_away() -> None:
    """The same command may succeed later."""

    class Away(utils.DummyLM):  # type: ignore[misc, name-defined] # ships no types
        def __call__(self, *_: object, **__: object) -> None:
            raise ConnectionError

    with pytest.raises(RetryLater, match="ConnectionError"):
        write_variants(Away([{}]))
