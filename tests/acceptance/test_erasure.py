"""Erasure, from guard to ClickHouse: Art. 17 holds everywhere, and says only what it achieved."""

import hashlib
import shutil

import pytest
from confluent_kafka import Consumer, TopicPartition

from lawful.client import Blocked, Guard
from lawful.infra.engines.leave_group import leave_group
from lawful.schemas.event import DataSubjectRequest, Identifier, RequestKind, UserMessage
from lawful.schemas.pseudonym import Pseudonymiser, normalise_identifier
from lawful.schemas.verdict import Decision, Outcome, Verdict
from tests.acceptance.house import TENANT, House


def test_an_erasure_closes_every_session_and_agent(house: House, someone: Identifier, other: Identifier) -> None:
    """A01: after an erasure, whatever touches the person is blocked in every session and under every agent."""
    bots = [house.guard(f"bot-{number}") for number in range(3)]
    with bots[0].session(subject=someone) as first, bots[1].session(subject=someone) as second:
        first.user("hello")
        assert first.erase().outcome is Outcome.ERASED
        for session in (first, second):
            with pytest.raises(Blocked, match="subject_erased"):
                session.user("hello")
    with bots[2].session(subject=other) as theirs, pytest.raises(Blocked, match="subject_erased"):
        theirs.send("colleague", f"please write to {someone.value}")


def test_what_was_in_flight_when_someone_was_erased_is_blocked(house: House, someone: Identifier) -> None:
    """A01: of events on their way while the erasure is, exactly those behind it in the log are blocked."""
    house.guard().check(UserMessage("hello"), subject=someone)
    events = [house.event(UserMessage(f"hello {number}"), someone) for number in range(20)]
    erasure = house.event(DataSubjectRequest(RequestKind.ERASURE, "r"), someone)
    waiting = [house.transport.submit(event) for event in (*events[:10], erasure, *events[10:])]
    verdicts = [each.result(timeout=40) for each in waiting]
    expected = [Decision.FORWARD] * 11 + [Decision.BLOCK] * 10
    assert [verdict.decision for verdict in verdicts] == expected
    assert verdicts[10].outcome is Outcome.ERASED


def test_erasing_a_stranger_claims_nothing_and_leaves_evidence(house: House, guard: Guard, someone: Identifier) -> None:
    """A02: for a person never seen the answer is `unknown_subject`, and the audit shows that it was asked."""
    with guard.session(subject=someone) as session:
        verdict = session.erase("stranger")
    assert verdict.outcome is Outcome.UNKNOWN_SUBJECT
    row = house.row(verdict.event_id)
    assert (row["outcome"], row["request_id"]) == ("unknown_subject", "stranger")
    assert row["subject"] == house.pseudonym(someone)
    assert not house.ask("SELECT 1 FROM erasure_ledger WHERE event_id = {id:String}", id=verdict.event_id)


def test_erasing_again_is_a_success_and_one_row_of_the_ledger(house: House, guard: Guard, someone: Identifier) -> None:
    """A03: repeating an erasure succeeds, changes nothing, and the ledger has one row."""
    with guard.session(subject=someone) as session:
        session.user("hello")
        verdicts = [session.erase("again") for _ in range(3)]
    assert [verdict.outcome for verdict in verdicts] == [Outcome.ERASED, *[Outcome.ALREADY_ERASED] * 2]
    assert {verdict.decision for verdict in verdicts} == {Decision.FORWARD}
    for verdict in verdicts:
        house.rows(verdict.event_id)
    ledger = house.ask("SELECT event_id FROM erasure_ledger WHERE subject = {s:String}", s=house.pseudonym(someone))
    assert [row["event_id"] for row in ledger] == [verdicts[0].event_id]


def test_rebuilt_tables_and_rewound_offsets_bring_nobody_back(bare: House, someone: Identifier) -> None:
    """A05: a worker that lost its disk, with offsets set back to the start, neither forgets nor answers anew."""
    worker = bare.spawn("worker-1", module="tests.acceptance.small_main")
    with bare.guard().session(subject=someone) as session:
        session.user("hello")
        assert session.erase().outcome is Outcome.ERASED
    worker.stop()
    shutil.rmtree(bare.folder / "worker-1")
    rewind(bare)
    before = {verdict.event_id: verdict for verdict in bare.read(bare.topics.verdicts, Verdict)}
    worker.start()
    with bare.guard().session(subject=someone) as session:
        with pytest.raises(Blocked, match="subject_erased"):
            session.user("hello")
        assert session.erase().outcome is Outcome.ALREADY_ERASED
    worker.stop()  # whoever waits is told first: what else it sends is there when it is gone
    after = {verdict.event_id: verdict for verdict in bare.read(bare.topics.verdicts, Verdict)}
    assert before == {event_id: after[event_id] for event_id in before}
    assert len(after) == len(before) + 2


def rewind(house: House) -> None:
    """Sets the workers' committed offsets back to the start, once the stopped worker's seat is free."""
    leave_group(house.settings.kafka.bootstrap, house.topics.app_id, "worker-1")
    consumer = Consumer({**house.settings.kafka.librdkafka(), "group.id": house.topics.app_id})
    sources = (house.topics.events, house.topics.annotated, house.topics.partials)
    places = [
        TopicPartition(topic, partition, 0) for topic in sources for partition in range(house.settings.partitions)
    ]
    consumer.commit(offsets=places, asynchronous=False)
    assert {place.offset for place in consumer.committed(places, 10)} == {0}
    consumer.close()


def test_pseudonyms_are_keyed(house: House, guard: Guard, someone: Identifier) -> None:
    """A08: topics, state and audit know a person by an HMAC under the key, and by no bare hash of anything."""
    with guard.session(subject=someone) as session:
        session.consent("marketing.communications")
        verdict = session.erase()
    row = house.row(verdict.event_id)
    stored = [str(row).encode()]
    for record in house.records(*(topic for topic in house.every_topic() if topic != house.topics.events)):
        stored += [record.key() or b"", record.value() or b"", repr(record.headers()).encode()]
    everything = b"\n".join(stored)
    mine = house.pseudonym(someone)
    assert row["subject"] == mine
    assert everything.count(mine.encode()) > 5
    for digest in bare_hashes(someone):
        assert digest.hex().encode() not in everything
        assert digest not in everything
    assert Pseudonymiser(master=b"the key of another installation").of(TENANT, someone) != mine
    assert house.settings.pseudonymiser().of("another tenant", someone) != mine


def bare_hashes(someone: Identifier) -> list[bytes]:
    """What anybody could compute from an address, to look for it."""
    normal = normalise_identifier(someone)
    plain = [
        someone.value,
        normal.value,
        *(f"{normal.scheme}{glue}{normal.value}" for glue in (":", "|", "/", "\0", "")),
    ]
    texts = [*plain, *(f"{TENANT}{glue}{text}" for text in plain for glue in (":", "|", "/", "\0", ""))]
    functions = (hashlib.sha256, hashlib.sha1, hashlib.md5, hashlib.sha512, hashlib.blake2b)
    return [function(text.encode()).digest() for text in texts for function in functions]
