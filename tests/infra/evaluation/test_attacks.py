"""Trials are reproducible, true to themselves, and as many as were asked for."""

import pytest

from lawful.infra.evaluation.attacks.families import FAMILIES, PACKS, Batch, batches, trials
from lawful.infra.evaluation.attacks.trades import trades
from lawful.infra.evaluation.oracle.surviving import said
from lawful.infra.evaluation.trial import Act
from lawful.policies.load import load_pack


def test_the_same_seed_makes_the_same_trials() -> None:
    """Word for word, id for id; another seed makes others."""
    batch = Batch(1, "shopper", "A8", benign=False, first=0, count=7)
    assert list(trials(batch)) == list(trials(batch))
    other = Batch(2, "shopper", "A8", benign=False, first=0, count=7)
    assert list(trials(batch)) != list(trials(other))


def test_at_least_as_many_as_asked_for() -> None:
    """Every pack and family gets the same number, attacks and benign sessions alike."""
    made = list(batches(7, 1_000, 1_000))
    for benign in (False, True):
        counts = {
            (pack, family): sum(
                batch.count for batch in made if (batch.pack, batch.family, batch.benign) == (pack, family, benign)
            )
            for pack in PACKS
            for family in FAMILIES
        }
        assert sum(counts.values()) >= 1_000
        assert len(set(counts.values())) == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_the_truth_is_in_the_payload(family: str) -> None:
    """Every piece that a step is said to hold is there, letter by letter."""
    for pack in PACKS:
        for trial in trials(Batch(4, pack, family, benign=False, first=0, count=7)):
            for step in trial.steps:
                if isinstance(step.truth, Act):
                    text = said(step.event.payload).replace("\\", "")
                    assert all(held.form.replace("\\", "") in text for held in step.truth.held)


def test_events_have_ids_of_their_own() -> None:
    """No id is used twice, but where that is the attack."""
    for trial in trials(Batch(6, "airline", "A7", benign=False, first=0, count=12)):
        ids = [step.event.event_id for step in trial.steps]
        assert (len(ids) == len(set(ids))) is (trial.kind != "id reused")


@pytest.mark.parametrize("pack", PACKS)
def test_the_trades_know_their_policies(pack: str) -> None:
    """Deeds use tools of the pack for the purposes that it binds to them, and secrets are needed by none of those."""
    policy, trade = load_pack(pack), trades()[pack]
    for name, deed in trade.tools.items():
        assert set(deed.purposes) <= set(policy.purposes_of_tool(name)) | {deed.consent}
    assert set(trade.service) == set(policy.message_purposes)
    for stray in trade.strays:
        assert policy.rule(stray) is None
    for secret in trade.secrets:
        rules = [policy.rule(purpose) for purpose in trade.service]
        assert not any(rule and rule.needs(secret.category) for rule in rules)


def test_framings_change_the_words_only() -> None:
    """Whatever talked the agent into it, the number of steps of a kind is the same."""
    lengths: dict[str, set[int]] = {}
    for trial in trials(Batch(8, "finassist", "A1", benign=False, first=0, count=40)):
        lengths.setdefault(trial.kind, set()).add(len(trial.steps))
    # One consent, one withdrawal more or less is what tells the kinds apart.
    assert all(len(found) == 1 for found in lengths.values())
