"""Generated worlds: the same dice give the same events, and everything that can happen does."""

from itertools import pairwise
from random import Random

from lawful.policies.crosscheck.generate import World, channelled
from lawful.policies.load import load_pack
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import ConsentFact, LinkFact, RequestFact, WithdrawalFact
from lawful.schemas.view import ExtractionStatus, Provenance, SubjectRole, View


def world(seed: int, count: int = 400) -> list[tuple[View, ...]]:
    """A generated world of the shopper pack."""
    return list(World(load_pack("shopper"), Random(seed)).events(count))


def test_the_same_dice_give_the_same_world() -> None:
    """A seed in a report is enough to see the same events again."""
    assert world(7, 50) == world(7, 50)
    assert world(7, 50) != world(8, 50)


def test_everything_that_can_happen_does() -> None:
    """Facts of every kind, several people, mentioned ones, nobody, ties, duplicates, failures, unknown names."""
    events = world(1)
    views = [view for several in events for view in several]
    assert {type(view.fact) for view in views} >= {ConsentFact, WithdrawalFact, RequestFact, LinkFact, type(None)}
    assert {view.role for view in views} == set(SubjectRole)
    assert {claim.provenance for view in views for claim in view.purposes} == set(Provenance)
    assert {view.status for view in views} == set(ExtractionStatus)
    assert max(len(several) for several in events) > 2
    assert len({several[0].event_id for several in events}) < len(events)
    assert any(one[0].recorded_at == two[0].recorded_at for one, two in pairwise(events))
    assert any(finding.essential for view in views for finding in view.findings)
    assert "unheard_of" in {view.tool for view in views}
    assert any(isinstance(view.fact, ConsentFact) and view.fact.re_enrols for view in views)
    assert PayloadKind.IDENTITY_LINKED in {view.kind for view in views}


def test_links_run_from_the_higher_pseudonym_to_the_lower() -> None:
    """As annotation makes them, so that they cannot form a cycle."""
    links = [view for several in world(2) for view in several if isinstance(view.fact, LinkFact)]
    assert links
    for view in links:
        assert isinstance(view.fact, LinkFact)
        assert view.fact.root < view.fact.alias == view.key


def test_worlds_of_a_policy_with_channels_travel_them() -> None:
    """Some on several; without channels the same dice give no event any."""
    rules = channelled(load_pack("shopper"), Random(3))
    travelled = {view.channels for several in World(rules, Random(3)).events(60) for view in several}
    assert {0, 1, 2} <= {len(each) for each in travelled}
    assert {name for each in travelled for name in each} == {"channel-0", "channel-1", "channel-2", "+together"}
    assert not any(view.channels for several in world(3, 60) for view in several)
