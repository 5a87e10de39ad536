"""Plays stories through guards: several agents at once, each story's steps in order.

Stories in one list concern the same people and are played one after the other; the lists are
played side by side.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from threading import Event, Lock

from lawful.client import Guard, Transport
from lawful.client.clock import now
from lawful.client.obligations import apply
from lawful.infra.fleet.script import Step, Story
from lawful.schemas.errors import MustBlock
from lawful.schemas.event import AgentEvent, ConsentGiven, Payload
from lawful.schemas.ids import uuid7
from lawful.schemas.verdict import Decision, Verdict

SOURCE = "urn:lawful:fleet"


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one step.

    Attributes:
        delivered: the payload as it was let through; `None` if it was not.
        waited_ms: from asking to the verdict.
    """

    story: Story
    step: Step
    event: AgentEvent
    verdict: Verdict
    delivered: Payload | None
    waited_ms: float

    @property
    def as_scripted(self) -> bool:
        """Whether the verdict is what the story expects."""
        return self.verdict.decision is self.step.expect


class Fleet:
    """Agents that share one way to the verdicts.

    Args:
        transport: that way; the caller closes it.
        tenant: whose agents they are.
        deadline_ms: how long an agent waits for a verdict.
    """

    def __init__(self, transport: Transport, *, tenant: str, deadline_ms: int = 15_000) -> None:
        self._transport = transport
        self._tenant = tenant
        self._deadline_ms = deadline_ms
        self._stopped = Event()
        self._lock = Lock()
        self._guards: dict[tuple[str, str], Guard] = {}

    def play(
        self, casts: Sequence[Sequence[Story]], told: Callable[[Played], None], *, agents_at_once: int = 8
    ) -> None:
        """Plays everything; `told` is called from the agents' threads, one at a time."""
        with ThreadPoolExecutor(agents_at_once, thread_name_prefix="agent") as pool:
            playing = [pool.submit(self._play_in_order, stories, told) for stories in casts]
            try:
                for each in as_completed(playing):
                    each.result()
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        """Agents take no further step."""
        self._stopped.set()

    def _play_in_order(self, stories: Sequence[Story], told: Callable[[Played], None]) -> None:
        for story in stories:
            guard = self._guard(story)
            for step in story.steps:
                if self._stopped.wait(step.pause_ms / 1_000):
                    return
                played = self._take(story, step, guard)
                with self._lock:
                    told(played)

    def _guard(self, story: Story) -> Guard:
        key = (story.agent_id, story.policy_id)
        with self._lock:
            if key not in self._guards:
                self._guards[key] = Guard(
                    self._transport,
                    agent=story.agent_id,
                    tenant=self._tenant,
                    policy=story.policy_id,
                    source=SOURCE,
                    deadline_ms=self._deadline_ms,
                )
            return self._guards[key]

    def _take(self, story: Story, step: Step, guard: Guard) -> Played:
        event = self._event(story, step)
        began = time.perf_counter()
        verdict = guard.check(event)
        waited_ms = (time.perf_counter() - began) * 1_000
        return Played(story, step, event, verdict, _delivered(event.payload, verdict), waited_ms)

    def _event(self, story: Story, step: Step) -> AgentEvent:
        moment = now()
        payload = step.payload
        if step.expires_in_ms is not None and isinstance(payload, ConsentGiven):
            payload = replace(payload, expires_at=moment + step.expires_in_ms * 1_000)
        return AgentEvent(
            event_id=uuid7(),
            occurred_at=moment,
            tenant_id=self._tenant,
            source=SOURCE,
            agent_id=story.agent_id,
            session_id=story.session_id,
            recipient=step.recipient,
            subjects=step.subjects,
            purposes=step.purposes,
            policy_id=story.policy_id,
            deadline_ms=self._deadline_ms,
            payload=payload,
        )


def _delivered(payload: Payload, verdict: Verdict) -> Payload | None:
    if verdict.decision is Decision.BLOCK:
        return None
    try:
        return apply(payload, verdict)
    except MustBlock:
        return None
