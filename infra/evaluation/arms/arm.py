"""The arms of the evaluation: their names, and how each is put together for a pack."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Protocol

from lawful.extractors.port import Extractor
from lawful.infra.evaluation.arms.noise import Noise
from lawful.infra.evaluation.arms.ours import Ours, patient
from lawful.infra.evaluation.arms.stateless import Coin, Everything, Patterns
from lawful.infra.evaluation.arms.truthful import Truthful
from lawful.infra.evaluation.trial import Trial, TrialStep
from lawful.policies.load import load_pack
from lawful.policies.model import Policy
from lawful.schemas.event import Payload
from lawful.schemas.verdict import Decision, Predicate

NOISE: Final = (0, 5, 10, 15, 20)
ABLATED: Final[Mapping[str, Predicate]] = {
    "P1": Predicate.CONSENT,
    "P2": Predicate.PURPOSE,
    "P3": Predicate.MINIMISATION,
    "P4": Predicate.ERASURE,
}
RULES: Final = "rules"


class Monitor(Protocol):
    """Stands between an agent and the world for one trial."""

    def pass_on(self, step: TrialStep) -> Payload | None:
        """What is delivered of a step; `None`: nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What arms need and is costly to make: once a process.

    Attributes:
        real: our extractor.
        presidio: places that stock Presidio finds in a text.
    """

    real: Extractor | None = None
    presidio: Callable[[str], list[tuple[int, int]]] | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What a monitor is made for: one trial under its pack's policy."""

    trial: Trial
    policy: Policy
    tools: Tools
    seed: int


Make = Callable[[Setting], Monitor]


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm.

    Attributes:
        title: in a table.
        group: `baseline`, `ours`, `noise`, `fail-safe` or `ablation`.
        make: a fresh monitor for a trial.
    """

    name: str
    title: str
    group: str
    make: Make


@cache
def enforced(pack: str) -> Policy:
    """A pack's policy with every predicate enforced: one that only warns of excess data cannot be attacked by it."""
    policy = patient(load_pack(pack))
    if policy.actions[Predicate.MINIMISATION] >= Decision.REDACT:
        return policy
    return replace(policy, actions={**policy.actions, Predicate.MINIMISATION: Decision.REDACT})


def without(policy: Policy, predicate: Predicate) -> Policy:
    """The policy with one predicate's violations only noted."""
    tools = Decision.WARN if predicate is Predicate.PURPOSE else policy.undeclared_tool
    return replace(policy, actions={**policy.actions, predicate: Decision.WARN}, undeclared_tool=tools)


@cache
def _without(pack: str, predicate: Predicate | None) -> Policy:
    """Without a predicate; or, for none, without the policy's own rules. Kept, since a policy remembers its plans."""
    policy = enforced(pack)
    return replace(policy, rules=None) if predicate is None else without(policy, predicate)


def _perfect(given: Setting) -> Monitor:
    return Ours(given.policy, Truthful(given.trial))


def _real(given: Setting) -> Monitor:
    assert given.tools.real is not None  # noqa: S101 - whoever runs this arm brings the extractor
    return Ours(given.policy, given.tools.real)


def _noisy(percent: int, *, fail_safe: bool = False) -> Make:
    def make(given: Setting) -> Monitor:
        noise = Noise(Truthful(given.trial), given.trial.pack, percent / 100, given.seed, fail_safe=fail_safe)
        return Ours(given.policy, noise)

    return make


def _ablated(predicate: Predicate) -> Make:
    return lambda given: Ours(_without(given.trial.pack, predicate), Truthful(given.trial))


def _without_rules(given: Setting) -> Monitor:
    return Ours(_without(given.trial.pack, None), Truthful(given.trial))


def _presidio(given: Setting) -> Monitor:
    assert given.tools.presidio is not None  # noqa: S101 - as above
    return Patterns(given.tools.presidio)


def arms() -> tuple[Arm, ...]:
    """All arms, in the order of the report."""
    made = [
        Arm("none", "no monitor", "baseline", lambda _: Everything()),
        Arm("random", "a coin for every event", "baseline", lambda given: Coin(given.trial.name, given.seed)),
        Arm("regex", "regular expressions, stateless", "baseline", lambda _: Patterns()),
        Arm("presidio", "Presidio's defaults, stateless", "baseline", _presidio),
        Arm("real", "ours, real extraction", "ours", _real),
        Arm("perfect", "ours, perfect extraction", "ours", _perfect),
    ]
    made += [Arm(f"noise-{each}", f"ours, {each} % extractor noise", "noise", _noisy(each)) for each in NOISE[1:]]
    made += [
        Arm(f"fail-safe-{each}", f"ours, {each} % noise, fail-safe", "fail-safe", _noisy(each, fail_safe=True))
        for each in NOISE[1:]
    ]
    made += [
        Arm(f"without-{name}", f"ours without {name}", "ablation", _ablated(each)) for name, each in ABLATED.items()
    ]
    made.append(Arm(f"without-{RULES}", "ours without temporal rules", "ablation", _without_rules))
    return tuple(made)
