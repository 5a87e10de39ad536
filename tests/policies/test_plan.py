"""Remembered plans change nothing and stay few."""

import pytest

from lawful.policies import plan
from lawful.policies.plan import make_plan, plan_of
from tests.policies.samples import policy, view


def test_an_everyday_plan_is_worked_out_once() -> None:
    """The second event of a kind gets the same object."""
    rules = policy()
    first = plan_of(view("user.name", purposes=["service"]), rules)
    assert plan_of(view("user.name", purposes=["service"]), rules) is first
    assert first == make_plan(view("user.name", purposes=["service"]), rules)


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(view(purposes=["made.up"]), id="an undeclared purpose"),
        pytest.param(view(tool="made_up"), id="an undeclared tool"),
        pytest.param(view(purposes=["service." + "x" * 1000]), id="an endless purpose"),
        pytest.param(view(*["user.name"] * 1000, purposes=["service"]), id="a thousand findings"),
    ],
)
def test_what_anyone_can_make_up_is_not_remembered(noise: object) -> None:
    """An agent cannot fill the worker's memory by claiming ever new things."""
    rules = policy()
    plan_of(noise, rules)  # type: ignore[arg-type]
    assert not rules.plans


def test_the_memory_starts_afresh_when_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even sensible combinations are kept only up to a number."""
    monkeypatch.setattr(plan, "MOST_PLANS", 3)
    rules = policy()
    for number in range(10):
        plan_of(view(purposes=[f"service.n{number}"]), rules)
    assert len(rules.plans) <= 3
