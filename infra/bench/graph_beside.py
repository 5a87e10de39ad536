"""Whether knowing the critical agents keeps up with a worker's stages at half of what these can take, in one process.

A worker's graph lives in the worker: it learns from each event on the worker's thread, and ends its rounds on a
thread beside it. So events go through the worker's own steps (codec included; without extraction, so that they
come as fast as they can), first as fast as possible, then at half that pace with the graph watching. Whether it
keeps up is told by processor time, since on a busy machine the clock measures the others.
"""

import resource
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter, process_time, process_time_ns, sleep
from typing import Any, Final

from lawful.infra.bench.graph import Message, Progress, Size, messages
from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.scripted import Scripted
from lawful.infra.capacity.measure import Stage
from lawful.infra.centrality.measure import Measure
from lawful.infra.centrality.watch import CriticalAgents, Rounds, beside
from lawful.infra.crosscheck.worlds import Only
from lawful.policies.model import Policy
from lawful.schemas.codec import encode
from lawful.schemas.event import AgentEvent, AgentMessage, Identifier, Recipient, RecipientKind
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.topics import Topics
from lawful.streams.kernel import Kernel
from lawful.streams.steps import AnnotateStep, JudgeStep, StepDeps

_TENANT: Final = "bench"
_BEGIN: Final = 1_700_000_000_000_000
_PEOPLE: Final = 1_000
_SHARE: Final = 0.5
_STEP: Final = 1_000
_WAIT: Final = 60.0
_WARM: Final = 100


@dataclass(slots=True)
class _Ended:
    """Rounds that are over: what each took, from its end to its result."""

    seconds: list[float] = field(default_factory=list)
    idle: threading.Event = field(default_factory=threading.Event)

    def run(self, work: Callable[[], None]) -> None:
        """On a thread beside, as in a worker."""
        self.idle.clear()
        began = perf_counter()

        def timed() -> None:
            work()
            self.seconds.append(perf_counter() - began)
            self.idle.set()

        beside(timed)


class _Worker:
    """The steps of a worker, one after the other."""

    def __init__(self, policy: Policy) -> None:
        topics = Topics()
        parts = Kernel(Only(policy), Scripted(), Pseudonymiser(master=b"for measuring only, nobody's"))
        deps = StepDeps(kernel=parts, topics=topics, reply_prefix=topics.reply_prefix)
        self._annotate = Stage(topics.events, AnnotateStep(deps))
        self._judge = Stage(topics.annotated, JudgeStep(deps))
        self._topic = topics.annotated

    def take(self, value: bytes) -> None:
        """One event, up to its verdict."""
        for send in self._annotate.take(value, process_time_ns):
            if send.topic == self._topic:
                self._judge.take(send.value, process_time_ns)


def bench_beside(size: Size, policy: Policy, progress: Progress = lambda _: None) -> dict[str, Any]:
    """Finds the pace, and holds it with the graph watching.

    Args:
        size: how much is said by how many.
        policy: by which all is judged.
        progress: told how many messages are done.
    """
    said = messages(size)
    values = [encode(event) for event in _events(said)]
    capacity, plain = _capacity(_Worker(policy), values[: max(1, len(values) // 10)])
    ended = _Ended()
    watch = CriticalAgents(Measure(pivots=size.pivots), Rounds(window=size.messages, every=size.every), ended.run)
    pace = capacity * _SHARE
    before = _resident()
    busy = process_time()
    lags, seconds = _paced(_Worker(policy), values, said, watch, pace, progress)
    due = size.messages // size.every
    if due:
        ended.idle.wait(_WAIT)  # the last round ends when all is said
    watched = (process_time() - busy) / len(values)
    used = _SHARE * watched / plain
    found = sorted(lags)
    return {
        "machine": machine(),
        "versions": versions(),
        "size": {"agents": size.agents, "messages": size.messages, "every": size.every, "pivots": size.pivots},
        "cpu_us_per_event": {"stages": round(plain * 1e6, 1), "with_graph": round(watched * 1e6, 1)},
        "core_used_at_half_of_capacity": round(used, 3),
        "capacity_events_per_second": round(capacity),
        "pace_events_per_second": round(pace),
        "held_events_per_second": round(len(values) / seconds),
        "lag_ms": {
            "median": _ms(found[len(found) // 2]),
            "p99": _ms(found[-1 - len(found) // 100]),
            "end": _ms(lags[-1]),
        },
        "rounds": {"due": due, "ended": len(ended.seconds)},
        "seconds_per_round": {"last": round(ended.seconds[-1], 3), "most": round(max(ended.seconds), 3)}
        if ended.seconds
        else None,
        "memory_mb": {"before": before, "at_most": _resident()},
        "keeps_up": used < 1 and len(ended.seconds) == due,
    }


def _events(said: Sequence[Message]) -> Iterator[AgentEvent]:
    for number, (event_id, sender, receiver) in enumerate(said):
        yield AgentEvent(
            event_id=event_id,
            occurred_at=_BEGIN + number,
            tenant_id=_TENANT,
            source="urn:lawful:bench",
            agent_id=sender,
            session_id=f"session-{number // 20}",
            payload=AgentMessage("The parcel left this morning and arrives within two days."),
            subjects=(Identifier("customer_id", f"C-{number % _PEOPLE}"),),
            recipient=Recipient(RecipientKind.AGENT, receiver),
        )


def _capacity(worker: _Worker, values: Sequence[bytes]) -> tuple[float, float]:
    """Events a second, and seconds of the processor for each."""
    for value in values[:_WARM]:  # the first ones load what all need
        worker.take(value)
    began, busy = perf_counter(), process_time()
    for value in values:
        worker.take(value)
    return len(values) / (perf_counter() - began), (process_time() - busy) / len(values)


def _paced(  # noqa: PLR0913, PLR0917 - what is done, how fast, and who watches
    worker: _Worker,
    values: Sequence[bytes],
    said: Sequence[Message],
    watch: CriticalAgents,
    pace: float,
    progress: Progress,
) -> tuple[list[float], float]:
    """How far each event was behind its time when it was done, and how long all took."""
    lags: list[float] = []
    began = perf_counter()
    for number, (value, (event_id, sender, receiver)) in enumerate(zip(values, said, strict=True)):
        due = number / pace
        ahead = due - (perf_counter() - began)
        if ahead > 0:
            sleep(ahead)
        watch.heavy(_TENANT, (sender, receiver))
        worker.take(value)
        watch.said(_TENANT, event_id, (sender, receiver))
        lags.append(max(0.0, perf_counter() - began - due))
        if not number % _STEP:
            progress(number)
    return lags, perf_counter() - began


def _ms(seconds: float) -> float:
    return round(seconds * 1e3, 1)


def _resident() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024, 1)
