"""Schemas of a registry are checked before a record is read with one."""

import json
from typing import Any

import pytest

from lawful.schemas.catalogue import current, source_of
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.foreign import foreign

WATERMARK: dict[str, Any] = json.loads(current("Watermark").text)


def test_our_own_schema_comes_back_the_same() -> None:
    """What we register has the fingerprint of what we ship, for every nesting of named types."""
    for record in ("Pending", "AuditRecord", "Watermark"):
        assert foreign((json.dumps(source_of(record)),)).fingerprint == current(record).fingerprint


def test_schemas_it_refers_to_are_put_in_place() -> None:
    """A registry may keep named types apart, as references."""
    pending = source_of("Pending")
    partial = pending["fields"][0]["type"]["items"]["fields"][1]["type"]
    pending["fields"][0]["type"]["items"]["fields"][1]["type"] = "lawful.Partial"
    assert foreign((json.dumps(partial), json.dumps(pending))).fingerprint == current("Pending").fingerprint


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ("no json", "cannot be used"),
        ('{"type": "record"}', "cannot be used"),
        ('"string"', "cannot be used"),
        (json.dumps({**WATERMARK, "name": "lawful.Waterlevel"}), "no record of the bus"),
        (json.dumps({**WATERMARK, "fields": [{"name": "offset", "type": "string"}]}), "offset: string cannot"),
        (
            json.dumps({**WATERMARK, "fields": [*WATERMARK["fields"], {"name": "n", "type": ["null", "Watermark"]}]}),
            "recursive",
        ),
        (
            json.dumps(
                {
                    **WATERMARK,
                    "fields": [
                        *WATERMARK["fields"],
                        {"name": "n", "type": {"type": "array", "items": "lawful.Watermark"}},
                    ],
                }
            ),
            "recursive",
        ),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(schema: str, reason: str) -> None:
    """Broken, foreign, incompatible and recursive schemas are invalid records, not crashes."""
    with pytest.raises(InvalidRecord, match=reason):
        foreign((schema,))
