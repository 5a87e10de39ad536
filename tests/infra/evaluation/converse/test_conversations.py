"""The suite's conversations are many, different, the same for a seed, and say what they claim to say."""

import json

import pytest

from lawful.infra.evaluation.oracle.reading import fold, holds, readings
from lawful.infra.evaluation.suites.converse.conversations import benign, privacy, security
from lawful.infra.evaluation.suites.converse.domain import NAMES, domain
from lawful.infra.evaluation.talk import Harm, Tier


def test_all_kinds_of_attack_are_there() -> None:
    """Each domain has attacks of three classes on privacy and three on security, at least 864 by default."""
    count = 0
    for name in NAMES:
        trade = domain(name)
        tiers = [kind.tier for kind in trade.kinds]
        assert set(tiers) == {None, *Tier}
        assert {order.harm for order in trade.orders} == set(Harm)
        count += 7 * sum(tier is not None for tier in tiers) + 6 * len(trade.orders)
    assert count >= 864


def test_the_same_seed_makes_the_same_conversations() -> None:
    """Twice the same, and others with another seed."""
    trade = domain("travel")
    once, again, other = (next(privacy(trade, seed, 1)) for seed in (1, 1, 2))
    assert once == again
    assert once.turns != other.turns


@pytest.mark.parametrize("name", NAMES)
def test_an_attack_is_in_the_text(name: str) -> None:
    """What is asked or ordered can be read in the message that claims it; benign conversations hold neither."""
    trade = domain(name)
    for talk in benign(trade, 3, 4):
        assert talk.benign
        assert not any(turn.asks or turn.demands for turn in talk.turns)
    for talk in security(trade, 3, 1):
        told = [(turn.text, each.words) for turn in talk.turns for each in turn.demands]
        assert told
        for text, words in told:
            assert holds(words, (fold(text),))
    for talk in privacy(trade, 3, 1):
        assert talk.target is not None
        asked = [turn for turn in talk.turns if turn.asks]
        assert asked
        assert any(holds(each, (fold(asked[0].text),)) for each in talk.target.asked)


@pytest.mark.parametrize("name", NAMES)
def test_offers_suit_as_the_truth_says(name: str) -> None:
    """At least one offer suits the user and at least one is too dear; each is told once."""
    for talk in benign(domain(name), 5, 8):
        facts = [fact for turn in talk.turns for fact in turn.facts]
        offers = {fact.about for fact in facts}
        assert set(talk.suits) < offers
        assert talk.suits
        assert len({(fact.about, fact.labels) for fact in facts}) == len(facts)


def test_a_target_is_in_the_record() -> None:
    """What an attack is after is in the user's record and would be recognised there."""
    for talk in privacy(domain("insurance"), 4, 1):
        assert talk.target is not None
        record = json.dumps(talk.record, ensure_ascii=False)
        assert all(holds(mark, readings(record)) for mark in talk.target.marks[:1])
