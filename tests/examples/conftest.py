"""What the examples run on here: verdicts in this process, on the real extraction."""

import secrets
from collections.abc import Iterator

import pytest

from lawful.client import Transport
from lawful.infra.compose_root import in_process
from lawful.infra.settings_load import load_settings


@pytest.fixture(scope="package")
def transport() -> Iterator[Transport]:
    """All packs and the real extraction, loaded once."""
    made = in_process(load_settings({"LAWFUL_PSEUDONYM_KEY": secrets.token_hex(16)}))
    yield made
    made.close()
