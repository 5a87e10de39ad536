"""Reading and writing records: what is refused, and why. Round trips are in tests/laws."""

import json
from dataclasses import replace
from typing import Any, cast

import pytest

from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.catalogue import current
from lawful.schemas.codec import Codec, decode, decode_either, encode
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.history import Entry, History, MergeFact, SeenFact
from lawful.schemas.verdict import Verdict
from tests.schemas.samples import EVENT, SECRET, VERDICT, WATERMARK


def test_records_are_written_in_single_object_encoding() -> None:
    """The default needs no registry: the header is C3 01 and the schema's fingerprint."""
    assert encode(EVENT)[:10] == b"\xc3\x01" + current("AgentEvent").fingerprint


def test_equal_records_have_equal_bytes() -> None:
    """A verdict that is sent again is byte-identical."""
    assert encode(VERDICT) == encode(replace(VERDICT))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty record"),
        (b"hello", "unknown framing"),
        (b"\xc3\x01" + b"\0" * 8 + b"rest", "unknown schema fingerprint 0000000000000000"),
        (encode(EVENT)[:-1], "AgentEvent cannot be read: truncated"),
        (encode(EVENT) + b"\0", "AgentEvent is followed by 1 trailing bytes"),
        (encode(VERDICT), "wrong type: Verdict where AgentEvent is expected"),
        (b"\x00\x00\x00\x00\x01rest", "no registry is configured"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    """Every fault has a message of its own, which never quotes the content."""
    with pytest.raises(InvalidRecord, match=reason) as caught:
        decode(data, AgentEvent)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def test_an_unknown_enum_symbol_is_refused() -> None:
    """The index of a symbol that is not there is an invalid record, also below zero."""
    body = encode(VERDICT)
    at = body.index(b"\x08acme") + 5
    for index in (b"\x0a", b"\x01"):
        with pytest.raises(InvalidRecord, match="enum or union branch"):
            decode(body[:at] + index + body[at + 1 :], Verdict)


def test_text_that_is_not_utf8_is_refused() -> None:
    """Bytes that are no text are refused without quoting them."""
    damaged = encode(EVENT).replace(SECRET.encode(), b"\xff" * len(SECRET))
    with pytest.raises(InvalidRecord, match="not valid Unicode"):
        decode(damaged, AgentEvent)


def test_a_record_above_the_limit_is_refused_in_both_directions() -> None:
    """The limit holds before anything is looked at."""
    small = Codec(max_bytes=40)
    for attempt in (lambda: small.encode(EVENT), lambda: small.decode(encode(EVENT), AgentEvent)):
        with pytest.raises(InvalidRecord, match="larger than the limit of 40"):
            attempt()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (replace(EVENT, payload=UserMessage("\ud800" + SECRET)), "not valid Unicode"),
        (replace(EVENT, occurred_at=2**63), "outside of its range"),
        (replace(EVENT, tenant_id=cast("Any", None)), "does not fit its schema"),
        (replace(EVENT, attributes=(("a", "1"), ("a", "2"))), "does not fit its schema"),
        (replace(EVENT, payload=cast("Any", WATERMARK)), "enum or union branch"),
    ],
)
def test_what_cannot_be_written_is_refused_without_quoting_it(wrong: AgentEvent, reason: str) -> None:
    """A value that its schema cannot take never leaves half a record behind."""
    with pytest.raises(InvalidRecord, match=f"AgentEvent cannot be written: .*{reason}") as caught:
        encode(wrong)
    assert SECRET not in str(caught.value)


def test_a_merge_may_carry_the_marks_of_earlier_merges() -> None:
    """Three pseudonyms of one person, linked one after the other, end in one history."""
    mark = Entry(1, 1, MergeFact("e1", "c" * 64))
    history = History((Entry(2, 2, MergeFact("e2", "b" * 64, (mark, Entry(1, 0, SeenFact("e0"))))),), 2)
    assert decode(encode(history), History) == history


def test_a_merge_inside_a_merge_is_refused() -> None:
    """Histories nest once, so that no crafted record can overrun a reader's stack."""
    inner = Entry(1, 1, MergeFact("e", "a" * 64, (Entry(0, 0, SeenFact("e")),)))
    with pytest.raises(InvalidRecord, match="union branch"):
        encode(History((Entry(2, 2, MergeFact("e", "b" * 64, (inner,))),), 2))


def test_other_classes_are_no_records() -> None:
    """Only classes of the bus have bytes."""
    with pytest.raises(InvalidRecord, match="Identifier is no record of the bus"):
        encode(EVENT.subjects[0])


def test_a_topic_with_two_types_is_read_by_type() -> None:
    """The audit topic carries audit records and guards' reports."""
    report = GuardReport(
        kind=AuditKind.NO_VERDICT,
        event_id="e",
        tenant_id="t",
        source="s",
        agent_id="a",
        session_id="s",
        occurred_at=1,
        reason="deadline",
        payload_kind="ToolCall",
    )
    assert decode_either(encode(report), AuditRecord, GuardReport) == report
    with pytest.raises(InvalidRecord, match="Verdict where AuditRecord or GuardReport is expected"):
        decode_either(encode(VERDICT), AuditRecord, GuardReport)


def test_the_confluent_wire_format_needs_a_registry() -> None:
    """Asking for it without one is a mistake of the caller."""
    with pytest.raises(ValueError, match="needs a registry"):
        Codec(confluent=True)


class OneSchema:
    """A registry that holds one schema under id 7."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked = 0

    def texts(self, schema_id: int) -> tuple[str, ...]:
        """The schema."""
        assert schema_id == 7
        self.asked += 1
        return (self.text,)

    def schema_id(self, subject: str, text: str) -> int:
        """Its id."""
        assert (subject, text) == ("lawful.Watermark", self.text)
        return 7


def test_a_registrys_schema_is_asked_for_once() -> None:
    """Ids never change, so the hot path makes no call."""
    registry = OneSchema(current("Watermark").text)
    codec = Codec(registry, confluent=True)
    data = codec.encode(WATERMARK)
    assert data[:5] == b"\x00\x00\x00\x00\x07"
    assert [codec.decode(data, type(WATERMARK)) for _ in range(3)] == [WATERMARK] * 3
    assert registry.asked == 1


def test_a_registrys_older_schema_is_resolved_to_ours() -> None:
    """A writer that knows more fields than we do is read; what we do not know is skipped."""
    schema = json.loads(current("Watermark").text)
    schema["fields"].insert(0, {"name": "note", "type": "string", "default": ""})
    codec = Codec(OneSchema(json.dumps(schema)))
    assert codec.decode(b"\x00\x00\x00\x00\x07" + b"\x04hi" + b"\x52", type(WATERMARK)) == WATERMARK
    with pytest.raises(InvalidRecord, match="trailing"):
        codec.decode(b"\x00\x00\x00\x00\x07" + b"\x04hi" + b"\x52\x00", type(WATERMARK))
