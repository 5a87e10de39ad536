"""A lane passes over nothing that was not acknowledged."""

import random

import pytest

from lawful.streams.watermark import Admission, Lane, Ticket


def take(lane: Lane, offset: int, outputs: int = 1) -> Ticket:
    """Takes a record in and sends its outputs."""
    assert lane.admit(offset) is Admission.TAKE
    ticket = lane.begin(offset)
    for _ in range(outputs):
        lane.sent(ticket)
    lane.seal(ticket)
    return ticket


def test_a_record_is_done_when_all_its_outputs_are_acknowledged() -> None:
    """Two outputs, two acknowledgements."""
    lane = Lane(0, -1)
    ticket = take(lane, 0, outputs=2)
    lane.acked(ticket)
    assert lane.done == -1
    lane.acked(ticket)
    assert lane.done == 0


def test_a_record_without_outputs_is_done_at_once() -> None:
    """Nothing is waited for."""
    lane = Lane(0, 4)
    take(lane, 5, outputs=0)
    assert lane.done == 5


def test_an_early_acknowledgement_does_not_finish_a_record_that_still_sends() -> None:
    """The broker may answer the first output before the second is sent."""
    lane = Lane(0, -1)
    lane.admit(0)
    ticket = lane.begin(0)
    lane.sent(ticket)
    lane.acked(ticket)
    assert lane.done == -1
    lane.sent(ticket)
    lane.seal(ticket)
    lane.acked(ticket)
    assert lane.done == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_watermark_never_passes_a_record_in_flight(seed: int) -> None:
    """Acknowledgements come in any order; the watermark is behind the first that is missing."""
    draw = random.Random(seed)
    lane, open_tickets = Lane(0, -1), {}
    for offset in range(50):
        open_tickets[offset] = take(lane, offset)
        while open_tickets and draw.random() < 0.5:
            lane.acked(open_tickets.pop(draw.choice(list(open_tickets))))
            assert lane.done == min(open_tickets, default=offset + 1) - 1


def test_what_was_taken_already_is_dropped() -> None:
    """A repeated delivery is no second event."""
    lane = Lane(0, 9)
    assert lane.admit(3) is Admission.DROP
    take(lane, 10)
    assert lane.admit(10) is Admission.DROP


def test_a_skip_sends_the_lane_back_and_what_was_fetched_meanwhile_is_dropped() -> None:
    """Records that were passed over are delivered after all."""
    lane = Lane(0, -1)
    take(lane, 0)
    assert lane.admit(3) is Admission.REWIND
    assert lane.admit(4) is Admission.DROP
    assert lane.next == 1
    for offset in (1, 2, 3, 4):
        take(lane, offset)


def test_a_gap_that_is_still_there_after_going_back_is_the_logs_own() -> None:
    """Transactions and compaction leave offsets out."""
    lane = Lane(0, -1)
    take(lane, 0)
    assert lane.admit(3) is Admission.REWIND
    assert lane.admit(4) is Admission.DROP
    assert lane.admit(3) is Admission.DOUBT
    lane.begin(3)  # the log was asked
    take(lane, 4)
    assert lane.admit(7) is Admission.REWIND


def test_what_was_fetched_twice_before_going_back_is_in_doubt() -> None:
    """It looks like a gap of the log's own; taken for one, what is to be done again would never be."""
    lane = Lane(0, -1)
    tickets = [take(lane, offset) for offset in range(3)]
    lane.acked(tickets[0])
    lane.fail("refused")
    assert lane.rewind() == 1
    assert [lane.admit(offset) for offset in (3, 4)] == [Admission.REWIND, Admission.DROP]
    assert [lane.admit(offset) for offset in (2, 3)] == [Admission.DOUBT, Admission.DROP]
    take(lane, 1)


def test_a_refused_output_holds_the_lane_until_it_went_back() -> None:
    """After a refusal nothing is taken in; going back starts behind the watermark."""
    lane = Lane(0, -1)
    first, second = take(lane, 0), take(lane, 1)
    lane.acked(first)
    lane.fail("refused")
    assert lane.admit(2) is Admission.DROP
    assert lane.rewind() == 1
    lane.acked(second)  # late, and of a record that is done again
    assert lane.done == 0
    take(lane, 1, outputs=0)
    assert lane.done == 1


def test_failures_in_a_row_are_counted_until_something_gets_done() -> None:
    """A broker that refuses for good is noticed."""
    lane = Lane(0, -1)
    for expected in (1, 2):
        take(lane, 0)
        lane.fail("refused")
        lane.fail("refused")
        assert lane.failures == expected
        lane.rewind()
    take(lane, 0, outputs=0)
    assert lane.failures == 0


def test_a_log_that_begins_later_is_read_from_there() -> None:
    """A new group meets a log whose first records are gone."""
    lane = Lane(0, -1)
    lane.start_at(7)
    take(lane, 7, outputs=0)
    assert lane.done == 7
