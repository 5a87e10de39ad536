"""What aiokafka's coordinator is taught."""

import asyncio

from lawful.streams.transport import ask_again_when_left_out


class Coordinator:
    """Joins; is given each of these assignments in turn."""

    def __init__(self, *given: bytes) -> None:
        self.given = list(given)
        self.taken: list[bytes] = []
        self.asked_again = 0

    async def _do_rejoin_group(self, _: object) -> bool:
        await self._on_join_complete(1, "one", "range", self.given.pop(0))
        return True

    async def _on_join_complete(self, _generation: int, _member: str, _protocol: str, assignment: bytes) -> None:
        self.taken.append(assignment)

    def request_rejoin(self) -> None:
        """As aiokafka's."""
        self.asked_again += 1


def joins(coordinator: Coordinator, times: int) -> list[bool]:
    """Has it join; gives what came of it each time."""

    async def join() -> list[bool]:
        ask_again_when_left_out(coordinator)
        return [await coordinator._do_rejoin_group(None) for _ in range(times)]

    return asyncio.run(join())


def test_a_member_that_is_told_nothing_joins_again() -> None:
    """An answer without an assignment is not taken for one."""
    coordinator = Coordinator(b"", b"three partitions")
    assert joins(coordinator, 2) == [False, True]
    assert coordinator.taken == [b"three partitions"]
    assert coordinator.asked_again == 1
