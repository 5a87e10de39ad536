"""Waits end by the broker's time and a clock that only goes forward."""

from lawful.streams.logtime import LogTime


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        """Its time."""
        return self.now


def test_time_goes_on_from_the_last_record_once_all_are_read() -> None:
    """While there are more records the time is the last one's; at the log's end it runs."""
    clock = Clock()
    time = LogTime(clock)
    time.begin(0, 0)
    time.see(0, 5_000_000)
    clock.now += 3
    assert time.now(0, at_end=False) == 5_000_000
    assert time.now(0, at_end=True) == 8_000_000


def test_a_record_with_an_earlier_time_does_not_turn_the_clock_back() -> None:
    """Append times of a new leader may be a little earlier."""
    clock = Clock()
    time = LogTime(clock)
    time.see(0, 5_000_000)
    time.see(0, 4_000_000)
    assert time.now(0, at_end=True) == 5_000_000


def test_without_records_it_goes_on_from_what_the_rows_tell() -> None:
    """After a restart, who waited since then waits for a whole time more, whatever the machine's clock says."""
    clock = Clock()
    time = LogTime(clock)
    time.begin(3, 7_000_000)
    clock.now += 2
    assert time.now(3, at_end=True) == 9_000_000
    assert time.now(4, at_end=True) == 0
