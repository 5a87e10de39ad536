"""A worker: one process that runs all stages, from its start-up to its exit code.

Exit codes: 0 stopped on request (SIGTERM, SIGINT), after finishing what was begun and leaving the
group; 3 a promise could not be kept any longer, the reason is logged and printed; 1 anything else.
Wrong settings raise `ConfigurationError` before anything starts.
"""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field

from lawful.streams.auditing import Panel
from lawful.streams.checks import Cluster, check_policies, check_topics
from lawful.streams.kernel import Kernel
from lawful.streams.observing import Observers
from lawful.streams.options import WorkerOptions
from lawful.streams.second_opinion import SecondOpinion
from lawful.streams.topology import LawfulApp, build

log = logging.getLogger(__name__)

STOPPED, FAILED, MUST_STOP = 0, 1, 3
_STOP_SECONDS = 30.0
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class WorkerDeps:
    """What the composition root puts in.

    Attributes:
        kernel: policies, extractor and pseudonyms. The extractor is warm: its models are loaded.
        cluster: asked at start whether the topics are as they must be.
        default_policy: the policy of events that name none; it has to be there.
        ready: called once, when this worker has partitions and their tables are restored.
        may_go_on: asked before every record; while it says no, nothing is decided.
        second_opinion: the other judges, for a sample of events.
        observers: are told what was done, and change nothing.
        panel: auditors of the heavy tier.
    """

    kernel: Kernel
    cluster: Cluster | None = None
    default_policy: str | None = None
    ready: Callable[[], None] = lambda: None
    may_go_on: Callable[[], bool] = lambda: True
    second_opinion: SecondOpinion | None = None
    observers: Observers = field(default_factory=Observers)
    panel: Panel | None = None


def run(options: WorkerOptions, deps: WorkerDeps) -> int:
    """Runs a worker in this process until it is told to stop. Returns the exit code.

    Raises:
        ConfigurationError: topics or policies are not as they must be.
    """
    check_policies(deps.kernel.policies, deps.default_policy, deps.kernel.denier)
    if deps.cluster is not None:
        for warning in check_topics(options.topics, deps.cluster):
            log.warning("%s", warning)
    if not log.isEnabledFor(logging.DEBUG):
        for noisy in ("faust", "mode", "aiokafka", "asyncio"):
            logging.getLogger(noisy).setLevel(logging.ERROR)
    return asyncio.run(_main(options, deps))


async def _main(options: WorkerOptions, deps: WorkerDeps) -> int:
    app = LawfulApp(options)
    build(app, deps.kernel, deps.second_opinion, deps.panel)
    app.may_go_on, app.observers = deps.may_go_on, deps.observers
    loop = asyncio.get_running_loop()
    asked = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked.set)
    return await serve(app, asked, deps.ready)


async def serve(app: LawfulApp, asked: asyncio.Event, ready: Callable[[], None] = lambda: None) -> int:
    """Runs a built app until it is asked to stop, or has to; tells when it takes events."""
    started = asyncio.create_task(app.start())
    ends = [asyncio.create_task(event.wait()) for event in (asked, app.stopping)]
    crashed = asyncio.create_task(_crashed(app, started))
    announced = asyncio.create_task(_announce(app, ready))
    await asyncio.wait([*ends, crashed], return_when=asyncio.FIRST_COMPLETED)
    crash = crashed.result() if crashed.done() else None
    for task in (*ends, crashed, announced):
        task.cancel()
    try:
        await asyncio.wait_for(app.stop(), _STOP_SECONDS)
    except TimeoutError:
        log.warning("stopping took too long; what was not finished is done again by whoever takes over")
    started.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await started
    return _code(app, crash)


async def _announce(app: LawfulApp, ready: Callable[[], None]) -> None:
    """Tells once that the stages are open."""
    while not app.stages.durable():  # noqa: ASYNC110 - once per process; the stages' own code need not know
        await asyncio.sleep(_POLL_SECONDS)
    ready()


async def _crashed(app: LawfulApp, started: "asyncio.Task[None]") -> BaseException:
    """Returns when Faust gives up, or cannot even start."""
    failed = asyncio.create_task(app._crashed.wait())  # noqa: SLF001 - mode has no public way to wait for it
    await asyncio.wait([failed, started], return_when=asyncio.FIRST_COMPLETED)
    if started.done() and (error := started.exception()) is not None:
        return error
    await failed
    reason: BaseException = app.crash_reason or RuntimeError("unknown")
    return reason


def _code(app: LawfulApp, crash: BaseException | None) -> int:
    if app.reason:
        log.critical("the worker had to stop: %s", app.reason)
        return MUST_STOP
    if crash is not None:
        log.critical("the worker crashed: %r", crash)
        return FAILED
    return STOPPED


def exit_now(code: int) -> None:
    """Leaves at once: Faust's threads are not waited for."""
    logging.shutdown()
    os._exit(code)
