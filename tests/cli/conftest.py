"""Fixtures of the command line's tests."""

import os

import pytest


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands see no settings of the person who runs the tests, nor how wide their terminal is."""
    monkeypatch.delenv("COLUMNS", raising=False)
    for name in [name for name in os.environ if name.startswith("LAWFUL_") and name != "LAWFUL_SHARED_DATA"]:
        monkeypatch.delenv(name)
