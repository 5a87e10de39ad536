"""Every test in this folder needs real engines."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder `service`."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.service)
