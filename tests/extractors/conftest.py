"""One real extractor for all tests of this folder: loading a language model takes seconds."""

import os
from pathlib import Path

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


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Public traces beside the repository; tests that read them are skipped where they are not."""
    root = Path(__file__).parents[2]
    folder = Path(os.environ.get("LAWFUL_SHARED_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the public benchmark data is not in {folder}")
    return folder
