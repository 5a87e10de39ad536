"""Says goodbye to a consumer group on behalf of a member that died.

A static member keeps its partitions until its session times out, and on the embedded broker for
ever. Whoever supervises the workers knows at once that one is dead and will not come back: this
request frees its partitions, so that another worker takes over. Clients for Python do not offer it,
hence the few bytes by hand (Kafka protocol guide: LeaveGroup, key 13, version 3).
"""

import socket
import struct

from lawful.schemas.errors import RetryLater

LEAVE_GROUP, VERSION = 13, 3
UNKNOWN_MEMBER = 25
UNKNOWN_INSTANCE = -1
NO_ERROR = 0
TIMEOUT_SECONDS = 5.0


def leave_group(bootstrap: str, group: str, instance_id: str) -> bool:
    """Removes a static member from its group.

    Args:
        bootstrap: `host:port` of the broker that coordinates the group; with one broker, that one.
        group: the consumer group.
        instance_id: the member's `group.instance.id`.

    Returns:
        Whether there was such a member.

    Raises:
        RetryLater: the broker is away, or cannot do it now.
    """
    host, _, port = bootstrap.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), TIMEOUT_SECONDS) as connection:
            connection.sendall(_request(group, instance_id))
            errors = _errors(_frame(connection))
    except (OSError, struct.error) as error:
        raise RetryLater(f"group {group}: no answer to a goodbye for {instance_id} ({type(error).__name__})") from None
    failed = [error for error in errors if error not in (NO_ERROR, UNKNOWN_MEMBER)]
    if failed:
        raise RetryLater(f"group {group}: the broker refused a goodbye for {instance_id} with error {failed[0]}")
    return UNKNOWN_MEMBER not in errors


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack(">h", len(data)) + data


def _request(group: str, instance_id: str) -> bytes:
    header = struct.pack(">hhi", LEAVE_GROUP, VERSION, 1) + _text("lawful")
    body = _text(group) + struct.pack(">i", 1) + _text("") + _text(instance_id)
    return struct.pack(">i", len(header + body)) + header + body


def _frame(connection: socket.socket) -> bytes:
    with connection.makefile("rb") as stream:
        (size,) = struct.unpack(">i", stream.read(4))
        return stream.read(size)


def _errors(response: bytes) -> list[int]:
    """Error codes of the whole request and of each member."""
    _, _, error, count = struct.unpack_from(">iihi", response)  # correlation id, throttle time, error, members
    errors, at = [error], 14
    for _ in range(count):
        for _ in range(2):  # member id, instance id
            (length,) = struct.unpack_from(">h", response, at)
            at += 2 + max(length, 0)
        errors += struct.unpack_from(">h", response, at)
        at += 2
    return errors
