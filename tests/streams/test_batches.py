"""What has arrived is taken at once, and nothing is waited for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from lawful.streams.batches import batches


async def arriving(queue: "asyncio.Queue[int | None]") -> AsyncIterator[int]:
    """Numbers, until there is none."""
    while (number := await queue.get()) is not None:
        yield number


async def settled() -> None:
    """Lets everybody run until nobody has anything to do."""
    for _ in range(50):
        await asyncio.sleep(0)


async def test_all_that_is_there_comes_at_once_in_order() -> None:
    """The first by itself if it is alone, then whatever came meanwhile, never more than the bound."""
    queue: asyncio.Queue[int | None] = asyncio.Queue()
    got: list[list[int]] = []
    queue.put_nowait(0)
    async with aclosing(batches(arriving(queue), 4)) as taken:
        async for batch in taken:
            got.append(batch)
            if len(got) == 1:
                for number in (*range(1, 8), None):
                    queue.put_nowait(number)
                await settled()
    assert got[0] == [0]
    assert [number for batch in got for number in batch] == list(range(8))
    assert max(map(len, got)) == 4
    assert len(got) <= 4


async def test_one_that_comes_alone_does_not_wait_for_others() -> None:
    """A batch of one is a batch."""
    queue: asyncio.Queue[int | None] = asyncio.Queue()
    async with aclosing(batches(arriving(queue))) as taken:
        for number in range(3):
            queue.put_nowait(number)
            assert await anext(taken) == [number]


async def test_what_goes_wrong_in_reading_comes_out() -> None:
    """An error is not swallowed, after what arrived before it."""

    async def broken() -> AsyncIterator[int]:
        yield 1
        raise ConnectionError

    async with aclosing(batches(broken())) as taken:
        assert await anext(taken) == [1]
        with pytest.raises(ConnectionError):
            await anext(taken)


async def test_reading_ends_with_the_batches() -> None:
    """Whoever closes the batches leaves no task behind, and nothing is read far ahead."""
    queue: asyncio.Queue[int | None] = asyncio.Queue()
    for number in range(10):
        queue.put_nowait(number)
    before = asyncio.all_tasks()
    async with aclosing(batches(arriving(queue), 2)) as taken:
        assert (await anext(taken))[0] == 0
        await settled()
        assert queue.qsize() >= 5
    await settled()
    assert asyncio.all_tasks() == before
