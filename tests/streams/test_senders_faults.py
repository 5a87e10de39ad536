"""What a sender can cause at will blocks its own events and stops nobody's worker."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from lawful.schemas.audit import DeadLetter
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.topics import TOPICS
from lawful.streams.effects import Effects, Headers, Record
from lawful.streams.steps import AnnotateStep, StepDeps
from tests.streams.kit import ADA, KERNEL, make_event

DEPS = StepDeps(KERNEL, TOPICS, "lawful.replies.")


class NoRows:
    """A table without rows."""

    def get(self, key: bytes, /) -> bytes | None:
        """Nothing is there."""
        return None


def annotated(event: AgentEvent, headers: Headers = (), deps: StepDeps = DEPS) -> Effects:
    """What the annotate stage makes of an event."""
    record = Record(TOPICS.events, 0, 7, 1_000, b"key", encode(event), headers)
    return AnnotateStep(deps)(record, NoRows())


@pytest.mark.parametrize(
    "do",
    [
        lambda: annotated(make_event(UserMessage("hi"), ADA, tenant_id="nobody-has-a-key-for-it")),
        lambda: annotated(make_event(UserMessage("hi"), ADA), (("reply_topic", b"somebody.elses"),)),
        lambda: annotated(make_event(UserMessage("hi"), ADA), deps=replace(DEPS, max_bytes=10)),
    ],
    ids=["tenant", "reply", "size"],
)
def test_a_senders_fault_is_written_down_and_does_not_count(do: Callable[[], Effects]) -> None:
    """One dead letter and a block each; a hundred of them are no reason to stop."""
    done = do()
    assert [send.topic for send in done.sends] == [TOPICS.annotated, TOPICS.dead_letters]
    assert decode(done.sends[1].value, DeadLetter).reason == "exception"
    assert not done.refused
