"""A worker has auditors if its settings name some, and commits to their key before it uses it."""

import pytest

from lawful.infra.auditors import installing
from lawful.infra.auditors.installing import installed
from lawful.infra.auditors.telling import told
from lawful.infra.centrality.watch import CriticalAgents
from lawful.infra.settings import Settings
from lawful.infra.settings_auditors import AuditorSettings, Tier
from lawful.policies.auditing import commitment
from lawful.schemas.errors import ConfigurationError
from lawful.streams.observing import Observers
from lawful.streams.tiers import EveryEvent
from tests.streams.kit import KERNEL

KEY = b"k" * 32


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Commitments and terms that were published."""
    found: list[tuple[str, str]] = []
    monkeypatch.setattr(installing, "publish", lambda *given: found.append((given[2], given[3])))
    return found


def test_by_default_there_are_none(published: list[tuple[str, str]]) -> None:
    """The parts are those that were given."""
    observers = Observers()
    parts = installed(Settings(), KERNEL, observers)
    assert (parts.kernel, parts.observers, parts.panel) == (KERNEL, observers, None)
    assert published == []


def test_the_key_is_committed_to_and_critical_agents_are_watched(published: list[tuple[str, str]]) -> None:
    """The commitment binds key, number and pool; a reader among the auditors has events read twice."""
    own = AuditorSettings(pool="python,rego,reader", sentries=2, key=KEY)
    parts = installed(Settings(auditors=own), KERNEL, Observers())
    assert published == [(commitment(KEY, "2 of python,reader,rego"), "2 of python,reader,rego")]
    scrutiny = parts.kernel.scrutiny
    assert scrutiny is not None
    assert isinstance(scrutiny.tiers, CriticalAgents)
    assert scrutiny.reader is KERNEL.extractor


def test_all_events_may_be_of_the_heavy_tier(published: list[tuple[str, str]]) -> None:
    """Without a reader nothing is read twice."""
    own = AuditorSettings(pool="python", sentries=1, key=KEY, tier=Tier.ALL)
    scrutiny = installed(Settings(auditors=own), KERNEL, Observers()).kernel.scrutiny
    assert scrutiny is not None
    assert isinstance(scrutiny.tiers, EveryEvent)
    assert scrutiny.reader is None
    assert len(published) == 1


def test_without_a_key_nothing_starts(published: list[tuple[str, str]]) -> None:
    """Sentries that anybody can foresee are none."""
    with pytest.raises(ConfigurationError, match="fewer than 32"):
        installed(Settings(auditors=AuditorSettings(pool="python,rego")), KERNEL, Observers())
    assert published == []


def test_what_collusion_could_do_is_told_up_to_a_majority() -> None:
    """Two of five have to be drawn together; three need not."""
    lines = list(told(5, 2))
    assert len(lines) == 4
    assert "10.000%" in lines[2]
    assert lines[3].startswith("with 3 of them malicious they are the majority")


def test_weights_say_what_makes_an_agent_critical(published: list[tuple[str, str]]) -> None:
    """They go into the measure; if nothing counts, nothing starts."""
    own = AuditorSettings(pool="python", sentries=1, key=KEY, degree_weight=0, closeness_weight=2)
    scrutiny = installed(Settings(auditors=own), KERNEL, Observers()).kernel.scrutiny
    assert scrutiny is not None
    assert isinstance(scrutiny.tiers, CriticalAgents)
    assert scrutiny.tiers.measure.weights == (0.0, 1.0, 2.0)
    blind = AuditorSettings(
        pool="python", sentries=1, key=KEY, degree_weight=0, betweenness_weight=0, closeness_weight=0
    )
    with pytest.raises(ConfigurationError, match="count for nothing"):
        installed(Settings(auditors=blind), KERNEL, Observers())
