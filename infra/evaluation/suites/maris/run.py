"""Plays the conversations without and with the monitor, and tells what came of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final

from lawful.extractors.port import Extractor
from lawful.infra.evaluation.arms.ours import PSEUDONYMISER, Ours, patient
from lawful.infra.evaluation.oracle.maris import Found, judge_talk
from lawful.infra.evaluation.suites import Grid
from lawful.infra.evaluation.suites.maris import hospital, supply_chain, travel
from lawful.infra.evaluation.suites.maris.scene import Write, scene
from lawful.infra.evaluation.suites.maris.talk import Mode, Talk
from lawful.infra.evaluation.trial import Act, TrialStep
from lawful.policies.load import load_policy
from lawful.policies.model import Policy
from lawful.schemas.event import ConsentGiven, Payload

DOMAINS: Final = {"hospital": hospital, "supply_chain": supply_chain, "travel": travel}
ARMS: Final = ("none", "ours")
SIZE: Final = 450
MODEL_CALL_MS: Final = 2_000
_TRUTH: Final = Act((), ())


@dataclass(slots=True)
class Tally:
    """Counts of one domain, mode and arm.

    Attributes:
        by_kind: how many conversations of each kind were violated.
        failed: kinds of conversations whose task was not done.
    """

    talks: int = 0
    violated: int = 0
    done: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)

    def add(self, talk: Talk, found: Found) -> None:
        """One more conversation."""
        self.talks += 1
        self.violated += bool(found.violated)
        self.done += not found.missing
        if found.violated:
            self.by_kind[talk.kind] = self.by_kind.get(talk.kind, 0) + 1
        if found.missing:
            self.failed[talk.kind] = self.failed.get(talk.kind, 0) + 1

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.talks + other.talks, self.violated + other.violated, self.done + other.done)


@dataclass(frozen=True, slots=True)
class Table:
    """What came of the suite.

    Attributes:
        tallies: by domain, mode and arm.
        spent: milliseconds that the monitor took for each action, in order.
    """

    seed: int
    tallies: dict[tuple[str, Mode, str], Tally]
    spent: tuple[float, ...]

    @property
    def met(self) -> bool:
        """No violation with the monitor, and every task done."""
        with_it = [tally for (_, _, arm), tally in self.tallies.items() if arm == "ours"]
        return all(not tally.violated and tally.done == tally.talks for tally in with_it)

    def as_json(self) -> dict[str, Any]:
        """See `SuiteTable`."""
        rows = [
            {"domain": domain, "mode": mode.value, "arm": arm, **_figures(tally)}
            for (domain, mode, arm), tally in self.tallies.items()
        ]
        return {"suite": "maris", "seed": self.seed, "rows": rows, "overhead": self._overhead(), "met": self.met}

    def grids(self) -> Sequence[Grid]:
        """See `SuiteTable`."""
        columns = ("domain", "mode", "talks", "violated without", "violated with", "task done without", "with")
        overhead = self._overhead()
        return (
            Grid("conversations between agents, per cent", columns, tuple(self._rows())),
            Grid("what the monitor costs per action", tuple(overhead), (tuple(overhead.values()),)),
        )

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for domain in (*DOMAINS, "all"):
            for mode in Mode:
                none, ours = (self._sum(domain, mode, arm) for arm in ARMS)
                if none.talks:
                    shares = (none.violated, ours.violated, none.done, ours.done)
                    yield (domain, mode.value, none.talks, *(f"{100 * each / none.talks:.1f}" for each in shares))

    def _sum(self, domain: str, mode: Mode, arm: str) -> Tally:
        named = DOMAINS if domain == "all" else (domain,)
        return sum((self.tallies.get((name, mode, arm), Tally()) for name in named), Tally())

    def _overhead(self) -> dict[str, Any]:
        mean = sum(self.spent) / max(len(self.spent), 1)
        return {
            "actions": len(self.spent),
            "mean_ms": round(mean, 3),
            "median_ms": round(median(self.spent), 3),
            "p95_ms": round(quantiles(self.spent, n=20)[-1], 3),
            "share_of_model_call": f"{mean / MODEL_CALL_MS:.2%}",
        }


def _figures(tally: Tally) -> dict[str, Any]:
    return {
        "talks": tally.talks,
        "violated": tally.violated,
        "violation_rate": tally.violated / tally.talks,
        "task_success": tally.done / tally.talks,
        "violated_by_kind": tally.by_kind,
        "failed_by_kind": tally.failed,
    }


def talks(seed: int, size: int) -> Iterator[Talk]:
    """The conversations: every kind in turn, as often as the size allows."""
    kinds = [
        (domain, mode, write) for domain, module in DOMAINS.items() for mode in Mode for write in module.KINDS[mode]
    ]
    for number, (domain, mode, write) in enumerate(islice(cycle(kinds), size)):
        yield _talk(f"{domain}-{number:04}", domain, mode, write, Random(f"{seed}/{number}"))  # noqa: S311 - no secret


def _talk(name: str, domain: str, mode: Mode, write: Write, dice: Random) -> Talk:
    made = scene(name, policy_of(domain).id, DOMAINS[domain].SCHEME, dice)
    write(made)
    return Talk(name, domain, mode, write.__name__, tuple(made.steps))


@cache
def policy_of(domain: str) -> Policy:
    """The domain's policy."""
    return patient(load_policy(Path(__file__).parent / "policies" / f"{domain}.yaml"))


def run(*, seed: int, size: int | None, advance: Callable[[int], None]) -> Table:
    """Runs the suite: see `lawful.infra.evaluation.suites.Runner`."""
    from lawful.extractors import build_extractor  # noqa: PLC0415 - loads a language model

    return play(talks(seed, size or SIZE), build_extractor(PSEUDONYMISER), seed, advance)


def play(
    conversations: Iterator[Talk], extractor: Extractor, seed: int, advance: Callable[[int], None] = lambda _: None
) -> Table:
    """Every conversation without the monitor and with it."""
    tallies: dict[tuple[str, Mode, str], Tally] = {}
    spent: list[float] = []
    for talk in conversations:
        everything = {number: step.event.payload for number, step in enumerate(talk.steps)}
        for arm, delivered in (("none", everything), ("ours", _delivered(talk, extractor, spent))):
            tallies.setdefault((talk.domain, talk.mode, arm), Tally()).add(talk, judge_talk(talk, delivered))
        advance(1)
    return Table(seed, tallies, tuple(spent))


def _delivered(talk: Talk, extractor: Extractor, spent: list[float]) -> dict[int, Payload]:
    """What our monitor lets through, and in which form; the time of each action goes to `spent`."""
    monitor = Ours(policy_of(talk.domain), extractor)
    arrived: dict[int, Payload] = {}
    for number, step in enumerate(talk.steps):
        began = perf_counter()
        payload = monitor.pass_on(TrialStep(step.event, step.at, _TRUTH))
        if not isinstance(step.event.payload, ConsentGiven):
            spent.append((perf_counter() - began) * 1_000)
        if payload is not None:
            arrived[number] = payload
    return arrived
