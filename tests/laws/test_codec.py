"""Laws of reading and writing: what was written is what is read, and nothing else is ever read."""

from contextlib import suppress
from io import BytesIO
from typing import Any

import fastavro
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawful.schemas.catalogue import RECORDS, current
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.framing import SINGLE_OBJECT_HEADER
from tests.records import any_record, records

# Drawing a whole audit record takes long on a busy machine; that is no fault of the law.
LAW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
CLASSES = pytest.mark.parametrize("cls", list(RECORDS), ids=lambda cls: cls.__name__)


@CLASSES
@LAW
@given(data=st.data())
def test_what_is_written_is_read_back(cls: type, data: st.DataObject) -> None:
    """decode(encode(x)) == x, for every class and every value."""
    record = data.draw(records(cls))
    assert decode(encode(record), cls) == record


@CLASSES
@LAW
@given(data=st.data())
def test_fastavro_reads_and_writes_the_same_bytes(cls: type, data: st.DataObject) -> None:
    """The generated functions agree with an independent implementation, byte for byte."""
    body = encode(data.draw(records(cls)))[SINGLE_OBJECT_HEADER:]
    source, target, schema = BytesIO(body), BytesIO(), current(RECORDS[cls]).parsed
    values: Any = fastavro.schemaless_reader(
        source, schema, None, return_record_name=True, return_record_name_override=True
    )
    fastavro.schemaless_writer(target, schema, values)
    assert source.tell() == len(body)
    assert target.getvalue() == body


@LAW
@given(record=any_record(), data=st.data())
def test_a_record_that_was_cut_or_added_to_is_refused(record: object, data: st.DataObject) -> None:
    """No proper prefix and no continuation of a record is a record."""
    whole = encode(record)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for wrong in (whole[:cut], whole + data.draw(st.binary(min_size=1, max_size=20))):
        with pytest.raises(InvalidRecord):
            decode(wrong, type(record))


@LAW
@given(record=any_record(), data=st.data())
def test_damaged_bytes_are_refused_or_read_as_some_record(record: object, data: st.DataObject) -> None:
    """Whatever the bytes, the only error is InvalidRecord; what is read can be written again."""
    damaged = bytearray(encode(record))
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(SINGLE_OBJECT_HEADER, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = decode(bytes(damaged), type(record))
    except InvalidRecord:
        return
    assert type(found) is type(record)
    assert decode(encode(found), type(record)) is not None


@LAW
@given(cls=st.sampled_from(list(RECORDS)), body=st.binary(max_size=200))
def test_noise_behind_a_known_header_is_refused_or_read(cls: type, body: bytes) -> None:
    """Random bytes never raise anything but InvalidRecord, and never hang."""
    header = b"\xc3\x01" + current(RECORDS[cls]).fingerprint
    with suppress(InvalidRecord):
        assert type(decode(header + body, cls)) is cls
