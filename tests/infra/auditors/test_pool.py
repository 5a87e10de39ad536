"""Auditors by name."""

from collections.abc import Mapping
from typing import Any

import pytest

from lawful.infra.auditors.pool import auditors
from lawful.schemas.errors import ConfigurationError

WORD = "warn"


def judge(document: Mapping[str, Any]) -> str:
    """What a user might bring along."""
    del document
    return "forward"


def test_ours_packs_and_whatever_can_be_called_are_named_in_one_list() -> None:
    """In the order in which they are named; blanks do not matter."""
    found = auditors(f"python, rego,mfotl ,reader,pack:medagent,mine={__name__}:judge,")
    assert [each.name for each in found] == ["python", "rego", "mfotl", "reader", "pack:medagent", "mine"]
    assert auditors("") == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("prolog", "there is no auditor"),
        ("pack:nowhere", "no policy"),
        ("mine=no.such.module:judge", "cannot be imported"),
        (f"mine={__name__}:nothing", "cannot be imported"),
        (f"mine={__name__}:WORD", "cannot be called"),
    ],
)
def test_what_is_not_there_is_refused(name: str, why: str) -> None:
    """At the start, not at the first event."""
    with pytest.raises(ConfigurationError, match=why):
        auditors(f"python,{name}")
