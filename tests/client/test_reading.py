"""What a session has read is the cause of what it does then, so that labels come along (A42)."""

from collections.abc import Callable, Iterator

import pytest

from lawful.client import Blocked, Guard
from lawful.schemas.audit import AuditRecord
from lawful.schemas.event import AgentMessage, Identifier
from lawful.schemas.flowing import CAUSES
from lawful.schemas.pseudonym import PSEUDONYM
from tests.contracts.worlds import World, in_process
from tests.streams.kit import ADA, TENANT, make_event, pseudonym

PHONE = "call her under +4912345678"


@pytest.fixture
def world() -> Iterator[World]:
    """The kernel in this process."""
    with in_process() as made:
        yield made


@pytest.fixture
def guard(world: World) -> Guard:
    """Of agent B."""
    return Guard(world.transport, agent="b", tenant=TENANT)


def test_what_was_received_is_inherited_by_what_is_sent(guard: Guard, world: World) -> None:
    """In other words, for a purpose that does not need it, it is blocked; before it was read, it is not."""
    with guard.session(subject=ADA, purposes=["care"]) as session:
        session.assistant("fine")
        assert session.receive("a", PHONE) == PHONE
        call: Callable[..., str] = session.tool("find_order", purposes=["order"])(lambda what: what)
        with pytest.raises(Blocked, match="an event that led to this one") as blocked:
            call(what="hers")
    assert blocked.value.verdict is not None
    (row,) = world.about(blocked.value.verdict.event_id)
    assert isinstance(row, AuditRecord)
    assert str(row.view.causation_id) in blocked.value.verdict.violations[0].evidence


def test_a_delivered_event_brings_its_subjects_and_is_a_cause(guard: Guard) -> None:
    """Whose data it is, by pseudonym; with what was read before among the further causes."""
    session = guard.session()
    who = Identifier(PSEUDONYM, pseudonym(ADA))
    for number in (1, 2, 3):
        assert session.received(make_event(AgentMessage("x"), who, number=number)) == AgentMessage("x")
    event = session.scope.event(AgentMessage("y"))
    ids = [make_event(AgentMessage("x"), number=number).event_id for number in (1, 2, 3)]
    assert (event.subjects, event.causation_id) == ((who,), ids[2])
    assert event.attributes == ((CAUSES, f"{ids[0]} {ids[1]}"),)
