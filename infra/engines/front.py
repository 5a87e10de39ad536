"""A front for the embedded broker that waits where it does not: for data, and for members that join.

The embedded broker answers a Fetch without data at once, so every idle consumer, and the broker
with it, would burn most of a core asking again. This process stands between: it forwards everything
as it is, in order; an empty answer to a Fetch is held back until somebody has written something, or
the wait the client allowed is over, and the Fetch is asked again. It also loses two members for good
whose JoinGroups are some 300 ms apart, so the second is held back (`Joins`). Brokers name their own port
in metadata, so that number is replaced on the way. It is a process of its own:
`python -m lawful.infra.engines.front LISTEN_PORT BROKER_PORT`.
"""

import asyncio
import contextlib
import struct
import sys
from collections import deque

from lawful.infra.engines import fetch

HOST = "127.0.0.1"
LARGEST_FRAME = 256 * 1024 * 1024
WRITES = {fetch.PRODUCE, fetch.END_TXN}
NAME_PORTS = {fetch.METADATA, fetch.FIND_COORDINATOR, fetch.DESCRIBE_CLUSTER}


async def read_frame(reader: asyncio.StreamReader) -> bytes:
    """The next frame, without its length prefix."""
    (size,) = struct.unpack(">i", await reader.readexactly(4))
    if not 0 <= size <= LARGEST_FRAME:
        raise ConnectionError(f"a frame of {size} bytes")
    return await reader.readexactly(size)


def write_frame(writer: asyncio.StreamWriter, frame: bytes) -> None:
    """Sends one frame."""
    writer.write(struct.pack(">i", len(frame)) + frame)


class News:
    """Wakes all who wait whenever something may have become readable."""

    def __init__(self) -> None:
        self.next = asyncio.Event()

    def spread(self) -> None:
        """Wakes them."""
        self.next.set()
        self.next = asyncio.Event()


class Joins:
    """Says when a JoinGroup may be passed on.

    The broker waits 300 ms for more members before it answers the first of a group. One that asks at the
    end of that wait is lost, and the first with it: neither is ever answered. That is so even when the
    first has gone away meanwhile. So whoever asks while the wait may be about to end waits for its end.

    Attributes:
        waits: what the broker may be waiting for, by group, with the time since when; oldest first.
    """

    TOGETHER = 0.15
    OVER = 1.0

    def __init__(self) -> None:
        self.waits: dict[bytes, dict[asyncio.Event, float]] = {}

    async def turn(self, request: bytes) -> None:
        """Returns when this JoinGroup may be passed on."""
        time = asyncio.get_running_loop().time
        while waits := self.waits.get(fetch.group_of(request)):
            oldest, since = next(iter(waits.items()))
            if time() - since < self.TOGETHER:
                return
            await oldest.wait()

    def passed(self, request: bytes, answer: "asyncio.Future[bytes]") -> None:
        """Notes a JoinGroup until it is answered, or the broker does not wait for others any more."""
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        waits = self.waits.setdefault(fetch.group_of(request), {})
        waits[over] = loop.time()

        def end() -> None:
            waits.pop(over, None)
            over.set()

        loop.call_later(self.OVER, end)
        answer.add_done_callback(lambda done: None if done.cancelled() else end())


class Link:
    """One client's connection: two to the broker, one that waits for Fetches and one for all else."""

    def __init__(self, news: News, joins: Joins, ports: tuple[int, int], client: asyncio.StreamWriter) -> None:
        self.news = news
        self.joins = joins
        self.inner, self.outer = (HOST.encode() + struct.pack(">i", port) for port in ports)
        self.client = client
        self.port = ports[0]
        self.answers: asyncio.Queue[asyncio.Future[bytes]] = asyncio.Queue()
        self.asked: deque[tuple[int, asyncio.Future[bytes]]] = deque()
        self.fetching = asyncio.Lock()

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Serves until one of the connections closes."""
        self.plain = await asyncio.open_connection(HOST, self.port)
        self.slow = await asyncio.open_connection(HOST, self.port)
        tasks = [asyncio.create_task(part) for part in (self.take(reader), self.collect(), self.reply())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            while not self.answers.empty():
                self.answers.get_nowait().cancel()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for writer in (self.client, self.plain[1], self.slow[1]):
                writer.close()

    async def take(self, reader: asyncio.StreamReader) -> None:
        """Client to broker. The order of answers is the order of questions."""
        while True:
            request = await read_frame(reader)
            key, version = fetch.api(request)
            if key == fetch.FETCH and fetch.OLDEST <= version <= fetch.FLEXIBLE:
                self.answers.put_nowait(asyncio.ensure_future(self.poll(request, version)))
                continue
            if key == fetch.JOIN_GROUP:
                await self.joins.turn(request)
            if not fetch.wants_no_answer(request):
                self._await_answer(key, request)
            write_frame(self.plain[1], request)
            await self.plain[1].drain()

    def _await_answer(self, key: int, request: bytes) -> None:
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.asked.append((key, answer))
        self.answers.put_nowait(answer)
        if key == fetch.JOIN_GROUP:
            self.joins.passed(request, answer)

    async def collect(self) -> None:
        """Broker's answers to all that is not a Fetch."""
        while True:
            response = await read_frame(self.plain[0])
            key, answer = self.asked.popleft()
            if key in NAME_PORTS:
                response = response.replace(self.inner, self.outer)
            if not answer.cancelled():
                answer.set_result(response)
            if key in WRITES:
                self.news.spread()

    async def reply(self) -> None:
        """Answers to the client, in order."""
        while True:
            write_frame(self.client, await (await self.answers.get()))
            await self.client.drain()

    async def poll(self, request: bytes, version: int) -> bytes:
        """A Fetch's answer: at once when there is something, else when the wait is over."""
        loop = asyncio.get_running_loop()
        end = loop.time() + fetch.max_wait_ms(request) / 1000
        async with self.fetching:
            while True:
                news = self.news.next
                write_frame(self.slow[1], request)
                response = await read_frame(self.slow[0])
                left = end - loop.time()
                if left <= 0 or not fetch.is_empty(response, version):
                    return response
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), left)


async def serve(listen: int, broker: int) -> None:
    """Listens until killed."""
    news, joins = News(), Joins()

    async def link(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await Link(news, joins, (broker, listen), writer).run(reader)
        writer.close()

    server = await asyncio.start_server(link, HOST, listen)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
