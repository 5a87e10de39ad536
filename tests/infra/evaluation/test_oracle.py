"""The oracle sees what went wrong, whoever let it pass; and it shares no code with who should have stopped it."""

from collections.abc import Callable
from typing import Any

import pytest

from lawful.infra.evaluation.arms.arm import Setting, Tools, arms, enforced
from lawful.infra.evaluation.attacks.families import PACKS, Batch, trials
from lawful.infra.evaluation.oracle.judge import Breach, in_order, judge_trace
from lawful.infra.evaluation.oracle.law import read_law
from lawful.infra.evaluation.oracle.surviving import survives
from lawful.infra.evaluation.run import put_before
from lawful.infra.evaluation.tally import Outcome
from lawful.policies import judge as judging
from lawful.policies.load import POLICY_FILE, load_pack, pack_folder

PERFECT = next(arm for arm in arms() if arm.name == "perfect")


def law_of(pack: str) -> Any:
    """The law of a pack."""
    return read_law(pack_folder(pack) / POLICY_FILE)


def outcomes(family: str, pack: str, count: int = 7) -> list[Outcome]:
    """What comes of a family's attacks with our monitor and perfect extraction."""
    batch = Batch(seed=3, pack=pack, family=family, benign=False, first=0, count=count)
    policy, law = enforced(pack), law_of(pack)
    return [put_before(PERFECT, Setting(trial, policy, Tools(), 3), law) for trial in trials(batch)]


def says_nothing(*_: object) -> Any:
    """A predicate that never complains."""
    return iter(())


@pytest.mark.parametrize(
    ("predicate", "family", "breach"),
    [
        ("consent", "A1", Breach.CONSENT),
        ("purpose", "A2", Breach.PURPOSE),
        ("minimisation", "A3", Breach.MINIMISATION),
        ("erasure", "A4", Breach.ERASURE),
    ],
)
def test_a_monitor_that_forgets_a_predicate_is_caught(
    predicate: str, family: str, breach: Breach, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the predicate planted out of the monitor, the oracle names just that breach; with it, none."""
    assert not any(outcome.breaches for outcome in outcomes(family, "shopper"))
    monkeypatch.setattr(judging, predicate, says_nothing)
    found = {each for outcome in outcomes(family, "shopper") for each in outcome.breaches}
    assert breach in found


def test_a_monitor_that_forgets_the_rules_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outreach on a record that was read hours ago is a breach of the rule, and of nothing else."""
    assert not any(outcome.breaches for outcome in outcomes("A7", "medagent"))
    monkeypatch.setattr(judging, "judge_rules", lambda *given: given[4])
    assert {each for outcome in outcomes("A7", "medagent") for each in outcome.breaches} == {Breach.RULE}


def test_what_was_stopped_did_not_happen() -> None:
    """An empty trace breaks nothing, and a whole one of an attack always breaks something."""
    for pack in PACKS:
        for trial in trials(Batch(5, pack, "A6", benign=False, first=0, count=5)):
            everything = {number: step.event.payload for number, step in enumerate(trial.steps)}
            assert judge_trace(trial, everything, law_of(pack))
            assert not judge_trace(trial, {}, law_of(pack))
            assert in_order(trial)


@pytest.mark.parametrize("pack", PACKS)
def test_two_readings_of_a_policy_agree(pack: str) -> None:
    """The oracle's own reading of the YAML says what the compiled policy says."""
    law, policy = law_of(pack), load_pack(pack)
    assert set(law.purposes) == set(policy.purposes)
    for key, rule in policy.purposes.items():
        declared = law.of(key)
        assert declared is not None
        assert declared.by_consent == rule.by_consent
        assert frozenset(declared.necessary) == rule.necessary
        assert declared.survives == rule.survives_erasure


@pytest.mark.parametrize(
    ("form", "text", "there"),
    [
        ("4111 1111 1111 1111", "card 4111-1111-1111-1111", True),
        ("4111 1111 1111 1111", "card 4111 1111 1111 1***", False),
        ("Ada Weber", "[user.name] called", False),
        ("ada@example.com", "ADA@EXAMPLE.COM", True),
        ("---", "***", False),
        ("4111 1111 1111 1111", "card 4111 1111 1111 111*", True),
    ],
)
def test_a_piece_that_is_nearly_whole_is_still_there(form: str, text: str, there: object) -> None:
    """Dashes, case and a last digit do not hide anything from the oracle."""
    assert survives(form, text) is there


def test_consents_are_the_persons_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the monitor recorded, the oracle goes by what the person did."""
    blind: Callable[..., Any] = lambda *_: True  # noqa: E731 - a lax reading of consent
    monkeypatch.setattr(judging, "consent", says_nothing)
    monkeypatch.setattr(judging, "plainly_given", blind)
    found = outcomes("A5", "shopper", 6)
    assert Breach.CONSENT in {each for outcome in found for each in outcome.breaches}
