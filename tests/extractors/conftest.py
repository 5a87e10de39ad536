"""One real extractor for all tests of this folder: loading a language model takes seconds."""

import pytest

from lawful.extractors import build_extractor
from lawful.extractors.config import load_entities
from lawful.extractors.port import Extractor
from lawful.extractors.presidio.engine import Engine
from tests.extractors.support import PSEUDONYMS


@pytest.fixture(scope="session")
def extractor() -> Extractor:
    """The extractor as it ships."""
    return build_extractor(PSEUDONYMS)


@pytest.fixture(scope="session")
def engine() -> Engine:
    """Presidio as it ships."""
    return Engine(load_entities())
