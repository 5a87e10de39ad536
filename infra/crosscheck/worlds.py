"""Many generated worlds, spread over processes: the crosscheck without anybody's data."""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from random import Random

from lawful.infra.crosscheck.drive import Driver, Tally
from lawful.policies.crosscheck.generate import World, channelled
from lawful.policies.load import load_policy, pack_folder
from lawful.policies.model import Policy
from lawful.policies.rego.judge import RegoJudge

EVENTS_A_WORLD = 125


@dataclass(frozen=True, slots=True)
class Only:
    """A policy set of one."""

    policy: Policy

    def get(self, policy_id: str | None, /) -> Policy | None:
        """The policy, whatever it is asked by."""
        return self.policy


@dataclass(frozen=True, slots=True)
class Order:
    """One world to run: reproducible from these four."""

    pack: str
    seed: int
    number: int
    events: int
    keep_logs: bool = False


def orders(packs: list[str], events: int, seed: int, *, keep_logs: bool = False) -> Iterator[Order]:
    """Worlds over the packs in turn, so many events in all.

    Args:
        packs: whose policies.
        events: how many.
        seed: chance.
        keep_logs: keep the subjects' logs, for one more judge.
    """
    left, number = events, 0
    while left > 0:
        size = min(left, EVENTS_A_WORLD)
        yield Order(packs[number % len(packs)], seed, number, size, keep_logs)
        left, number = left - size, number + 1


def run_world(order: Order) -> Tally:
    """One world, all judges."""
    policy, rego = _ready(order.pack)
    dice = Random(f"{order.seed}/{order.number}")  # noqa: S311 - reproducible, and no secret
    if order.number % 2:  # channels add to the operational judge's verdict, and must not hide or shift the others'
        policy = channelled(policy, dice)
    driver = Driver(Only(policy), rego, keep_logs=order.keep_logs)
    for views in World(policy, dice, f"{order.pack}-{order.number}").events(order.events):
        driver.take(views)
    return driver.tally


@cache
def _ready(pack: str) -> tuple[Policy, RegoJudge]:
    """What all worlds of a process share."""
    return load_policy(pack_folder(pack)), RegoJudge()


def run_worlds(wanted: list[Order], processes: int, progress: Callable[[int], None]) -> Tally:
    """All worlds, on several processes where asked for.

    Args:
        wanted: the worlds.
        processes: how many processes; with 1 it is this one.
        progress: told the number of events that each finished world had.
    """
    whole = Tally()
    for tally in map(run_world, wanted) if processes == 1 else _spread(wanted, processes):
        whole.merge(tally)
        progress(tally.events)
    return whole


def _spread(wanted: list[Order], processes: int) -> Iterator[Tally]:
    # Spawned, not forked: the command's process may have threads.
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            futures: list[Future[Tally]] = [pool.submit(run_world, order) for order in wanted]
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
