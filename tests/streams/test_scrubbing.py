"""Strings that are known to be nobody's are kept for several threads at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

from lawful.streams.scrubbing import Harmless


class Watched(str):
    """A string that tells when it is looked up."""

    __slots__ = ("looked_up",)
    looked_up: Callable[[], object]

    def __hash__(self) -> int:
        """As a string's."""
        self.looked_up()
        return str.__hash__(self)


def test_a_string_that_another_thread_pushes_out_meanwhile_fails_nobody() -> None:
    """It may be gone between two steps of one question."""
    known, times = Harmless(most=1), list[int]()
    with ThreadPoolExecutor(1) as other:

        def push_out() -> None:
            times.append(len(times))
            if len(times) == 2:
                wait([other.submit(known.holds, "agent-2", ())], timeout=0.2)

        agent = Watched("agent-1")
        agent.looked_up = lambda: None
        assert known.holds(agent, ())
        agent.looked_up = push_out
        assert known.holds(agent, ())
    assert len(times) >= 2


def test_what_may_be_somebodys_is_not_kept() -> None:
    """However often it is asked about."""
    known = Harmless()
    assert not any(known.holds("ada@example.com", ()) for _ in range(2))
    assert known.holds("agent-1", ())
