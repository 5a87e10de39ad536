"""What the arms let through: everything, by chance, by pattern, by truth, by truth with errors."""

import pytest

from lawful.infra.evaluation.arms.arm import Arm, Setting, Tools, arms, enforced
from lawful.infra.evaluation.arms.stateless import Patterns, merged, usual
from lawful.infra.evaluation.attacks.families import FAMILIES, PACKS, Batch, batches, beyond, trials
from lawful.infra.evaluation.oracle.judge import Breach
from lawful.infra.evaluation.report.document import limits
from lawful.infra.evaluation.run import Order, Remembering, run, run_batch
from lawful.infra.evaluation.tally import Rate, Sums
from lawful.infra.evaluation.trial import Act
from lawful.schemas.verdict import Decision, Predicate

ATTACKED = ("none", "random", "regex", "perfect", "noise-20", "fail-safe-20", *(f"without-P{n}" for n in range(1, 5)))
VISITED = ("none", "random", "regex", "perfect", "noise-20", "fail-safe-20")


@pytest.fixture(scope="module")
def sums() -> Sums:
    """A small run of the arms that need no language model: three attacks, one benign session a place."""
    orders = [Order(batch, VISITED if batch.benign else ATTACKED) for batch in batches(11, 96, 32)]
    return Sums(run(orders, 1, lambda _: None))


def share(rate: Rate) -> float:
    """A rate of something."""
    assert rate.share is not None
    return rate.share


def test_without_a_monitor_every_attack_succeeds(sums: Sums) -> None:
    """The scripted agent always gives in, and benign sessions get all they need."""
    assert share(sums.attack_success("none")) == 1
    assert share(sums.false_positives("none")) == 0
    assert share(sums.task_success("none")) == 1


@pytest.mark.parametrize("pack", PACKS)
def test_with_perfect_extraction_none_succeeds(sums: Sums, pack: str) -> None:
    """In every pack and family; and no benign session is disturbed."""
    for family in FAMILIES:
        here = {"pack": pack, "family": family}
        assert sums.attack_success("perfect", **here).count == 0
        assert sums.attack_success("perfect", **here).of >= 3
        assert sums.false_positives("perfect", **here).count == 0


@pytest.mark.parametrize(("predicate", "own"), [("P1", "A1"), ("P2", "A2"), ("P3", "A3"), ("P4", "A4")])
def test_without_a_predicate_its_own_family_is_back(sums: Sums, predicate: str, own: str) -> None:
    """And none of the other three; in the mixed families, what is broken is that predicate."""
    arm = f"without-{predicate}"
    for family in ("A1", "A2", "A3", "A4"):
        rate = sums.attack_success(arm, family=family)
        assert (share(rate) > 0.8) if family == own else (rate.count == 0)
    broken = sums.attack_success(arm).count
    assert sums.sum(predicate, arm, benign=False) == broken


def test_errors_cost_and_the_fail_safe_trades_them(sums: Sums) -> None:
    """Noise lets attacks through and disturbs; the fail-safe lets fewer through and disturbs more."""
    noisy, safe = (
        (
            sums.attack_success(arm),
            sums.false_positives(arm),
        )
        for arm in ("noise-20", "fail-safe-20")
    )
    assert 0 < safe[0].count <= noisy[0].count
    assert 0 < noisy[1].count <= safe[1].count


def test_stateless_arms_do_badly_both_ways(sums: Sums) -> None:
    """Patterns and chance let attacks through and break what is allowed."""
    for arm in ("regex", "random"):
        assert share(sums.attack_success(arm)) > 0.4
        assert share(sums.false_positives(arm)) > 0.4


def test_a_run_can_be_repeated() -> None:
    """The same batch gives the same counts, chance and noise included."""
    order = Order(Batch(1, "shopper", "A3", benign=False, first=0, count=3), ("random", "noise-20"))
    assert run_batch(order).counts == run_batch(order).counts


def test_an_extractor_is_asked_once_for_an_event() -> None:
    """However often the arms ask."""
    asked = []

    class Counting:
        def extract(self, event: object, spec: object) -> object:
            asked.append(event)
            return object()

    (trial,) = trials(Batch(1, "shopper", "A1", benign=True, first=0, count=1))
    remembering = Remembering(Counting())  # type: ignore[arg-type] # it need not find anything
    event = trial.steps[0].event
    assert remembering.extract(event, None) is remembering.extract(event, None)  # type: ignore[arg-type] # as above
    assert asked == [event]


def test_a_policy_that_warns_is_enforced() -> None:
    """The airline's pack only counts excess data; it is measured as if it redacted."""
    assert enforced("airline").actions[Predicate.MINIMISATION] is Decision.REDACT
    assert enforced("shopper").actions[Predicate.CONSENT] is Decision.BLOCK


def test_the_usual_patterns_take_out_what_they_find() -> None:
    """Places that overlap become one; what is no ordinary event is left alone."""
    assert usual("mail ada@example.com or 536-90-4399") == [(5, 20), (24, 35)]
    assert merged([(5, 9), (0, 6), (12, 14)]) == [(0, 9), (12, 14)]
    (trial,) = trials(Batch(1, "shopper", "A5", benign=False, first=0, count=1))
    for step in trial.steps:
        passed = Patterns(lambda _: [(0, 3)]).pass_on(step)
        assert (passed != step.event.payload) is isinstance(step.truth, Act)


def test_real_and_presidio_arms_use_what_they_are_given() -> None:
    """The costly parts come from outside; a finder that sees all leaves nothing."""
    named: dict[str, Arm] = {arm.name: arm for arm in arms()}
    (trial,) = trials(Batch(1, "shopper", "A1", benign=True, first=0, count=1))
    given = Setting(trial, enforced("shopper"), Tools(presidio=lambda text: [(0, len(text))]), 1)
    delivered = named["presidio"].make(given).pass_on(trial.steps[0])
    assert getattr(delivered, "text", None) == "[redacted]"


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_intervals_are_wilson_s(count: int, of: int, low: float, high: float) -> None:
    """Known values of the score interval; of nothing, nothing is known."""
    assert Rate(count, of).interval == pytest.approx((low, high), abs=1e-4)


def test_breaches_are_counted_by_name(sums: Sums) -> None:
    """What the oracle names can be summed."""
    assert sums.sum(Breach.PURPOSE.value, "none", benign=False, family="A2") > 0


def test_what_the_monitor_does_not_stop_is_told() -> None:
    """With perfect extraction too: each of these succeeds, each has its reason, and none counts as a family's."""
    tally = run([Order(batch, ("none", "perfect")) for batch in beyond(2, 1)], 1, lambda _: None)
    told = limits(tally, ("none", "perfect"))
    assert [each["asr"]["none"]["rate"] for each in told] == [1.0] * len(told)
    assert all(each["asr"]["perfect"]["count"] for each in told)
    assert all(each["why"] for each in told)
    assert "beyond" not in FAMILIES
