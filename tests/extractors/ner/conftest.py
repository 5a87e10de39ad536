"""One model for all tests of this folder."""

import pytest

from lawful.extractors.ner.model import Model


@pytest.fixture(scope="session")
def model() -> Model:
    """The model as it ships."""
    return Model()
