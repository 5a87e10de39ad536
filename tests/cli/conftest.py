"""Fixtures of the command line's tests."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def shared_data() -> Path:
    """The folder of public benchmark data, which is not part of the repository; skips where it is absent."""
    root = Path(__file__).parents[2]
    folder = Path(os.environ.get("LAWFUL_SHARED_DATA") or root.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("the public benchmark data is not here")
    return folder


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands see no settings of the person who runs the tests."""
    for name in [name for name in os.environ if name.startswith("LAWFUL_") and name != "LAWFUL_SHARED_DATA"]:
        monkeypatch.delenv(name)
