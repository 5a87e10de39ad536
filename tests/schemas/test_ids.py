"""Event ids."""

import threading
from uuid import UUID

from lawful.schemas.ids import Uuid7, derived, uuid7


def test_ids_are_uuids_of_version_7() -> None:
    """Version and variant are those of RFC 9562."""
    found = UUID(uuid7())
    assert (found.version, found.variant) == (7, "specified in RFC 4122")


def test_the_first_48_bits_are_the_time_in_milliseconds() -> None:
    """RFC 9562's own example has the time stamp 0x017F22E279B0."""
    found = Uuid7(clock=lambda: 0x017F22E279B0 * 1_000_000, random=bytes)()
    assert found == "017f22e2-79b0-7000-8000-000000000000"


def test_ids_only_ever_grow() -> None:
    """Also within a millisecond, and when the clock steps back."""
    times = iter([5_000_000, 5_000_000, 4_000_000, 5_999_999, 6_000_000, 1])
    make = Uuid7(clock=lambda: next(times))
    found = [make() for _ in range(6)]
    assert found == sorted(set(found))


def test_a_full_counter_borrows_from_the_next_millisecond() -> None:
    """Even then the order holds."""
    make = Uuid7(clock=lambda: 5_000_000, random=lambda count: b"\xff" * count)
    first = make()
    make._counter = (1 << 42) - 1
    assert make() > first
    assert UUID(make()).int >> 80 == 6


def test_threads_share_one_order() -> None:
    """No two threads get the same id, and each sees its own grow."""
    made: list[list[str]] = [[] for _ in range(4)]

    def work(mine: list[str]) -> None:
        mine.extend(uuid7() for _ in range(500))

    threads = [threading.Thread(target=work, args=(mine,)) for mine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one for mine in made for one in mine}) == 2000
    assert all(mine == sorted(mine) for mine in made)


def test_a_derived_id_is_the_same_again_and_keeps_the_time() -> None:
    """It differs by what it is made of, and sorts where its event does."""
    event_id = uuid7()
    one, again, other = derived(event_id, "a", "b"), derived(event_id, "a", "b"), derived(event_id, "ab", "")
    assert one == again != other
    assert (one[:13], UUID(one).version, UUID(one).variant) == (event_id[:13], 7, UUID(event_id).variant)


def test_an_id_can_be_derived_of_any_text() -> None:
    """Where there is no time to keep, it says so by its version."""
    assert UUID(derived("order 7", "x")).version == 8
