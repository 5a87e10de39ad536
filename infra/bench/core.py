"""The cost of a decision: our judges, the auditors' and a naive one, on the same events in one run."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.naive import judge_from_trace
from lawful.infra.bench.timing import Cost, measure
from lawful.infra.bench.workload import BEGIN, SECOND, TOPIC, Given, agreement, event, everyday, policies
from lawful.policies.crosscheck.panel import opinion, witnesses
from lawful.policies.judge import At, judge
from lawful.policies.mfotl.judge import MfotlJudge
from lawful.policies.model import Policy
from lawful.policies.rego.judge import RegoJudge
from lawful.schemas.errors import MustStop
from lawful.schemas.history import EMPTY, Entry, History
from lawful.schemas.view import View

Progress = Callable[[str], None]
Task = Callable[[Given], object]

EARLY: Final = 1_000
LATE: Final = 100_000
FEW: Final = 1_000
SAMPLE: Final = 2_000


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    people: int = 8
    events_each: int = 250
    rounds: int = 7
    trace: int = LATE
    subjects: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Target:
    """A figure that was promised."""

    name: str
    at_least: float | None
    at_most: float | None
    measured: float
    bound_by: str

    @property
    def met(self) -> bool:
        """Whether it was kept."""
        enough = self.at_least is None or self.measured >= self.at_least
        return enough and (self.at_most is None or self.measured <= self.at_most)


def bench_core(size: Size, progress: Progress) -> dict[str, Any]:
    """Measure everything, and hold it against the targets.

    Raises:
        MustStop: the judges disagree on the measured events, so that the figures would mean nothing.
    """
    progress("judges")
    costs = _judges(size)
    progress("length of the trace")
    by_length = _length(size)
    progress("number of subjects")
    by_subjects = _subjects(size)
    ratios = {
        f"{name}_to_python": round(costs[name].median / max(costs["python"].median, 0.001), 2)
        for name in ("mfotl", "rego", "naive")
    }
    targets = _targets(costs, ratios, by_length, by_subjects)
    return {
        "machine": machine(),
        "versions": versions(),
        "events": costs["python"].calls,
        "rounds": size.rounds,
        "us_per_event": {name: asdict(cost) for name, cost in costs.items()},
        "ratios": ratios,
        "trace_length": by_length,
        "subjects": by_subjects,
        "targets": [
            {**asdict(each), "met": each.met, "bound_by": "" if each.met else each.bound_by} for each in targets
        ],
    }


def _shown(target: Target) -> dict[str, Any]:
    return {**asdict(target), "met": target.met, "bound_by": "" if target.met else target.bound_by}


def _judges(size: Size) -> dict[str, Cost]:
    events = everyday(size.people, size.events_each)
    rego = RegoJudge()
    formal = {each.view.key: MfotlJudge() for each in events}
    _must_agree(events, rego)
    tasks: dict[str, Task] = {
        "python": lambda given: judge(given.view, given.at, given.history, given.policy),
        "mfotl": lambda given: formal[given.view.key].judge(given.view, given.at, given.history, given.policy),
        "rego": lambda given: rego.judge(given.view, given.at, given.history, given.policy),
        "naive": judge_from_trace,
    }
    return measure(tasks, events, size.rounds)


def _must_agree(events: list[Given], rego: RegoJudge) -> None:
    formal: dict[str, MfotlJudge] = {}
    for given in events:
        verdict = judge(given.view, given.at, given.history, given.policy).verdict
        again = judge_from_trace(given).verdict
        asked = (given.view, given.at, given.history, given.policy)
        found = formal.setdefault(given.view.key, MfotlJudge()).judge(*asked)
        if again != verdict or rego.judge(*asked) != opinion(verdict) or found != witnesses(verdict):
            raise MustStop(f"the judges disagree on {given.view.event_id}; run `lawful crosscheck --packs`")


def _length(size: Size) -> dict[str, Any]:
    """The same kind of event, early and late in one person's trace."""
    policy, dice = policies()[0], Random(2)  # noqa: S311 - reproducible, and no secret
    history, formal = EMPTY, {EARLY: MfotlJudge(), size.trace: MfotlJudge()}
    histories: dict[int, History] = {}
    for offset in range(size.trace):
        at = At(TOPIC, 0, offset, BEGIN + offset * SECOND)
        view = event(policy, dice, "person", at) if offset else agreement(policy, "person", at)
        for length, judge_ in formal.items():
            if offset < length:
                judge_.judge(view, at, history, policy)
        history = judge(view, at, history, policy).history
        if offset + 1 in formal:
            histories[offset + 1] = history
    probes = [_probe(policy, dice, size.trace + number) for number in range(SAMPLE)]
    tasks: dict[str, Callable[[tuple[View, At]], object]] = {}
    for length, judge_ in formal.items():
        tasks[f"python {length}"] = _python(histories[length], policy)
        tasks[f"mfotl {length}"] = _formal(judge_, histories[length], policy)
    costs = measure(tasks, probes, size.rounds)
    return {
        judge_name: {
            "early": {"event": EARLY, "median_us": costs[f"{judge_name} {EARLY}"].median},
            "late": {"event": size.trace, "median_us": costs[f"{judge_name} {size.trace}"].median},
            "ratio": _ratio(costs[f"{judge_name} {size.trace}"], costs[f"{judge_name} {EARLY}"]),
        }
        for judge_name in ("python", "mfotl")
    }


def _probe(policy: Policy, dice: Random, offset: int) -> tuple[View, At]:
    at = At(TOPIC, 0, offset, BEGIN + offset * SECOND)
    return event(policy, dice, "person", at), at


def _python(history: History, policy: Policy) -> Callable[[tuple[View, At]], object]:
    return lambda probe: judge(probe[0], probe[1], history, policy)


def _formal(judge_: MfotlJudge, history: History, policy: Policy) -> Callable[[tuple[View, At]], object]:
    return lambda probe: judge_.judge(probe[0], probe[1], history, policy)


def _subjects(size: Size) -> dict[str, Any]:
    """The same events among few and among many people, the look-up of the history included."""
    policy, dice = policies()[0], Random(3)  # noqa: S311 - as above
    names = [f"{number:032x}" for number in range(size.subjects)]
    at = At(TOPIC, 0, 0, BEGIN)
    fact = agreement(policy, "person", at).fact
    assert fact is not None  # noqa: S101 - an agreement has one
    many = {name: History((Entry(number, BEGIN, fact),), number) for number, name in enumerate(names)}
    few = {name: many[name] for name in names[:FEW]}
    asked = [dice.choice(names) for _ in range(SAMPLE)], [dice.choice(names[:FEW]) for _ in range(SAMPLE)]
    probes = [
        (_probe(policy, dice, size.subjects + number), *pair) for number, pair in enumerate(zip(*asked, strict=True))
    ]
    costs = measure(
        {
            "many": lambda probe: judge(probe[0][0], probe[0][1], many[probe[1]], policy),
            "few": lambda probe: judge(probe[0][0], probe[0][1], few[probe[2]], policy),
        },
        probes,
        size.rounds,
    )
    return {
        "few": {"subjects": FEW, "median_us": costs["few"].median},
        "many": {"subjects": size.subjects, "median_us": costs["many"].median},
        "ratio": _ratio(costs["many"], costs["few"]),
    }


def _ratio(one: Cost, other: Cost) -> float:
    return round(one.median / max(other.median, 0.001), 3)


def _targets(
    costs: dict[str, Cost], ratios: dict[str, float], by_length: dict[str, Any], by_subjects: dict[str, Any]
) -> list[Target]:
    busy = "a busy machine: see `load`, and compare the ratios"
    calls = "the number of Python calls that a formula's stages take for one event"
    memory = "cache misses: each history is a handful of objects that lie anywhere in memory"
    return [
        Target("python_median_us", None, 1.8, costs["python"].median, busy),
        Target("rego_to_python", 15, None, ratios["rego_to_python"], "the time the Python judge takes"),
        Target("mfotl_median_us", None, 40, costs["mfotl"].median, f"{busy}; else {calls}"),
        Target("python_late_to_early", None, 1.2, by_length["python"]["ratio"], busy),
        Target("mfotl_late_to_early", None, 1.2, by_length["mfotl"]["ratio"], busy),
        Target("many_to_few_subjects", None, 1.2, by_subjects["ratio"], memory),
    ]
