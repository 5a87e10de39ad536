"""Sealed events: opened with their people's keys, and answered when those are destroyed."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from lawful.client.sealing import DataKey, Sealer
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import MustBlock
from lawful.schemas.event import AgentEvent, ConsentGiven, DataSubjectRequest, Identifier, RequestKind, UserMessage
from lawful.schemas.history import History
from lawful.schemas.sealed import Erased, SealedEvent, SubjectKey
from lawful.schemas.sealing import Sealing
from lawful.schemas.topics import TOPICS
from lawful.schemas.verdict import Decision, Outcome, Verdict
from lawful.schemas.view import View
from lawful.streams.effects import Effects, Record
from lawful.streams.opening import Opener
from lawful.streams.steps import AnnotateStep, JudgeStep, StepDeps
from tests.streams.kit import ADA, ADA_ID, BOB, KERNEL, PEOPLE, make_event, pseudonym, reasons

SECRET = b"thirty-two bytes of an installation!"
NOW = 1_700_000_000_000_000
ids = (f"018bcfe5-6800-7000-8000-{number:012x}" for number in range(10**6))  # made at NOW


@dataclass
class Topic:
    """The topic of keys, in memory."""

    keys: dict[str, SubjectKey] = field(default_factory=dict)

    def publish(self, key: SubjectKey, then: object) -> None:
        """As a guard does."""
        self.keys[key.key_id] = decode(encode(key), SubjectKey)

    def find(self, key_id: str) -> SubjectKey | None:
        """As a worker does."""
        return self.keys.get(key_id)

    def close(self) -> None:
        """Nothing to let go of."""


@dataclass
class World:
    """Guard, topics and stages without Kafka."""

    topic: Topic = field(default_factory=Topic)
    sealer: Sealer = field(default_factory=lambda: Sealer(SECRET, PEOPLE, clock=lambda: NOW, new_id=lambda: next(ids)))
    rows: dict[bytes, bytes] = field(default_factory=dict)
    events: list[Record] = field(default_factory=list)
    annotated: list[Record] = field(default_factory=list)
    number: Iterator[int] = field(default_factory=lambda: iter(range(10**6)))

    def __post_init__(self) -> None:
        kernel = replace(KERNEL, opener=Opener(self.topic, Sealing(SECRET)))
        deps = StepDeps(kernel, TOPICS, TOPICS.reply_prefix)
        self.annotate, self.judge = AnnotateStep(deps), JudgeStep(deps)

    def publish(self, payload: object, *subjects: Identifier) -> Record:
        """Seals an event and puts it on the bus."""
        event = make_event(payload, *subjects, number=next(self.number))  # type: ignore[arg-type]
        sealed, key = self.sealer.seal(event, encode(event))
        self.sealer.once_published(key, self.topic.publish, lambda _: None)
        record = Record(TOPICS.events, 0, len(self.events), NOW, None, encode(sealed))
        self.events.append(record)
        return record

    def take(self, record: Record) -> list[Verdict]:
        """Runs a record through annotate and judge; gives the verdicts that leave the judge stage."""
        verdicts = []
        for send in self.annotate(record, self.rows).sends:
            if send.topic == TOPICS.annotated:
                verdicts += self.judged(send.value)
        return verdicts

    def judged(self, value: bytes) -> list[Verdict]:
        """Runs a view, and what it leads to, through the judge stage."""
        record = Record(TOPICS.annotated, 0, len(self.annotated), NOW, None, value)
        self.annotated.append(record)
        effects = self.judge(record, self.rows)
        self.apply(effects)
        verdicts = []
        for send in effects.sends:
            if send.topic == TOPICS.annotated:
                verdicts += self.judged(send.value)
            elif send.topic == TOPICS.verdicts:
                verdicts.append(decode(send.value, Verdict))
        return verdicts

    def apply(self, effects: Effects) -> None:
        """Rows into the table, tombstones into the topic of keys."""
        self.rows.update({put.key: put.value for put in effects.puts if put.value is not None})
        for send in effects.sends:
            if send.topic == TOPICS.keys:
                assert send.tombstone
                self.topic.keys.pop((send.key or b"").decode(), None)

    def asked(self, payload: object, *subjects: Identifier) -> Verdict:
        """The verdict on an event of one view."""
        (verdict,) = self.take(self.publish(payload, *subjects))
        return verdict


@pytest.fixture
def world() -> World:
    """Nobody is known yet."""
    return World()


ERASE = DataSubjectRequest(RequestKind.ERASURE, "r")


def test_a_sealed_event_is_judged_as_it_would_be_open(world: World) -> None:
    """Sealing changes no verdict, and nothing of the content can be read on the bus."""
    record = world.publish(UserMessage("I am ada@example.com"), ADA)
    assert b"ada@" not in (record.value or b"")
    (verdict,) = world.take(record)
    assert verdict.decision is Decision.FORWARD
    (view,) = [decode(each.value or b"", View) for each in world.annotated]
    assert (view.subject, view.key_id) == (pseudonym(ADA), next(iter(world.topic.keys)))


def test_an_erasure_destroys_every_key_of_the_person(world: World) -> None:
    """Also keys of other processes and of identifiers linked before; nobody else's."""
    world.asked(UserMessage("hello"), ADA)
    world.sealer = World().sealer  # another process
    world.asked(UserMessage("hello"), ADA)
    world.asked(UserMessage("hello"), BOB)
    assert len(world.topic.keys) == 3
    assert world.asked(ERASE, ADA).outcome is Outcome.ERASED
    assert {name.partition("/")[0] for name in world.topic.keys} == {pseudonym(BOB)}


def test_linking_somebody_to_an_erased_person_destroys_their_keys_too(world: World) -> None:
    """The erasure holds for the whole person from then on, and so does its effect."""
    world.asked(UserMessage("hello"), ADA)
    world.asked(UserMessage("hello"), ADA_ID)
    world.asked(ERASE, ADA)
    assert world.topic.keys
    world.take(world.publish(ConsentGiven(("order",), identifiers=(ADA,)), ADA_ID))
    assert not world.topic.keys


def test_an_event_whose_key_is_gone_is_answered_and_changes_nothing(world: World) -> None:
    """What nobody can read any more stops nobody: an answer, no dead letter, the history as it was."""
    waiting = world.publish(UserMessage("on its way"), ADA)
    world.asked(UserMessage("hello"), ADA)
    world.asked(ERASE, ADA)
    rows = dict(world.rows)
    effects = world.annotate(waiting, world.rows)
    assert [send.topic for send in effects.sends] == [TOPICS.annotated]
    assert not effects.refused
    (verdict,) = world.take(waiting)
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"payload_erased"})
    assert world.rows == rows


def test_reading_the_log_again_after_an_erasure_says_nothing_new(world: World) -> None:
    """Offsets set back: what was answered is answered, and the history is not disturbed."""
    world.asked(UserMessage("hello"), ADA)
    world.asked(ConsentGiven(("marketing",)), ADA)
    world.asked(ERASE, ADA)
    rows = dict(world.rows)
    assert [world.take(record) for record in world.events] == [[], [], []]
    assert world.rows == rows


def test_whoever_enrols_anew_gets_a_new_key(world: World) -> None:
    """The guard lets go of a key as soon as a verdict tells that it is destroyed."""
    world.asked(UserMessage("hello"), ADA)
    event = make_event(ERASE, ADA)
    world.sealer.learn(event, world.asked(ERASE, ADA))
    assert world.asked(ConsentGiven(("order",), re_enrols=True), ADA).outcome is Outcome.RECORDED
    assert world.asked(UserMessage("back"), ADA).decision is Decision.FORWARD


def test_what_an_erased_person_sends_is_destroyed_at_once(world: World) -> None:
    """An agent that goes on leaves nothing behind that can be read."""
    world.asked(UserMessage("hello"), ADA)
    event = make_event(ERASE, ADA)
    world.sealer.learn(event, world.asked(ERASE, ADA))
    assert reasons(world.asked(UserMessage("still here"), ADA)) == {"subject_erased"}
    assert not world.topic.keys


def test_histories_keep_ids_of_keys_and_no_key(world: World) -> None:
    """What a table holds opens nothing."""
    world.asked(UserMessage("hello"), ADA)
    (history,) = [decode(row, History) for name, row in world.rows.items() if name.startswith(b"h")]
    assert history.keys == tuple(world.topic.keys)


def test_an_event_that_was_changed_is_blocked_and_one_dead_letter(world: World) -> None:
    """Whatever is said around a sealed event is part of it."""
    record = world.publish(UserMessage("hello"), ADA)
    sealed = decode(record.value or b"", SealedEvent)
    for changed in (
        replace(sealed, ciphertext=sealed.ciphertext[:-1] + bytes([sealed.ciphertext[-1] ^ 1])),
        replace(sealed, subject=pseudonym(BOB)),
        replace(sealed, tenant_id="other"),
        replace(sealed, key_id=f"{pseudonym(ADA)}/018bcfe5-6800-4000-8000-000000000000"),
        replace(sealed, key_id=f"{pseudonym(ADA)}/008bcfe5-6800-7000-8000-000000000000"),
    ):
        effects = world.annotate(replace(record, value=encode(changed)), world.rows)
        letters = [send.topic for send in effects.sends]
        assert letters in ([TOPICS.annotated, TOPICS.dead_letters], [TOPICS.annotated]), changed.key_id
        (view, *_) = [decode(send.value, View) for send in effects.sends if send.topic == TOPICS.annotated]
        assert view.status_reason.startswith(("not_annotated:MustBlock", "payload_erased"))
        assert not effects.refused


def test_a_worker_without_the_key_blocks() -> None:
    """It says so, and does not stop for it."""
    world = World()
    step = AnnotateStep(StepDeps(KERNEL, TOPICS, TOPICS.reply_prefix))
    effects = step(world.publish(UserMessage("hello"), ADA), {})
    assert [send.topic for send in effects.sends] == [TOPICS.annotated, TOPICS.dead_letters]
    assert not effects.refused


def test_guards_and_workers_must_have_the_same_key(world: World) -> None:
    """Another installation's key opens nothing."""
    sealed = decode(world.publish(UserMessage("hello"), ADA).value or b"", SealedEvent)
    with pytest.raises(MustBlock, match="different payload keys"):
        Opener(world.topic, Sealing(b"another installation's secret, 32+")).open(sealed, NOW)


def test_an_erased_event_is_a_value(world: World) -> None:
    """Not an exception: it has an id, a time and a person."""
    sealed = decode(world.publish(UserMessage("hello"), ADA).value or b"", SealedEvent)
    world.topic.keys.clear()
    assert Opener(world.topic, Sealing(SECRET)).open(sealed, NOW) == Erased(sealed)


def test_a_key_is_published_once_and_before_what_it_sealed() -> None:
    """Events wait for their key, and go out in the order in which they came."""
    sealer = Sealer(SECRET, PEOPLE, clock=lambda: NOW, new_id=lambda: next(ids))
    event = make_event(UserMessage("hello"), ADA)
    published: list[object] = []
    told: list[object] = []

    def publish(key: SubjectKey, then: object) -> None:
        published.append(then)

    keys: list[DataKey] = []
    for number in range(3):
        _, key = sealer.seal(event, encode(event))
        keys.append(key)
        sealer.once_published(key, publish, lambda error, number=number: told.append((number, error)))  # type: ignore[misc]
    assert (len(published), told, len({id(key) for key in keys})) == (1, [], 1)
    published[0](None)  # type: ignore[operator]
    sealer.once_published(keys[0], publish, lambda error: told.append((3, error)))
    assert told == [(number, None) for number in range(4)]
    assert len(published) == 1


def test_a_key_that_could_not_be_published_is_tried_again() -> None:
    """Whoever waited is told; the next event tries anew."""
    sealer = Sealer(SECRET, PEOPLE, clock=lambda: NOW, new_id=lambda: next(ids))
    event = make_event(UserMessage("hello"), ADA)
    told: list[str | None] = []
    for error in ("_MSG_TIMED_OUT", None):
        _, key = sealer.seal(event, encode(event))
        sealer.once_published(key, lambda _, then, error=error: then(error), told.append)  # type: ignore[misc]
    assert told == ["_MSG_TIMED_OUT", None]


def test_keys_are_changed_every_day_and_kept_in_bounds() -> None:
    """A key that lives for long would make an erasure's list of keys short but its reach wide."""
    time = [NOW]
    sealer = Sealer(SECRET, PEOPLE, clock=lambda: time[0], new_id=lambda: next(ids), most=2)

    def key_of(who: Identifier) -> str:
        event = make_event(UserMessage("hello"), who)
        return sealer.seal(event, encode(event))[0].key_id

    first = key_of(ADA)
    assert key_of(ADA) == first
    time[0] += 24 * 3600 * 1_000_000
    second = key_of(ADA)
    assert second != first
    key_of(BOB)
    key_of(ADA_ID)
    assert key_of(ADA) != second


def test_an_id_that_identifies_somebody_is_sealed_too(world: World) -> None:
    """Agents choose ids as they like; what can be read of a sealed event says nobody's name."""
    event = make_event(UserMessage("hello"), ADA, event_id="for ada@example.com")
    sealed, _ = world.sealer.seal(event, encode(event))
    assert "ada@" not in sealed.event_id
    assert b"ada@" not in encode(sealed)
    assert isinstance(decode(encode(event), AgentEvent), AgentEvent)


def test_sealed_events_are_read_ahead_like_others(world: World) -> None:
    """Where extraction is done for many events at once, those that can be opened take part."""
    waiting = [world.publish(UserMessage("hello"), who) for who in (ADA, BOB)]
    world.topic.keys = {name: key for name, key in world.topic.keys.items() if name.startswith(pseudonym(ADA))}
    assert [event.subjects for event, _ in world.annotate._jobs(waiting)] == [(ADA,)]
