"""How the cost of a decision grows with the length of a trace and with the number of people.

Ours keeps what later decisions need, so it should not grow; a judge that keeps the log and reads it again shows what
happens otherwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.naive import judge_from_trace
from lawful.infra.bench.pipeline import target
from lawful.infra.bench.timing import Cost, measure
from lawful.infra.bench.workload import BEGIN, SECOND, TOPIC, Given, agreement, event, policies
from lawful.policies.judge import At, judge
from lawful.schemas.history import EMPTY, Entry, History
from lawful.schemas.view import View

Progress = Callable[[str, float], None]
Asked = tuple[View, At, int]
NAIVE_MOST: Final = 1_000
_GROWTH: Final = 1.2


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        lengths: of the trace, growing.
        subjects: how many people, growing.
        probes: events that are timed at each size.
        rounds: how often.
    """

    lengths: tuple[int, ...] = (100, 1_000, 10_000, 100_000)
    subjects: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    probes: int = 1_000
    rounds: int = 5


def bench_trace(size: Size, progress: Progress) -> dict[str, Any]:
    """Measures both.

    Args:
        size: how much.
        progress: told what is done, and how much of two.
    """
    progress("length of the trace", 0)
    lengths, naive = by_length(size)
    progress("number of people", 1)
    people = by_subjects(size)
    return {
        "machine": machine(),
        "versions": versions(),
        "rounds": size.rounds,
        "trace_length_us": _told(lengths),
        "trace_length_naive_us": _told(naive),
        "subjects_us": _told(people),
        "targets": [
            target("longest to shortest trace", _ratio(lengths), at_most=_GROWTH),
            target("most to fewest people", _ratio(people), at_most=_GROWTH),
        ],
    }


def by_length(size: Size) -> tuple[dict[int, Cost], dict[int, Cost]]:
    """The same events after traces of these lengths: ours, and the naive judge where that ends."""
    policy, dice = policies()[0], Random(2)  # noqa: S311 - reproducible, and no secret
    history, before = EMPTY, tuple[Given, ...]()
    found: dict[int, tuple[History, tuple[Given, ...]]] = {}
    for offset in range(max(size.lengths)):
        at = At(TOPIC, 0, offset, BEGIN + offset * SECOND)
        view = event(policy, dice, "person", at) if offset else agreement(policy, "person", at)
        if offset < NAIVE_MOST:
            before = (*before, Given(view, at, history, policy))
        history = judge(view, at, history, policy).history
        if offset + 1 in size.lengths:
            found[offset + 1] = history, before
    end = max(size.lengths)
    probes = [_probe(dice, end + number) for number in range(size.probes)]
    ours = measure({str(length): _judging(found[length][0]) for length in found}, probes, size.rounds)
    short = [length for length in found if length <= NAIVE_MOST]
    naive = measure({str(length): _reading(*found[length]) for length in short}, probes[:20], min(3, size.rounds))
    return _numbered(ours), _numbered(naive)


def by_subjects(size: Size) -> dict[int, Cost]:
    """The same events among so many people, the look-up of the history included."""
    policy, dice = policies()[0], Random(3)  # noqa: S311 - as above
    at = At(TOPIC, 0, 0, BEGIN)
    fact = agreement(policy, "person", at).fact
    assert fact is not None  # noqa: S101 - an agreement has one
    names = [f"{number:032x}" for number in range(max(size.subjects))]
    everybody = {name: History((Entry(number, BEGIN, fact),), number) for number, name in enumerate(names)}
    probes = [(*_probe(dice, number)[:2], dice.getrandbits(62)) for number in range(size.probes)]

    def among(count: int) -> Callable[[Asked], object]:
        known = {name: everybody[name] for name in names[:count]}
        return lambda asked: judge(asked[0], asked[1], known[names[asked[2] % count]], policy)

    return _numbered(measure({str(count): among(count) for count in size.subjects}, probes, size.rounds))


def _probe(dice: Random, offset: int) -> Asked:
    at = At(TOPIC, 0, offset, BEGIN + offset * SECOND)
    return event(policies()[0], dice, "person", at), at, 0


def _judging(history: History) -> Callable[[Asked], object]:
    return lambda asked: judge(asked[0], asked[1], history, policies()[0])


def _reading(history: History, before: tuple[Given, ...]) -> Callable[[Asked], object]:
    return lambda asked: judge_from_trace(Given(asked[0], asked[1], history, policies()[0], before))


def _numbered(costs: dict[str, Cost]) -> dict[int, Cost]:
    return {int(name): cost for name, cost in costs.items()}


def _told(costs: dict[int, Cost]) -> dict[str, Any]:
    return {str(number): asdict(cost) for number, cost in costs.items()}


def _ratio(costs: dict[int, Cost]) -> float:
    ordered: Sequence[Cost] = [costs[number] for number in sorted(costs)]
    return ordered[-1].median / max(ordered[0].median, 0.001)
