"""One unreadable record is an accident; many stop the worker."""

import pytest

from lawful.schemas.errors import MustStop
from lawful.streams.dead_letters import DeadLetterCounter, DeadLetterLimits


def test_too_many_in_a_row_stop_the_worker() -> None:
    """The message names the stage, the number and the last reason."""
    counter = DeadLetterCounter("judge", DeadLetterLimits(consecutive=3))
    counter.refused("bad")
    counter.refused("bad")
    with pytest.raises(MustStop, match="judge: 3 records in a row could not be read, the last one: worse"):
        counter.refused("worse")


def test_a_good_record_ends_the_row() -> None:
    """Every second record may be bad, as far as rows go."""
    counter = DeadLetterCounter("judge", DeadLetterLimits(consecutive=2))
    for _ in range(100):
        counter.refused("bad")
        counter.passed()


def test_too_large_a_share_of_the_last_records_stops_the_worker() -> None:
    """The share is that of the window, however long the worker has run."""
    counter = DeadLetterCounter("judge", DeadLetterLimits(consecutive=100, ratio=0.2, window=10))
    for _ in range(1000):
        counter.passed()
    counter.refused("bad")
    counter.passed()
    counter.refused("bad")
    with pytest.raises(MustStop, match="3 of the last 10 records"):
        counter.refused("bad")


def test_a_share_is_not_judged_before_the_window_is_full() -> None:
    """The first record of a day may be bad."""
    counter = DeadLetterCounter("judge", DeadLetterLimits(consecutive=100, ratio=0.0, window=3))
    counter.refused("bad")
    counter.passed()
    with pytest.raises(MustStop):
        counter.refused("bad")
