"""Just enough of Kafka's wire format for the front: is this Fetch's answer empty, which group is joined.

Source: Kafka protocol guide, Fetch (key 1), versions 4 to 12; 12 is the first "flexible" version
(compact lengths as varints, tagged fields). Pure functions over frames without their length prefix.
"""

import struct
from dataclasses import dataclass

PRODUCE, FETCH, METADATA, FIND_COORDINATOR, JOIN_GROUP, END_TXN, DESCRIBE_CLUSTER = 0, 1, 3, 10, 11, 26, 60
OLDEST, FLEXIBLE = 4, 12
SESSION_SINCE, LOG_START_SINCE, REPLICA_SINCE = 7, 5, 11


@dataclass(slots=True)
class _Reader:
    data: bytes
    at: int = 0
    flexible: bool = False

    def number(self, form: str) -> int:
        (value,) = struct.unpack_from(">" + form, self.data, self.at)
        self.at += struct.calcsize(form)
        return int(value)

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if not byte & 0x80:
                return value
            shift += 7

    def length(self, form: str = "i") -> int:
        return self.varint() - 1 if self.flexible else self.number(form)

    def skip(self, count: int) -> None:
        self.at += max(count, 0)

    def tags(self) -> None:
        if self.flexible:
            for _ in range(self.varint()):
                self.varint()
                self.skip(self.varint())


def api(request: bytes) -> tuple[int, int]:
    """Key and version of a request."""
    key, version = struct.unpack_from(">hh", request)
    return int(key), int(version)


def max_wait_ms(request: bytes) -> int:
    """How long this Fetch allows the broker to wait for data."""
    reader = _Reader(request, at=8, flexible=api(request)[1] >= FLEXIBLE)
    reader.skip(reader.number("h"))  # client id, not compact even in flexible headers
    reader.tags()
    reader.number("i")  # replica id
    return reader.number("i")


def wants_no_answer(request: bytes) -> bool:
    """Whether this is a Produce with acks=0, which a broker does not answer."""
    key, version = api(request)
    if key != PRODUCE:
        return False
    flexible = version >= 9  # noqa: PLR2004 - Produce's first flexible version
    reader = _Reader(request, at=8, flexible=flexible)
    reader.skip(reader.number("h"))
    reader.tags()
    if version >= 3:  # noqa: PLR2004 - transactional id since version 3
        reader.skip(reader.length("h"))
    return reader.number("h") == 0


def group_of(request: bytes) -> bytes:
    """The group that a JoinGroup wants to join."""
    reader = _Reader(request, at=8, flexible=api(request)[1] >= 6)  # noqa: PLR2004 - its first flexible version
    reader.skip(reader.number("h"))
    reader.tags()
    size = reader.length("h")
    return request[reader.at : reader.at + size]


def is_empty(response: bytes, version: int) -> bool:
    """Whether a Fetch response holds neither records nor an error nor a fetch session.

    Args:
        response: the frame, starting with its correlation id.
        version: of the request.
    """
    reader = _Reader(response, at=4, flexible=version >= FLEXIBLE)
    reader.tags()
    reader.number("i")  # throttle time
    if version >= SESSION_SINCE and (reader.number("h") or reader.number("i")):
        return False
    for _ in range(reader.length()):
        reader.skip(reader.length("h"))
        if not all(_is_empty_partition(reader, version) for _ in range(reader.length())):
            return False
        reader.tags()
    return True


def _is_empty_partition(reader: _Reader, version: int) -> bool:
    reader.number("i")
    error = reader.number("h")
    reader.skip(24 if version >= LOG_START_SINCE else 16)  # high watermark, last stable offset, log start
    reader.skip(_aborted(reader))
    if version >= REPLICA_SINCE:
        reader.number("i")
    size = reader.length()
    reader.skip(size)
    reader.tags()
    return not error and size <= 0


def _aborted(reader: _Reader) -> int:
    """Bytes of the list of aborted transactions."""
    count = max(reader.length(), 0)
    return count * (17 if reader.flexible else 16)  # two longs, and in flexible versions an empty tag section
