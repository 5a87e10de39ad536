"""Order, time and poison on the bus: whose clock counts, and what becomes of bytes that are no event."""

import contextlib

import pytest

from lawful.infra.engines.process import EngineFailed
from lawful.schemas.audit import DeadLetter
from lawful.schemas.codec import encode
from lawful.schemas.event import ConsentGiven, ConsentWithdrawn, Identifier, Payload, ToolCall, UserMessage
from lawful.schemas.verdict import Decision
from tests.acceptance.house import House
from tests.engines import eventually

MINUTE = 60_000_000
PURPOSE = ("marketing.communications",)


def story(house: House, someone: Identifier, clocks: list[int]) -> list[tuple[Decision, list[str]]]:
    """Consents and calls, told by agents whose clocks show these times."""
    call = ToolCall("send_marketing_email", "c", f'{{"to": "{someone.value}", "body": "x"}}')
    payloads: list[Payload] = [call, ConsentGiven(PURPOSE), call, ConsentWithdrawn(PURPOSE), call, UserMessage("hello")]
    told = []
    for payload, clock in zip(payloads, clocks, strict=True):
        verdict = house.asked(house.event(payload, someone, occurred_at=clock))
        told.append((verdict.decision, [violation.reason for violation in verdict.violations]))
    return told


def test_producers_clocks_change_no_verdict(house: House, someone: Identifier, other: Identifier) -> None:
    """A28: clocks minutes apart get the same verdicts; the audit has both times, and flags skew beyond the bound."""
    now = eventually(lambda: house.asked(house.event(UserMessage("hello"), someone)).recorded_at)
    wrong = [now + shift * MINUTE for shift in (20, 9, -9, 7, -30, 2)]
    assert story(house, someone, [now] * 6) == story(house, other, wrong)
    query = "SELECT event_id FROM audit WHERE subject = {s:String}"
    ids = house.ask_for(6, query, s=house.pseudonym(other))
    rows = sorted((house.row(each["event_id"]) for each in ids), key=lambda row: row["recorded_at"])
    skews = [(row["occurred_at"] - row["recorded_at"]).total_seconds() / 60 for row in rows]
    assert [round(skew) for skew in skews] == pytest.approx([20, 9, -9, 7, -30, 2], abs=1)
    assert [row["skewed"] for row in rows] == [True, True, True, True, True, False]


def test_a_producers_timestamp_is_not_the_brokers(house: House, someone: Identifier) -> None:
    """A28: a Kafka record's own time stamp, which a producer can set, decides nothing either."""
    now = house.asked(house.event(UserMessage("hello"), someone)).recorded_at
    event = house.event(UserMessage("hello"), someone)
    house.publish(event, timestamp=1_000_000)
    row = house.row(event.event_id)
    assert abs(row["recorded_at"].timestamp() - now / 1e6) < 600


def test_undecodable_bytes_are_dead_lettered_and_the_stream_goes_on(house: House, someone: Identifier) -> None:
    """A30: one dead letter each, with topic, partition, offset and reason, without content; the stream goes on."""
    good = encode(house.event(UserMessage("hello"), someone))
    poison = [b"", b"nonsense", b"\xc3\x01nonsense", b"\x00\x00\x00\x00\x07ada@example.com", good[:40], b"{}"]
    places: list[tuple[str, int, int]] = []
    with house.producing() as producer:
        for value in poison:
            producer.produce(
                house.topics.events,
                value,
                partition=1,
                on_delivery=lambda _, sent: places.append(
                    (sent.topic() or "", sent.partition() or 0, sent.offset() or 0)
                ),
            )
    assert house.asked(house.event(UserMessage("hello"), someone)).decision is Decision.FORWARD

    def letters() -> list[DeadLetter]:
        found = house.read(house.topics.dead_letters, DeadLetter)
        mine = [letter for letter in found if (letter.topic, letter.partition, letter.offset) in places]
        return mine if len(mine) >= len(poison) else []

    found = eventually(letters)
    assert sorted((letter.topic, letter.partition, letter.offset) for letter in found) == sorted(places)
    assert {letter.reason for letter in found} == {"undecodable"}
    assert [letter.size for letter in sorted(found, key=lambda letter: letter.offset)] == [len(each) for each in poison]
    assert "ada" not in repr(found)
    query = "SELECT partition, offset FROM dead_letters WHERE topic = {t:String} AND offset IN {o:Array(Int64)}"
    offsets = [offset for *_, offset in places]
    rows = house.ask_for(len(poison), f"{query} AND partition = 1", t=house.topics.events, o=offsets)
    assert sorted((row["partition"], row["offset"]) for row in rows) == [(1, offset) for offset in sorted(offsets)]


def test_too_much_poison_stops_the_worker_with_a_reason(bare: House) -> None:
    """A30: more unreadable records than the limit stop the worker with a reason and an exit status that is not zero."""
    with bare.producing() as producer:
        for _ in range(20):
            producer.produce(bare.topics.events, b"nonsense", partition=0)
    worker = bare.process("worker-1", module="tests.acceptance.small_main", dead_letters__consecutive="5")
    with contextlib.suppress(EngineFailed):  # it may end before it is ready
        worker.start()
    eventually(lambda: not worker.alive)
    assert worker.returncode == 3
    assert "5 records in a row could not be read" in bare.said("worker-1")
