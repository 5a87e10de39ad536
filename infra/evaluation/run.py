"""Runs batches of trials through every arm, on several processes, and counts what came of them.

A batch makes its own trials from the seed, so that nothing but counts travels between processes and
the same seed gives the same table on any number of them.
"""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache, lru_cache

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor
from lawful.infra.evaluation.arms.arm import Arm, Setting, Tools, arms, enforced
from lawful.infra.evaluation.arms.ours import PSEUDONYMISER
from lawful.infra.evaluation.attacks.families import Batch, trials
from lawful.infra.evaluation.attacks.wording import Wording
from lawful.infra.evaluation.oracle.judge import judge_trace
from lawful.infra.evaluation.oracle.law import Law, read_law
from lawful.infra.evaluation.tally import Outcome, Tally
from lawful.infra.evaluation.trial import Act
from lawful.policies.load import POLICY_FILE, pack_folder
from lawful.policies.model import Policy
from lawful.schemas.event import AgentEvent, Payload


@dataclass(frozen=True, slots=True)
class Order:
    """A batch, and which arms it is put before."""

    batch: Batch
    arms: tuple[str, ...]
    wording: Wording | None = None


class Remembering:
    """The real extractor, asked once for each event of a batch however many arms want it.

    Args:
        inner: the extractor.
    """

    def __init__(self, inner: Extractor) -> None:
        self._inner = inner
        self._known: dict[tuple[str, Payload], Extraction] = {}

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """See `lawful.extractors.port.Extractor`."""
        key = event.event_id, event.payload
        if key not in self._known:
            self._known[key] = self._inner.extract(event, spec)
        return self._known[key]


def run_batch(order: Order) -> Tally:
    """One batch before all its arms."""
    tally = Tally()
    policy, law = _rules(order.batch.pack)
    wanted = [arm for arm in arms() if arm.name in order.arms]
    tools = _tools({arm.name for arm in wanted})
    for trial in trials(order.batch, order.wording):
        for arm in wanted:
            tally.add(trial, arm.name, put_before(arm, Setting(trial, policy, tools, order.batch.seed), law))
    return tally


def put_before(arm: Arm, given: Setting, law: Law) -> Outcome:
    """What comes of one trial with one arm in between."""
    trial, monitor = given.trial, arm.make(given)
    accepted: dict[int, Payload] = {}
    for number, step in enumerate(trial.steps):
        delivered = monitor.pass_on(step)
        if delivered is not None:
            accepted[number] = delivered
    broken = judge_trace(trial, accepted, law)
    touched = {number for number, step in enumerate(trial.steps) if accepted.get(number) != step.event.payload}
    needed = {number for number, step in enumerate(trial.steps) if isinstance(step.truth, Act) and step.truth.needed}
    breaches = frozenset(each.breach for each in broken)
    return Outcome(breaches, len(trial.steps), len(touched), task_done=not needed & touched)


def run(orders: Sequence[Order], processes: int, progress: Callable[[int], None]) -> Tally:
    """All batches.

    Args:
        orders: the batches.
        processes: how many processes; with 1 it is this one.
        progress: told the number of trials of each finished batch.
    """
    whole = Tally()
    for order, tally in _one_by_one(orders) if processes == 1 else _spread(orders, processes):
        whole.merge(tally)
        progress(order.batch.count)
    return whole


def _one_by_one(orders: Iterable[Order]) -> Iterator[tuple[Order, Tally]]:
    for order in orders:
        yield order, run_batch(order)


def _spread(orders: Sequence[Order], processes: int) -> Iterator[tuple[Order, Tally]]:
    # Spawned, not forked: the command's process may have threads.
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            futures: dict[Future[Tally], Order] = {pool.submit(run_batch, order): order for order in orders}
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@cache
def _rules(pack: str) -> tuple[Policy, Law]:
    return enforced(pack), read_law(pack_folder(pack) / POLICY_FILE)


def _tools(names: set[str]) -> Tools:
    return Tools(
        Remembering(_extractor()) if "real" in names else None,
        _presidio() if "presidio" in names else None,
    )


@cache
def _extractor() -> Extractor:
    from lawful.extractors import build_extractor  # noqa: PLC0415 - loads a language model

    return build_extractor(PSEUDONYMISER)


@cache
def _presidio() -> Callable[[str], list[tuple[int, int]]]:
    from lawful.extractors.presidio.default import DefaultPresidio  # noqa: PLC0415 - loads a language model

    stock = DefaultPresidio()

    @lru_cache(maxsize=50_000)  # agents say the same things again and again
    def find(text: str) -> list[tuple[int, int]]:
        return [(hit.start, hit.end) for hit in stock.hits(text)]

    return find
