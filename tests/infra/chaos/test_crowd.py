"""The events of a chaos run come from its seed."""

from lawful.infra.chaos.crowd import HANGS, Crowd
from lawful.schemas.event import UserMessage


def test_the_same_seed_gives_the_same_events() -> None:
    """And another seed others, under other ids."""
    assert list(Crowd(3).events(200)) == list(Crowd(3).events(200))
    ids = [{event.event_id for event in Crowd(seed).events(200)} for seed in (3, 4)]
    assert not ids[0] & ids[1]


def test_there_are_so_many_different_events_and_some_come_twice() -> None:
    """Each has an id of its own; a retry has its event's."""
    events = list(Crowd(1).events(500))
    assert len({event.event_id for event in events}) == 500 < len(events)


def test_so_many_hang_detectors() -> None:
    """They are among the others."""
    events = Crowd(1).events(300, hanging=4)
    assert len({each.event_id for each in events if each.payload == UserMessage(HANGS)}) == 4
