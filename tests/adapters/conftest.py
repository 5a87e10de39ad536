"""One small world for every adapter: what passes, what is redacted, what is blocked, warned of, never answered."""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from lawful.client import AsyncGuard, Guard
from lawful.policies.model import Policy
from lawful.schemas.audit import AuditRecord, GuardReport
from lawful.schemas.event import AgentEvent
from lawful.schemas.verdict import Decision, Predicate, Verdict
from lawful.streams.inprocess import InProcessTransport
from tests.streams.kit import PEOPLE, POLICY, TENANT, PlainExtractor

LENIENT = replace(
    POLICY, id="lenient", actions=MappingProxyType({**POLICY.actions, Predicate.MINIMISATION: Decision.WARN})
)


class Both:
    """The strict policy and the lenient one."""

    def get(self, policy_id: str | None, /) -> Policy | None:
        """By id."""
        return {POLICY.id: POLICY, LENIENT.id: LENIENT}.get(policy_id or POLICY.id)


class Silent:
    """A transport that answers nothing."""

    def submit(self, event: AgentEvent) -> "Future[Verdict]":
        """Never done."""
        return Future()

    def report(self, report: GuardReport) -> None:
        """Nobody reads it."""

    def close(self) -> None:
        """Nothing to close."""


@dataclass
class Office:
    """Guards of one world, and what was audited."""

    transport: InProcessTransport
    rows: list[AuditRecord | GuardReport] = field(default_factory=list)

    def guard(self, policy: str = "shop") -> Guard:
        """For threads."""
        return Guard(self.transport, agent="bot", tenant=TENANT, policy=policy, deadline_ms=30_000)

    def async_guard(self, policy: str = "shop") -> AsyncGuard:
        """For coroutines."""
        return AsyncGuard(self.transport, agent="bot", tenant=TENANT, policy=policy, deadline_ms=30_000)

    def judged(self) -> list[str]:
        """Kinds of the events that were judged."""
        return [row.view.kind for row in self.rows if isinstance(row, AuditRecord)]


@pytest.fixture
def office() -> Iterator[Office]:
    """A world of its own."""
    rows: list[AuditRecord | GuardReport] = []
    transport = InProcessTransport(Both(), PlainExtractor(), PEOPLE, audit=rows.append)
    yield Office(transport, rows)
    transport.close()


@pytest.fixture
def silent() -> Guard:
    """A guard that gets no verdict."""
    return Guard(Silent(), agent="bot", tenant=TENANT, deadline_ms=20)


@pytest.fixture
def async_silent() -> AsyncGuard:
    """The same for coroutines."""
    return AsyncGuard(Silent(), agent="bot", tenant=TENANT, deadline_ms=20)
