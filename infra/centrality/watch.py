"""Watches who talks to whom beside a worker, and says which agents are critical.

A round is so many messages of a tenant. Who is critical in a round is computed from what was said before
it, never from the round itself, so that no message can change its own tier. It is computed on a thread, and
holds when it is done. An agent that the last round did not know is looked at closely: whoever takes a new
name with every message gains nothing.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lawful.infra.centrality.measure import Measure, critical
from lawful.infra.centrality.talk import Talk
from lawful.streams.observing import Done
from lawful.streams.tiers import agents_of

log = logging.getLogger(__name__)

MOST_TENANTS: Final = 1_000
Run = Callable[[Callable[[], None]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """How far is looked back, and how often.

    Attributes:
        window: messages of a tenant that its graph is made of.
        every: messages of a tenant in a round.
    """

    window: int = 100_000
    every: int = 1_000


@dataclass(slots=True)
class _Tenant:
    talk: Talk
    light: frozenset[str] = frozenset()
    said: int = 0
    computing: bool = False
    rounds: int = 0


def beside(work: Callable[[], None]) -> None:
    """Runs it on a thread of its own."""
    threading.Thread(target=work, name="lawful-centrality", daemon=True).start()


class CriticalAgents:
    """An observer that also knows tiers (`lawful.streams.tiers.Tiers`).

    Args:
        measure: how agents are ranked.
        rounds: how often, on how much.
        run: runs what takes longer; a caller that wants it at once calls it.
    """

    def __init__(self, measure: Measure, rounds: Rounds, run: Run = beside) -> None:
        self.measure = measure
        self._rounds = rounds
        self._run = run
        self._tenants: dict[str, _Tenant] = {}

    def heavy(self, tenant_id: str, agents: tuple[str, ...]) -> bool:
        """Whether one of these agents is critical, or not known yet."""
        tenant = self._tenants.get(tenant_id)
        return tenant is None or any(agent not in tenant.light for agent in agents)

    def done(self, done: Done) -> None:
        """See `Observer`: learns from what was annotated."""
        if done.stage != "annotate" or done.letter:
            return
        for note in done.notes:
            view = note.view
            if view.agent_id:
                self.said(view.tenant_id, view.event_id, agents_of(view), view.causation_id)

    def stands(self, standings: object) -> None:
        """See `Observer`: of no interest."""

    def said(self, tenant_id: str, event_id: str, agents: tuple[str, ...], causation_id: str | None = None) -> None:
        """Takes a message in; ends the round if it is the last one of it."""
        tenant = self._of(tenant_id)
        tenant.talk.say(event_id, agents, causation_id)
        tenant.said += 1
        if tenant.said >= self._rounds.every and not tenant.computing:
            tenant.said, tenant.computing = 0, True
            names, edges = tenant.talk.graph()
            self._run(lambda: self._end_round(tenant, names, edges))

    def _of(self, tenant_id: str) -> _Tenant:
        tenant = self._tenants.get(tenant_id)
        if tenant is None:
            if len(self._tenants) >= MOST_TENANTS:  # the one that came first; all of its events are heavy again
                del self._tenants[next(iter(self._tenants))]
            tenant = self._tenants[tenant_id] = _Tenant(Talk(self._rounds.window))
        return tenant

    def _end_round(self, tenant: _Tenant, names: list[str], edges: list[tuple[int, int]]) -> None:
        try:
            tenant.light = frozenset(names) - critical(names, edges, self.measure)
            tenant.rounds += 1
        except Exception as error:  # noqa: BLE001 - then all of its events stay, or become, heavy
            tenant.light = frozenset()
            log.error("who is critical could not be computed: %s", type(error).__name__)  # noqa: TRY400
        finally:
            tenant.computing = False
