"""Every correction of Presidio's recognisers: what they miss or make up, and what the extractor does."""

from typing import Any

import pytest
from presidio_analyzer import predefined_recognizers

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.port import Extractor
from lawful.extractors.presidio.quiet import keep_quiet
from lawful.schemas.event import UserMessage
from lawful.schemas.taxonomy import categories, covers
from tests.extractors.support import extract

ROWS = load_yaml(DATA / "corrections.yaml")["corrections"]
MISSED = [pytest.param(row, text, id=f"{row['name']}: {text}") for row in ROWS for text in row["missed"]]
FALSE = [pytest.param(row, text, id=f"{row['name']}: {text}") for row in ROWS for text in row["made_up"]]


def theirs(row: dict[str, Any], text: str) -> list[str]:
    """What the recognisers of Presidio's that a row names find in a text."""
    keep_quiet()
    kinds = [getattr(predefined_recognizers, name) for name in row["presidio"]]
    hits = [hit for kind in kinds for hit in kind().analyze(text, kind().supported_entities)]
    return [text[hit.start : hit.end] for hit in hits if hit.score > 0]


def ours(extractor: Extractor, row: dict[str, Any], text: str) -> list[str]:
    """What the extractor finds of a row's category in a text."""
    findings = extract(extractor, UserMessage(text)).findings
    return [text[one.start : one.end] for one in findings if covers(row["category"], one.category)]


@pytest.mark.parametrize(("row", "text"), MISSED)
def test_what_presidio_misses_is_found(extractor: Extractor, row: dict[str, Any], text: str) -> None:
    """The recognisers that run by default find nothing of it, and the extractor does."""
    assert theirs(row, text) == []
    assert ours(extractor, row, text)


@pytest.mark.parametrize(("row", "text"), FALSE)
def test_what_presidio_makes_up_is_not_found(extractor: Extractor, row: dict[str, Any], text: str) -> None:
    """They find something there, and the extractor nothing of the kind."""
    assert theirs(row, text)
    assert ours(extractor, row, text) == []


def test_each_row_says_why() -> None:
    """A correction has a category that exists, a reason and a text to show it."""
    for row in ROWS:
        assert row["category"] in categories()
        assert row["reason"].strip()
        assert row["instead"].strip()
        assert row["missed"] or row["made_up"]
