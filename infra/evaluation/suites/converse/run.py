"""Plays the suite's conversations with every arm, a domain and a share of them at a time, on all cores."""

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from lawful.firewalls import parse_abstraction, parse_protocol
from lawful.firewalls.learning import Learned, learn, parse_demonstrations
from lawful.infra.evaluation.oracle.talks import judge_talk
from lawful.infra.evaluation.suites.converse.arms import ARMS
from lawful.infra.evaluation.suites.converse.assistant import play
from lawful.infra.evaluation.suites.converse.conversations import benign, privacy, security
from lawful.infra.evaluation.suites.converse.demonstrating import demonstrations
from lawful.infra.evaluation.suites.converse.domain import NAMES, domain
from lawful.infra.evaluation.suites.converse.gates import Rules
from lawful.infra.evaluation.suites.converse.tallying import Counts, Table
from lawful.infra.evaluation.talk import Talk

PRIVACY_ROUNDS: Final = 7
SECURITY_ROUNDS: Final = 6
BENIGN: Final = 80
_OTHER_SEED: Final = 1_000_003
"""Demonstrations are drawn from another seed than what is measured: nobody learns from what they are tried on."""
_TAUGHT: Final = 120
_TAUGHT_ROUNDS: Final = 2
_SMALL_TAUGHT: Final = 40


@dataclass(frozen=True, slots=True)
class Order:
    """A share of a domain's conversations.

    Attributes:
        of: of so many shares it is the one with this number.
        size: conversations of the whole suite at most; nothing for all.
    """

    domain: str
    seed: int
    number: int
    of: int
    size: int | None


def run(*, seed: int, size: int | None, advance: Callable[[int], None], processes: int | None = None) -> Table:
    """See `Runner`."""
    shares = max(1, processes or os.cpu_count() or 1)
    orders = [Order(name, seed, number, shares, size) for name in NAMES for number in range(shares)]
    counts, learning = Counts(), dict[str, Any]()
    for order, found, learned in (
        _spread(orders, shares) if shares > 1 else ((each, *run_order(each)) for each in orders)
    ):
        counts.merge(found)
        learning[order.domain] = learned
        advance(found.talks)
    return Table(counts, seed, tuple(ARMS), dict(sorted(learning.items())))


def run_order(order: Order) -> tuple[Counts, dict[str, Any]]:
    """One share with every arm; and what was learned for its domain."""
    counts = Counts()
    learned = _learned(order.domain, order.seed, small=order.size is not None)
    rules = Rules(parse_protocol(learned.protocol), parse_abstraction(learned.abstraction))
    for talk in _share(order):
        for arm in ARMS.values():
            counts.add(arm.name, talk, judge_talk(talk, play(talk, arm.make(talk, rules))))
    return counts, learned.as_json()


def _share(order: Order) -> Iterator[Talk]:
    for number, talk in enumerate(talks(order.domain, order.seed, order.size)):
        if number % order.of == order.number:
            yield talk


def talks(name: str, seed: int, size: int | None) -> Iterator[Talk]:
    """A domain's conversations; with a size, so many of the whole suite's, evenly taken from all kinds."""
    trade = domain(name)
    if size is None:
        yield from benign(trade, seed, BENIGN)
        yield from privacy(trade, seed, PRIVACY_ROUNDS)
        yield from security(trade, seed, SECURITY_ROUNDS)
        return
    each = max(3, size // len(NAMES) // 3)
    for kind in (benign(trade, seed, each), privacy(trade, seed, 1), security(trade, seed, 1)):
        known = list(kind)
        yield from known[:: max(1, len(known) // each)]


@cache
def _learned(name: str, seed: int, *, small: bool) -> Learned:
    count, rounds = (_SMALL_TAUGHT, 1) if small else (_TAUGHT, _TAUGHT_ROUNDS)
    lines = (json.dumps(each) for each in demonstrations(domain(name), seed + _OTHER_SEED, count, rounds))
    return learn(parse_demonstrations(lines, name), name)


def _spread(orders: list[Order], processes: int) -> Iterator[tuple[Order, Counts, dict[str, Any]]]:
    # Spawned, not forked: the command's process may have threads.
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            futures = {pool.submit(run_order, order): order for order in orders}
            for future in as_completed(futures):
                yield futures[future], *future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
