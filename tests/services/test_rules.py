"""The outreach rule of the medagent pack, from Kafka to Kafka."""

import contextlib
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import Settings
from lawful.schemas.event import ConsentGiven, Identifier, Payload, ToolCall
from lawful.schemas.verdict import Decision, Verdict
from tests.engines import eventually
from tests.services.ruled_main import BRISK, SECONDS
from tests.services.workers import Bus, Worker
from tests.streams.kit import make_event

PATIENT = Identifier("patient_id", "P-100001")
RULE = "outreach_after_query"
QUERY = ToolCall("query_record", "call", json.dumps({"patient_id": PATIENT.value}))
NOTED = ToolCall("query_record", "call", json.dumps({"patient_id": PATIENT.value, "for": "doctor@example.com"}))
INVITE = ToolCall("send_outreach", "call", json.dumps({"patient": PATIENT.value, "phone": "+493012345"}))
CONSENT = ConsentGiven(("healthcare.outreach",))


@pytest.fixture
def two(settings: Settings) -> Settings:
    """An installation with two partitions."""
    small = replace(settings, partitions=2)
    create_topics(small)
    return small


@pytest.fixture
def make_worker(two: Settings, tmp_path: Path) -> Iterator[Callable[[], Worker]]:
    """Starts workers on one folder; they do not outlive the test."""
    made: list[Worker] = []

    def make() -> Worker:
        made.append(Worker(two, tmp_path / "data", module="tests.services.ruled_main").go())
        return made[-1]

    yield make
    for worker in made:
        if worker.process.poll() is None:
            worker.kill()


class Clinic:
    """An agent that waits for each verdict before it goes on."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._numbers = itertools.count()

    def asks(self, payload: Payload, policy: str = "medagent") -> tuple[Decision, set[str]]:
        """The decision on an event, and which rules it breaks."""
        event = make_event(payload, PATIENT, number=next(self._numbers), policy_id=policy)
        self._bus.publish(event)
        self._bus.flush()
        (verdict,) = eventually(lambda: self._answers(event.event_id), seconds=40)
        return verdict.decision, {each.rule for each in verdict.violations}

    def _answers(self, event_id: str) -> list[Verdict]:
        verdicts = self._bus.values(self._bus.topics.verdicts, Verdict)
        return [each for each in verdicts if each.event_id == event_id]


@pytest.fixture
def bus(two: Settings) -> Iterator[Bus]:
    """The installation's topics."""
    with contextlib.closing(Bus(two)) as opened:
        yield opened


FORWARD, BLOCKED = (Decision.FORWARD, set[str]()), (Decision.BLOCK, {RULE})


@pytest.mark.parametrize("query", [QUERY, NOTED], ids=["of one person", "that mentions another"])
def test_outreach_needs_a_query(bus: Bus, make_worker: Callable[[], Worker], query: ToolCall) -> None:
    """Blocked without it, passed after it, also by a worker that was restarted in between."""
    clinic, worker = Clinic(bus), make_worker()
    assert clinic.asks(CONSENT) == FORWARD
    assert clinic.asks(INVITE) == BLOCKED
    assert clinic.asks(query) == FORWARD
    assert clinic.asks(INVITE) == FORWARD
    worker.kill()
    make_worker()
    assert clinic.asks(INVITE) == FORWARD


def test_outreach_is_over_when_the_hour_is(bus: Bus, make_worker: Callable[[], Worker]) -> None:
    """The broker's clock says so; with an hour of five seconds."""
    make_worker()
    clinic = Clinic(bus)
    assert clinic.asks(CONSENT, BRISK) == FORWARD
    assert clinic.asks(QUERY, BRISK) == FORWARD
    assert clinic.asks(INVITE, BRISK) == FORWARD
    eventually(lambda: clinic.asks(INVITE, BRISK) == BLOCKED, seconds=SECONDS + 20)
    assert clinic.asks(QUERY, BRISK) == FORWARD
    assert clinic.asks(INVITE, BRISK) == FORWARD
