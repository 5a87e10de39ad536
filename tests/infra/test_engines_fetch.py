"""The front's reading of Kafka's wire format, on frames put together by hand from the protocol guide."""

import struct

import pytest

from lawful.infra.engines import fetch


def header(key: int, version: int, *, flexible: bool) -> bytes:
    """A request's header."""
    client = b"client"
    return struct.pack(">hhi", key, version, 7) + struct.pack(">h", len(client)) + client + (b"\0" if flexible else b"")


def response(version: int, *, records: bytes = b"", error: int = 0, session: int = 0, partitions: int = 1) -> bytes:
    """A Fetch response for one topic."""
    flexible = version >= 12

    def array(count: int) -> bytes:
        return bytes([count + 1]) if flexible else struct.pack(">i", count)

    tags = b"\0" if flexible else b""
    name = b"\x02t" if flexible else struct.pack(">h", 1) + b"t"
    frame = struct.pack(">i", 7) + tags + struct.pack(">i", 0)
    frame += struct.pack(">hi", 0, session) if version >= 7 else b""
    frame += array(1) + name + array(partitions)
    for number in range(partitions):
        frame += struct.pack(">ihqq", number, error, 5, 5)
        frame += struct.pack(">q", 0) if version >= 5 else b""
        frame += array(1) + struct.pack(">qq", 1, 2) + tags  # one aborted transaction
        frame += struct.pack(">i", -1) if version >= 11 else b""
        frame += (bytes([len(records) + 1]) if flexible else struct.pack(">i", len(records))) + records + tags
    return frame + tags + tags


@pytest.mark.parametrize("version", range(fetch.OLDEST, fetch.FLEXIBLE + 1))
def test_an_answer_without_records_is_empty_in_every_version(version: int) -> None:
    """No records, no error: nothing to tell the consumer yet."""
    assert fetch.is_empty(response(version, partitions=3), version)


@pytest.mark.parametrize("version", range(fetch.OLDEST, fetch.FLEXIBLE + 1))
def test_records_and_errors_are_never_held_back(version: int) -> None:
    """A consumer learns of records and of errors at once."""
    assert not fetch.is_empty(response(version, records=b"batch"), version)
    assert not fetch.is_empty(response(version, error=1), version)


def test_fetch_sessions_are_left_alone() -> None:
    """Asking again would break a session's count, so an answer inside one is passed on."""
    assert not fetch.is_empty(response(11, session=9), 11)


@pytest.mark.parametrize("version", [4, 11, 12])
def test_the_wait_is_the_client_s_own(version: int) -> None:
    """The longest wait stands in the request."""
    request = header(fetch.FETCH, version, flexible=version >= 12) + struct.pack(">iii", -1, 1500, 1)
    assert fetch.api(request) == (fetch.FETCH, version)
    assert fetch.max_wait_ms(request) == 1500


@pytest.mark.parametrize(("acks", "silent"), [(0, True), (1, False), (-1, False)])
@pytest.mark.parametrize("version", [2, 7, 9])
def test_only_a_produce_without_acknowledgement_gets_no_answer(version: int, acks: int, *, silent: bool) -> None:
    """Waiting for an answer that never comes would block the connection."""
    flexible = version >= 9
    transactional_id = {2: b"", 7: struct.pack(">h", -1), 9: b"\0"}[version]
    request = header(fetch.PRODUCE, version, flexible=flexible) + transactional_id + struct.pack(">h", acks)
    assert fetch.wants_no_answer(request) is silent


def test_other_requests_are_answered() -> None:
    """Only Produce can do without an answer."""
    assert not fetch.wants_no_answer(header(fetch.METADATA, 1, flexible=False))
