"""Old and new software side by side, and what is refused before it is released (A29)."""

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import fastavro
import pytest

from lawful.schemas import compatibility
from lawful.schemas.catalogue import RECORDS, WriterSchema, current, released, source_of, writer_schema
from lawful.schemas.codec import Codec, decode, encode
from lawful.schemas.errors import ConfigurationError, InvalidRecord, MustStop
from lawful.schemas.rewriting import rewritten
from lawful.schemas.verdict import Decision, Outcome, Verdict
from tests.schemas.samples import VERDICT


def changed(record: str, change: Any) -> Any:
    """The source of a record's schema after a change."""
    source = source_of(record)
    change(source)
    return source


def field_of(source: Any, name: str) -> Any:
    """One field of a record."""
    return next(field for field in source["fields"] if field["name"] == name)


def add_field(source: Any) -> None:
    """An optional field more."""
    source["fields"].append({"name": "shadow", "type": ["null", "string"], "default": None})


def add_symbol(source: Any) -> None:
    """One more decision."""
    field_of(source, "decision")["type"]["symbols"].insert(0, "quarantine")


def drop_field(source: Any) -> None:
    """A field that has no default goes."""
    source["fields"].remove(field_of(source, "policy_id"))


def change_type(source: Any) -> None:
    """A number becomes text."""
    field_of(source, "recorded_at")["type"] = "string"


def require_field(source: Any) -> None:
    """A field more that has no default."""
    source["fields"].append({"name": "court", "type": "string"})


def add_branch(source: Any) -> None:
    """A union's branch more."""
    field_of(source, "outcome")["type"].append("long")


def test_the_schemas_as_they_are_may_be_released() -> None:
    """The files agree with every released version, in both directions."""
    assert compatibility.check() == []


def test_every_record_has_a_released_version_and_nothing_is_pending() -> None:
    """What is in the files is what was released, so nothing unreviewed goes out."""
    assert compatibility.unreleased() == []
    assert all(released(record) for record in RECORDS.values())


@pytest.mark.parametrize("change", [add_field, add_symbol])
def test_an_optional_field_or_an_enum_symbol_may_be_added(change: Any) -> None:
    """Neither direction breaks."""
    assert compatibility.compare("Verdict", source_of("Verdict"), changed("Verdict", change)) == []


@pytest.mark.parametrize(
    ("change", "field", "direction"),
    [
        (drop_field, "Verdict.policy_id", "software with v1 cannot read"),
        (change_type, "Verdict.recorded_at", "new software cannot read what v1 wrote"),
        (require_field, "Verdict.court", "new software cannot read what v1 wrote"),
        (add_branch, "Verdict.outcome", "software with v1 cannot read"),
    ],
)
def test_an_incompatible_change_is_refused(change: Any, field: str, direction: str) -> None:
    """The message names the schema, the field, who cannot read whom, and what to do."""
    found = compatibility.compare("Verdict", source_of("Verdict"), changed("Verdict", change), old_name="v1")
    message = next(str(one) for one in found if direction in str(one))
    assert message.startswith(f"schema Verdict, field {field}: ")
    assert "; " in message


def test_an_enum_without_a_default_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a default symbol no symbol could be added later."""
    source = source_of("Verdict")
    del field_of(source, "decision")["type"]["default"]
    monkeypatch.setattr(compatibility, "source_of", lambda _record: source)
    (found,) = compatibility.check(["Verdict"])
    assert "Verdict.Decision: an enum has no default" in str(found)


def test_a_release_keeps_what_changed_as_the_next_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only changed schemas get a new version, numbered on."""
    originals = {record: source_of(record) for record in RECORDS.values()}
    originals["Verdict"] = changed("Verdict", add_field)
    monkeypatch.setattr(compatibility, "source_of", originals.__getitem__)
    (path,) = compatibility.release(tmp_path)
    assert path == tmp_path / "Verdict" / f"v{len(released('Verdict')) + 1}.avsc"
    assert json.loads(path.read_text("utf-8")) == originals["Verdict"]


def test_an_incompatible_release_stops(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is written when the check refuses."""
    monkeypatch.setattr(compatibility, "source_of", lambda record: changed(record, _break))
    with pytest.raises(MustStop, match=r"schema Watermark, field Watermark\.offset"):
        compatibility.release(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_it_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It exits with 0 when nothing is wrong and 1 when a schema must not be released."""
    assert compatibility.main([]) == 0
    monkeypatch.setattr(compatibility, "source_of", lambda record: changed(record, _break))
    assert compatibility.main(["check"]) == 1
    assert "Watermark.offset" in capsys.readouterr().err


@pytest.mark.parametrize("change", [add_field, add_symbol])
def test_new_software_reads_what_old_software_wrote(change: Any) -> None:
    """A reader with the new schema resolves what v1 wrote."""
    new = writer_schema(changed("Verdict", change), 2)
    body = rewritten(encode(VERDICT)[10:], current("Verdict"), new)
    read: Any = fastavro.schemaless_reader(BytesIO(body), new.parsed, None)
    assert (read["event_id"], read["decision"]) == (VERDICT.event_id, "redact")


@pytest.mark.parametrize("change", [add_field, add_symbol])
def test_old_software_reads_what_new_software_writes_as_the_old_version(change: Any) -> None:
    """While a fleet is being upgraded, upgraded processes write v1, and nothing goes wrong."""
    new = writer_schema(changed("Verdict", change), 2)
    body = rewritten(_written(new), new, released("Verdict")[0])
    assert decode(b"\xc3\x01" + released("Verdict")[0].fingerprint + body, Verdict) == VERDICT


@pytest.mark.parametrize("change", [add_field, add_symbol])
def test_old_software_reads_a_new_schema_that_it_was_given(change: Any) -> None:
    """Where the new version is written at once, old readers need its schema and nothing else."""
    new = writer_schema(changed("Verdict", change), 2)
    data = b"\xc3\x01" + new.fingerprint + _written(new)
    assert Codec(also_read=[new.text]).decode(data, Verdict) == VERDICT
    with pytest.raises(InvalidRecord, match="written by a newer version"):
        decode(data, Verdict)


def test_a_symbol_that_old_software_does_not_know_is_read_as_the_strictest() -> None:
    """A decision from the future blocks."""
    new = writer_schema(changed("Verdict", add_symbol), 2)
    data = b"\xc3\x01" + new.fingerprint + _written(new, decision="quarantine")
    assert Codec(also_read=[new.text]).decode(data, Verdict).decision is Decision.BLOCK


def test_writing_as_an_older_version_needs_that_version() -> None:
    """A version that was never released is a mistake in the settings."""
    assert Codec(write_as={"Verdict": len(released("Verdict"))}).encode(VERDICT) == encode(VERDICT)
    with pytest.raises(ConfigurationError, match="schema Verdict has no released version 9"):
        Codec(write_as={"Verdict": 9}).encode(VERDICT)


def test_what_an_older_version_lacks_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing as an older version resolves each record to that version's schema."""
    older = writer_schema(changed("Verdict", _without_outcome), 1)
    monkeypatch.setattr("lawful.schemas.codec.released", lambda _record: (older,))
    data = Codec(write_as={"Verdict": 1}).encode(replace(VERDICT, outcome=Outcome.ERASED))
    assert data[2:10] == older.fingerprint
    assert Codec(also_read=[older.text]).decode(data, Verdict) == VERDICT


def _without_outcome(source: Any) -> None:
    source["fields"].remove(field_of(source, "outcome"))


def _break(source: Any) -> None:
    for field in source["fields"]:
        field["type"] = "boolean" if field["type"] != "boolean" else "long"
        field.pop("default", None)


def _written(new: WriterSchema, **values: Any) -> bytes:
    """The verdict's body as new software writes it."""
    read: Any = fastavro.schemaless_reader(BytesIO(encode(VERDICT)[10:]), current("Verdict").parsed, None)
    target = BytesIO()
    fastavro.schemaless_writer(target, new.parsed, {**read, **values})
    return target.getvalue()
