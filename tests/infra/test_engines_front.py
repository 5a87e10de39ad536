"""The front holds back the JoinGroup that the embedded broker would lose, and no other."""

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from lawful.infra.engines import fetch, front

ANSWER = struct.pack(">i", 7) + b"joined"
LONG = 30.0

Ask = Callable[[bytes], Awaitable[asyncio.StreamReader]]


def join(group: bytes, version: int = 5) -> bytes:
    """A JoinGroup; what follows the group is the broker's to read."""
    flexible = version >= 6
    name = bytes([len(group) + 1]) + group if flexible else struct.pack(">h", len(group)) + group
    header = struct.pack(">hhi", fetch.JOIN_GROUP, version, 7) + struct.pack(">h", 1) + b"c"
    return header + (b"\0" if flexible else b"") + name + b"rest"


class SilentBroker:
    """Notes what it is asked, and answers when the test says so."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[tuple[bytes, asyncio.StreamWriter]] = asyncio.Queue()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            while True:
                self.asked.put_nowait((await front.read_frame(reader), writer))
        except asyncio.IncompleteReadError:
            writer.close()

    async def next(self) -> tuple[bytes, asyncio.StreamWriter]:
        """The next question."""
        return await asyncio.wait_for(self.asked.get(), LONG)


@pytest.fixture
def broker() -> SilentBroker:
    """Behind the front."""
    return SilentBroker()


@pytest.fixture
async def ask(broker: SilentBroker) -> AsyncIterator[Ask]:
    """Sends a frame over a connection of its own, through a front."""
    behind = await asyncio.start_server(broker.serve, front.HOST, 0)
    inner = behind.sockets[0].getsockname()[1]
    joins, writers, links = front.Joins(), [], []

    async def link(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        links.append(asyncio.current_task())
        await front.Link(front.News(), joins, (inner, 0), writer).run(reader)

    before = await asyncio.start_server(link, front.HOST, 0)
    port = before.sockets[0].getsockname()[1]

    async def asks(frame: bytes) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection(front.HOST, port)
        writers.append(writer)
        front.write_frame(writer, frame)
        await writer.drain()
        return reader

    yield asks
    for writer in writers:
        writer.close()
    await asyncio.wait_for(asyncio.gather(*[each for each in links if each]), LONG)
    for server in (before, behind):
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("version", [0, 5, 6, 9])
def test_the_group_is_read_in_every_version(version: int) -> None:
    """Compact and plain strings."""
    assert fetch.group_of(join(b"workers", version)) == b"workers"


async def test_a_join_at_the_end_of_the_brokers_wait_is_held_until_that_is_over(
    ask: Ask, broker: SilentBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second member's question comes only behind the first one's answer; other groups go on."""
    monkeypatch.setattr(front.Joins, "TOGETHER", 0.0)
    monkeypatch.setattr(front.Joins, "OVER", LONG)
    first = await ask(join(b"workers"))
    asked, writer = await broker.next()
    second = await ask(join(b"workers"))
    await ask(join(b"writers"))
    other, _ = await broker.next()
    assert (fetch.group_of(asked), fetch.group_of(other)) == (b"workers", b"writers")
    front.write_frame(writer, ANSWER)
    assert await asyncio.wait_for(front.read_frame(first), LONG) == ANSWER
    held, writer = await broker.next()
    assert fetch.group_of(held) == b"workers"
    front.write_frame(writer, ANSWER)
    assert await asyncio.wait_for(front.read_frame(second), LONG) == ANSWER


@pytest.mark.parametrize("gone", [False, True])
async def test_a_join_is_not_held_for_ever(
    ask: Ask, broker: SilentBroker, monkeypatch: pytest.MonkeyPatch, *, gone: bool
) -> None:
    """In a rebalance the broker answers nobody until all have asked; one that is gone gets no answer at all."""
    monkeypatch.setattr(front.Joins, "TOGETHER", 0.0)
    monkeypatch.setattr(front.Joins, "OVER", 0.05)
    await ask(join(b"workers"))
    _, writer = await broker.next()
    if gone:
        writer.close()
    await ask(join(b"workers"))
    assert fetch.group_of((await broker.next())[0]) == b"workers"


async def test_the_brokers_wait_goes_on_when_a_member_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks next is held all the same: the broker would lose it."""
    monkeypatch.setattr(front.Joins, "TOGETHER", 0.0)
    monkeypatch.setattr(front.Joins, "OVER", LONG)
    joins, answer = front.Joins(), asyncio.get_running_loop().create_future()
    joins.passed(join(b"workers"), answer)
    answer.cancel()
    second = asyncio.ensure_future(joins.turn(join(b"workers")))
    await asyncio.wait({second}, timeout=0.05)
    assert not second.done()
    second.cancel()
