"""What has arrived, all of it at once, without waiting for more."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

MOST = 64


async def batches(arriving: AsyncIterator[Any], most: int = MOST) -> AsyncGenerator[list[Any], None]:
    """Whatever has arrived since the last batch, in order; at least one, at most so many.

    Reads on while a batch is worked on, but never further than one batch. Close it
    (`contextlib.aclosing`), or the reading goes on.

    Args:
        arriving: one by one.
        most: a batch's size.
    """
    here: asyncio.Queue[Any] = asyncio.Queue(most)

    async def read() -> None:
        async for each in arriving:
            await here.put(each)

    reading = asyncio.create_task(read())
    try:
        while True:
            batch = []
            if here.empty():
                first = asyncio.create_task(here.get())
                await asyncio.wait({first, reading}, return_when=asyncio.FIRST_COMPLETED)
                if not first.done():
                    first.cancel()
                    await reading  # ends as what arrives has ended
                    return
                batch.append(first.result())
            batch += [here.get_nowait() for _ in range(min(here.qsize(), most - len(batch)))]
            yield batch
    finally:
        reading.cancel()
