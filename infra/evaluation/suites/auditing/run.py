"""Planted faults before real auditors, on six shapes of who talks to whom; collusion simulated against its bound.

A fault is a verdict that was turned from block to forward. Three ways to audit: sentries for critical
agents (`tiered`), sentries for everybody (`everything`), all auditors for everybody (`majority`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt
from random import Random
from time import process_time
from typing import Any

import rustworkx as rx
from rustworkx import generators

from lawful.infra.centrality.measure import Measure, critical
from lawful.infra.evaluation.suites import Grid
from lawful.policies.auditing import Auditor, Ballot, Brief, Opinion, doubtful, draw, settle
from lawful.policies.auditing.bounds import bounds
from lawful.policies.auditing.judges import MfotlAuditor, PackAuditor, PythonAuditor, RegoAuditor
from lawful.policies.judge import At, judge
from lawful.policies.load import load_pack
from lawful.policies.model import Policy
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import EMPTY
from lawful.schemas.verdict import Decision
from lawful.schemas.view import Finding, SourcePosition, SubjectRole, View

AGENTS, FAULTY, SENTRIES, DRAWS, DRAWN = 24, 0.2, 2, 20_000, 5
ARMS = ("tiered", "everything", "majority")


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A malicious auditor: agrees with whatever was decided."""

    name: str
    version: str = "evil"

    def ask(self, brief: Brief) -> Opinion:
        """See `Auditor`."""
        return Opinion(brief.verdict.decision)


@dataclass(slots=True)
class Tally:
    """What one way to audit came to on one graph."""

    faults: int = 0
    caught: int = 0
    calls: int = 0
    cpu: float = 0.0
    messages: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The suite's answer."""

    seed: int
    tallies: dict[tuple[str, str, bool], Tally]
    collusion: tuple[dict[str, float], ...]

    @property
    def met(self) -> bool:
        """Auditing everything catches every fault while no auditor is malicious, and each bound is confirmed."""
        whole = [each for (_, arm, bad), each in self.tallies.items() if arm != "tiered" and not bad]
        return all(each.caught == each.faults for each in whole) and all(each["within"] for each in self.collusion)

    def as_json(self) -> dict[str, Any]:
        """Everything."""
        rows = [
            {"graph": graph, "arm": arm, "attackers": bad, "faults": t.faults, "caught": t.caught, "calls": t.calls,
             "messages": t.messages, "cpu_ms": round(t.cpu * 1e3, 1)}
            for (graph, arm, bad), t in self.tallies.items()
        ]  # fmt: skip
        return {"seed": self.seed, "table": rows, "collusion": list(self.collusion), "met": self.met}

    def grids(self) -> Sequence[Grid]:
        """The table, and the bounds."""
        rows = tuple(
            (graph, arm, "one of four" if bad else "none", f"{t.caught} of {t.faults}", f"{t.calls / t.messages:.2f}",
             f"{t.cpu / t.messages * 1e3:.2f}")
            for (graph, arm, bad), t in self.tallies.items()
        )  # fmt: skip
        told = tuple(
            (f"{c['corrupt']:.0f}", f"{c['bound']:.4f}", f"{c['low']:.4f} to {c['high']:.4f}") for c in self.collusion
        )
        columns = ("graph", "audited", "malicious", "faults caught", "calls a message", "CPU ms a message")
        return (
            Grid("planted faults", columns, rows),
            Grid(f"{SENTRIES} sentries of {DRAWN}", ("malicious", "bound", "simulated, 95 %"), told),
        )


def run(*, seed: int, size: int | None, advance: Callable[[int], None]) -> Found:
    """See `lawful.infra.evaluation.suites.Runner`; `size` is the number of messages on each graph."""
    tallies: dict[tuple[str, str, bool], Tally] = {}
    for graph, edges in graphs(seed).items():
        for bad in (False, True):
            for arm in ARMS:
                tallies[graph, arm, bad] = _audited(edges, arm, size or 100, seed, pool(malicious=bad))
            advance(1)
    return Found(seed, tallies, tuple(_collusion(corrupt, seed) for corrupt in range(DRAWN + 1)))


def graphs(seed: int) -> dict[str, list[tuple[int, int]]]:
    """Who talks to whom."""
    made = {
        "chain": generators.path_graph(AGENTS),
        "cycle": generators.cycle_graph(AGENTS),
        "tree": generators.full_rary_tree(2, AGENTS),
        "star": generators.star_graph(AGENTS),
        "complete": generators.complete_graph(AGENTS),
        "scale-free": rx.barabasi_albert_graph(AGENTS, 2, seed=seed),
    }
    return {name: sorted({(min(e), max(e)) for e in graph.edge_list()}) for name, graph in made.items()}


def pool(*, malicious: bool) -> list[Auditor]:
    """Our three judges and a pack; if one is malicious, it stands in for the first."""
    first: Auditor = Sentinel("python") if malicious else PythonAuditor()
    return [first, RegoAuditor(), MfotlAuditor(), PackAuditor(_pack())]


def _audited(edges: list[tuple[int, int]], arm: str, count: int, seed: int, auditors: list[Auditor]) -> Tally:
    chance, tally = Random(seed), Tally(messages=count)  # noqa: S311 - made-up traffic
    names = [f"agent-{number:02}" for number in range(AGENTS)]
    heavy = critical(names, edges, Measure())
    for number in range(count):
        sender, receiver = (names[end] for end in chance.choice(edges))
        faulty = chance.random() < FAULTY
        brief = _brief(number, sender, faulty=faulty)
        began = process_time()
        ballots: list[Ballot] = []
        if arm != "tiered" or {sender, receiver} & heavy:
            ballots = list(_ballots(brief, auditors, 0 if arm == "majority" else SENTRIES))
        caught = settle(brief.verdict, ballots).decision > brief.verdict.decision
        tally.cpu += process_time() - began
        tally.calls += len(ballots)
        tally.faults += faulty
        tally.caught += faulty and caught
    return tally


def _ballots(brief: Brief, auditors: list[Auditor], sentries: int) -> Iterator[Ballot]:
    everybody = [each.name for each in auditors]
    drawn = draw(b"e" * 32, "suite", brief.view.event_id, everybody, sentries) if sentries else everybody
    first = [Ballot(a.name, a.version, True, a.ask(brief)) for a in auditors if a.name in drawn]
    yield from first
    if doubtful(brief.verdict, first):
        yield from (Ballot(a.name, a.version, False, a.ask(brief)) for a in auditors if a.name not in drawn)


def _brief(number: int, agent: str, *, faulty: bool) -> Brief:
    """A plain message, or one with health data and no purpose, whose block was turned to a forward."""
    finding = Finding("/text", 0, 4, "user.health_and_medical", "suite", "1", 1.0)
    view = View(
        event_id=f"event-{number}", tenant_id="suite", key="k", subject="s", role=SubjectRole.PRINCIPAL,
        part=0, parts=1,
        kind=PayloadKind.AGENT_MESSAGE, source="urn:suite", agent_id=agent, session_id="s", recorded_at=1_000,
        occurred_at=1_000, position=SourcePosition("e", 0, number), digest="", findings=(finding,) if faulty else (),
    )  # fmt: skip
    at, policy = At("lawful.annotated", 0, number, 1_000), _pack()
    verdict = judge(view, at, EMPTY, policy).verdict
    if faulty:
        verdict = replace(verdict, decision=Decision.FORWARD, violations=(), obligations=())
    return Brief(view, at, EMPTY, policy, verdict)


@cache
def _pack() -> Policy:
    return load_pack("medagent")


def _collusion(corrupt: int, seed: int) -> dict[str, float]:
    """How often a fault passes in so many draws; told with the 95 % interval (Wilson), held within the 99.9 % one."""
    names = [f"auditor-{number}" for number in range(DRAWN)]
    evil = set(names[:corrupt])
    key = seed.to_bytes(32, "big", signed=True)
    draws = (set(draw(key, "suite", str(number), names, SENTRIES)) for number in range(DRAWS))
    share = sum(drawn <= evil or 2 * corrupt > DRAWN for drawn in draws) / DRAWS
    told = bounds(DRAWN, corrupt, SENTRIES).passes
    low, high = _wilson(share, 1.96)
    widest = _wilson(share, 3.29)
    within = widest[0] - 1e-9 <= told <= widest[1] + 1e-9
    return {"corrupt": corrupt, "bound": told, "simulated": share, "low": low, "high": high, "within": within}


def _wilson(share: float, z: float) -> tuple[float, float]:
    middle = (share + z * z / (2 * DRAWS)) / (1 + z * z / DRAWS)
    half = z * sqrt(share * (1 - share) / DRAWS + z * z / (4 * DRAWS * DRAWS)) / (1 + z * z / DRAWS)
    return middle - half, middle + half
