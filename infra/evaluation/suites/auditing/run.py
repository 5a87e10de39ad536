"""Planted faults before real auditors, on six shapes of who talks to whom; collusion simulated against its bound.

A fault is a verdict that was turned from block to forward: health data without a purpose, a purpose that nobody
declared, a consent that was withdrawn, a recipient who may not have it. Three ways to audit: sentries for critical
agents (`tiered`), sentries for everybody (`everything`), all auditors for everybody (`majority`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import sqrt
from pathlib import Path
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
from lawful.policies.load import load_policy
from lawful.policies.model import Policy
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import ConsentFact, Entry, History, WithdrawalFact
from lawful.schemas.verdict import Decision
from lawful.schemas.view import Finding, Provenance, PurposeClaim, SourcePosition, SubjectRole, View

AGENTS, FAULTY, SENTRIES, DRAWS, DRAWN = 24, 0.2, 2, 20_000, 5
ARMS = ("tiered", "everything", "majority")
PLACES = ("spread", "critical")
LEAK = "wrong recipient"
KINDS = ("no purpose", "purpose drift", "refused consent", LEAK)


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
    """What one way to audit came to on one graph.

    Attributes:
        kinds: faults and how many of them were caught, by their kind.
    """

    kinds: dict[str, list[int]] = field(default_factory=lambda: {kind: [0, 0] for kind in KINDS})
    calls: int = 0
    cpu: float = 0.0
    messages: int = 0

    @property
    def faults(self) -> int:
        """How many there were."""
        return sum(of for of, _ in self.kinds.values())

    @property
    def caught(self) -> int:
        """How many of them did not pass."""
        return sum(caught for _, caught in self.kinds.values())

    def add(self, kind: str, *, caught: bool) -> None:
        """Counts a fault."""
        self.kinds[kind][0] += 1
        self.kinds[kind][1] += caught


Case = tuple[str, str, str, bool]
"""A graph, where its faults are, who is asked, whether an auditor is malicious."""


@dataclass(frozen=True, slots=True)
class Found:
    """The suite's answer."""

    seed: int
    tallies: dict[Case, Tally]
    collusion: tuple[dict[str, float], ...]

    @property
    def met(self) -> bool:
        """While no auditor is malicious, all together catch every fault, and two sentries every one that all would see.

        And each bound of collusion is confirmed.
        """
        honest = [(arm, each) for (_, _, arm, bad), each in self.tallies.items() if not bad]
        whole = all(each.caught == each.faults for arm, each in honest if arm == "majority")
        plain = all(
            of == caught
            for arm, each in honest
            for kind, (of, caught) in each.kinds.items()
            if arm == "everything" and kind != LEAK
        )
        return whole and plain and all(each["within"] for each in self.collusion)

    def as_json(self) -> dict[str, Any]:
        """Everything: a table of faults at any agent, the same at critical ones, and by kind."""
        return {
            "suite": "auditors",
            "seed": self.seed,
            "table": self._rows("spread"),
            "at_critical": self._rows("critical"),
            "by_kind": [
                {"arm": arm, "attackers": bad, **{kind: self._of_kind(arm, kind, bad=bad) for kind in KINDS}}
                for arm in ARMS
                for bad in (False, True)
            ],
            "collusion": list(self.collusion),
            "met": self.met,
        }

    def _rows(self, place: str) -> list[dict[str, Any]]:
        return [
            {"graph": graph, "arm": arm, "attackers": bad, "faults": t.faults, "caught": t.caught, "calls": t.calls,
             "messages": t.messages, "cpu_ms": round(t.cpu * 1e3, 1)}
            for (graph, where, arm, bad), t in self.tallies.items()
            if where == place
        ]  # fmt: skip

    def _of_kind(self, arm: str, kind: str, *, bad: bool) -> dict[str, int]:
        """On all graphs, faults anywhere."""
        counts = [
            t.kinds[kind]
            for (_, place, one, evil), t in self.tallies.items()
            if (place, one, evil) == ("spread", arm, bad)
        ]
        return {"of": sum(of for of, _ in counts), "caught": sum(caught for _, caught in counts)}

    def grids(self) -> Sequence[Grid]:
        """The table, by kind, and the bounds."""
        rows = tuple(
            (graph, place, arm, "one of four" if bad else "none", f"{t.caught} of {t.faults}",
             f"{t.calls / t.messages:.2f}", f"{t.cpu / t.messages * 1e3:.2f}")
            for (graph, place, arm, bad), t in self.tallies.items()
        )  # fmt: skip
        kinds = tuple(
            (arm, "one of four" if bad else "none", *(f"{one['caught']} of {one['of']}" for one in found))
            for arm in ARMS
            for bad in (False, True)
            if (found := [self._of_kind(arm, kind, bad=bad) for kind in KINDS])
        )
        told = tuple(
            (f"{c['corrupt']:.0f}", f"{c['bound']:.4f}", f"{c['low']:.4f} to {c['high']:.4f}") for c in self.collusion
        )
        columns = ("graph", "faults at", "audited", "malicious", "faults caught", "calls a message", "CPU ms a message")
        return (
            Grid("planted faults", columns, rows),
            Grid("by kind, at any agent of any graph", ("audited", "malicious", *KINDS), kinds),
            Grid(f"{SENTRIES} sentries of {DRAWN}", ("malicious", "bound", "simulated, 95 %"), told),
        )


def run(*, seed: int, size: int | None, advance: Callable[[int], None]) -> Found:
    """See `lawful.infra.evaluation.suites.Runner`; `size` is the number of messages on each graph."""
    tallies: dict[Case, Tally] = {}
    for graph, edges in graphs(seed).items():
        for place in PLACES:
            for bad in (False, True):
                for arm in ARMS:
                    asked = pool(malicious=bad)
                    tallies[graph, place, arm, bad] = _audited(edges, (place, arm), size or 100, seed, asked)
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
    """Our three judges and a pack with rules of its own; if one is malicious, it stands in for the first."""
    first: Auditor = Sentinel("python") if malicious else PythonAuditor()
    return [first, RegoAuditor(), MfotlAuditor(), PackAuditor(_policy("watch"))]


def _audited(
    edges: list[tuple[int, int]], how: tuple[str, str], count: int, seed: int, auditors: list[Auditor]
) -> Tally:
    place, arm = how
    chance, tally = Random(seed), Tally(messages=count)  # noqa: S311 - made-up traffic
    names = [f"agent-{number:02}" for number in range(AGENTS)]
    heavy = critical(names, edges, Measure())
    for number in range(count):
        ends = {names[end] for end in chance.choice(edges)}
        kind = chance.choice(KINDS) if chance.random() < FAULTY and (place == "spread" or ends & heavy) else ""
        brief = _brief(number, min(ends), kind)
        began = process_time()
        ballots: list[Ballot] = []
        if arm != "tiered" or ends & heavy:
            ballots = list(_ballots(brief, auditors, 0 if arm == "majority" else SENTRIES))
        caught = settle(brief.verdict, ballots).decision > brief.verdict.decision
        tally.cpu += process_time() - began
        tally.calls += len(ballots)
        if kind:
            tally.add(kind, caught=caught)
    return tally


def _ballots(brief: Brief, auditors: list[Auditor], sentries: int) -> Iterator[Ballot]:
    everybody = [each.name for each in auditors]
    drawn = draw(b"e" * 32, "suite", brief.view.event_id, everybody, sentries) if sentries else everybody
    first = [Ballot(a.name, a.version, True, a.ask(brief)) for a in auditors if a.name in drawn]
    yield from first
    if doubtful(brief.verdict, first):
        yield from (Ballot(a.name, a.version, False, a.ask(brief)) for a in auditors if a.name not in drawn)


def _brief(number: int, agent: str, kind: str) -> Brief:
    """A plain message, or one that is to be blocked and whose verdict was turned to a forward."""
    category, purpose = _CONTENT[kind]
    finding = Finding("/text", 0, 4, category, "suite", "1", 1.0)
    view = View(
        event_id=f"event-{number}", tenant_id="suite", key="k", subject="s", role=SubjectRole.PRINCIPAL,
        part=0, parts=1, kind=PayloadKind.AGENT_MESSAGE, source="urn:suite", agent_id=agent, session_id="s",
        recorded_at=1_000, occurred_at=1_000, position=SourcePosition("e", 0, number), digest="", findings=(finding,),
        purposes=(PurposeClaim(purpose, Provenance.DECLARED),) if purpose else (),
        channels=("outsiders",) if kind in {LEAK, ""} else (),
    )  # fmt: skip
    at, policy = At("lawful.annotated", 0, number + 10, 1_000), _policy("policy")
    verdict = judge(view, at, _REFUSED, policy).verdict
    if kind:
        verdict = replace(verdict, decision=Decision.FORWARD, violations=(), obligations=())
    return Brief(view, at, _REFUSED, policy, verdict)


_CONTENT = {
    "": ("user.name", "care"),
    "no purpose": ("user.health_and_medical", ""),
    "purpose drift": ("user.contact.email", "marketing.advertising"),
    "refused consent": ("user.contact.email", "outreach"),
    LEAK: ("user.health_and_medical", "care"),
}
"""What a message holds, and what for. A plain one goes to an outsider, too, who may have it."""

_REFUSED = History(
    (
        Entry(1, 1, ConsentFact("yes", ("outreach",))),
        Entry(2, 2, WithdrawalFact("no", ("outreach",))),
    ),
    2,
)


@cache
def _policy(name: str) -> Policy:
    return load_policy(Path(__file__).parent / "policies" / f"{name}.yaml")


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
