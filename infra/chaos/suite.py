"""Runs faults one after the other, each in an installation of its own, and tells what became of the events."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from lawful.infra.chaos.crowd import TENANT, Crowd
from lawful.infra.chaos.disk import DiskProxy
from lawful.infra.chaos.faults import FAULTS, ONE, TWO, Fault
from lawful.infra.chaos.flow import Flow
from lawful.infra.chaos.ledger import Found, Ledger
from lawful.infra.chaos.place import AUDIT, LAWFUL, Place
from lawful.infra.chaos.scene import Scene
from lawful.infra.chaos.wire import Wire
from lawful.infra.engines import kafka_jars
from lawful.infra.engines.apache_kafka import ApacheKafka
from lawful.infra.engines.broker import EmbeddedBroker
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.traits import Broker
from lawful.infra.settings import Settings
from lawful.schemas.errors import LawfulError
from lawful.streams.kernel import Kernel

EMBEDDED, KAFKA = "embedded", "kafka"
_KEY = "the key of a chaos run, not a secret"
_SHOWN = 5

Told = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one fault did.

    Attributes:
        events: different events that were published.
        lost, doubled, wrong: how many of them; all must be 0.
        recovery_s: the longest time from a strike until all that was published by then was answered and audited.
        seconds: how long it all took.
        overtime: events that could not be searched in time, and were blocked for it.
        chain: whether the audit's chains of hashes verify: `fine`, or what is wrong first.
        trouble: what else went wrong; empty if nothing did.
        examples: some of what was lost, doubled or wrong.
    """

    fault: str
    broker: str
    events: int
    lost: int
    doubled: int
    wrong: int
    recovery_s: float | None
    seconds: float
    overtime: int = 0
    chain: str = "fine"
    trouble: str = ""
    examples: tuple[str, ...] = ()

    @property
    def fine(self) -> bool:
        """Whether nothing was lost, doubled or decided wrongly, and nothing else failed."""
        return not (self.lost or self.doubled or self.wrong or self.trouble or self.chain != "fine")

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(self), "examples": list(self.examples), "fine": self.fine}


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run.

    Attributes:
        brokers: on which brokers, by name.
        faults: which faults.
        events: different events in all, shared equally among the runs.
        seed: the same seed, the same events and about the same moments.
    """

    brokers: Sequence[str]
    faults: Sequence[Fault] = FAULTS
    events: int = 100_000
    seed: int = 1

    @property
    def each(self) -> int:
        """Events of one run."""
        return -(-self.events // len(self.runs))

    @property
    def runs(self) -> list[tuple[str, Fault]]:
        """Every fault on every broker that can show it."""
        return [
            (broker, fault) for broker in self.brokers for fault in self.faults if broker == KAFKA or not fault.lasting
        ]


def brokers_here() -> tuple[tuple[str, ...], str]:
    """Which brokers can be had on this machine, and what keeps it from having Apache Kafka."""
    missing = kafka_jars.missing()
    return ((EMBEDDED,), missing) if missing else ((EMBEDDED, KAFKA), "")


def run(plan: Plan, told: Told) -> Iterator[Outcome]:
    """Runs the plan, fault by fault.

    Args:
        plan: what to run.
        told: called often, with what is going on and how many events are answered.
    """
    with tempfile.TemporaryDirectory(prefix="lawful-chaos-", ignore_cleanup_errors=True) as folder:
        for broker in plan.brokers:
            told(f"starting {broker}", 0)
            with engines(broker) as (kafka, clickhouse):
                stage = Stage(kafka, clickhouse, Path(folder), told)
                for number, (_, fault) in enumerate(run for run in plan.runs if run[0] == broker):
                    yield stage.outcome(fault, plan.each, plan.seed * 1_000 + number + 500 * (broker == KAFKA))


@contextmanager
def engines(broker: str) -> Iterator[tuple[EmbeddedBroker | ApacheKafka, EmbeddedClickHouse]]:
    """Starts a broker and ClickHouse, and stops them in the end, whatever became of them."""
    with ExitStack() as last:
        clickhouse = last.enter_context(EmbeddedClickHouse())
        kafka: EmbeddedBroker | ApacheKafka = EmbeddedBroker() if broker == EMBEDDED else ApacheKafka()
        last.callback(kafka.stop)
        yield kafka.start(), clickhouse


def real_kernel(settings: Settings) -> Kernel:
    """What `lawful worker` decides with."""
    from lawful.infra.compose_root import kernel  # noqa: PLC0415 - slow to import

    return kernel(settings)


class Stage:
    """Where faults strike: engines that they share one after the other.

    Args:
        broker: running; it may be killed.
        clickhouse: running; it may be killed.
        folder: for data and logs.
        told: see `run`.
        kernel: what the workers decide with, for the replay.
        module: what workers run where the fault says nothing else.
        tenant: whose events these are.
    """

    def __init__(  # noqa: PLR0913 - all but four have defaults
        self,
        broker: Broker,
        clickhouse: EmbeddedClickHouse,
        folder: Path,
        told: Told = lambda _, __: None,
        *,
        kernel: Callable[[Settings], Kernel] = real_kernel,
        module: str = LAWFUL,
        tenant: str = TENANT,
    ) -> None:
        self._broker = broker
        self._clickhouse = clickhouse
        self._folder = folder
        self._told = told
        self._make_kernel = kernel
        self._kernel: Kernel | None = None
        self._module = module
        self._tenant = tenant

    def outcome(self, fault: Fault, events: int, seed: int) -> Outcome:
        """Strikes once, and looks at what is there afterwards."""
        began = monotonic()
        crowd = list(Crowd(seed, tenant=self._tenant).events(events, fault.hanging))
        with ExitStack() as last:
            place = last.enter_context(self._place(fault, last))
            flow = Flow(place, crowd, events, lambda answered: self._told(fault.name, answered))
            last.callback(flow.close)
            scene = Scene(place, flow, Random(seed))  # noqa: S311 - reproducible, and no secret
            trouble = self._play(fault, scene)
            self._told(f"{fault.name}: replaying", len(flow.answered))
            found, chain = self._looked_at(scene)
        return Outcome(
            fault=fault.name,
            broker=self._broker.traits.name,
            events=len(flow.sent),
            lost=len(found.lost),
            doubled=len(found.doubled),
            wrong=len(found.wrong),
            recovery_s=round(max(scene.recoveries), 1) if scene.recoveries else None,
            seconds=round(monotonic() - began, 1),
            overtime=len(found.overtime),
            chain=chain,
            trouble=trouble,
            examples=tuple(sorted(found.lost | found.doubled | found.wrong)[:_SHOWN]),
        )

    def _place(self, fault: Fault, last: ExitStack) -> Place:
        folder = Path(last.enter_context(tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True)))
        module = self._module if fault.module == LAWFUL else fault.module
        return Place(self._broker, self._clickhouse, folder, _KEY, module=module)

    def _play(self, fault: Fault, scene: Scene) -> str:
        with ExitStack() as between:
            place = scene.place
            if fault.wire:
                scene.wire = between.enter_context(Wire(int(place.broker.bootstrap.rpartition(":")[2])))
                place.bootstrap = f"127.0.0.1:{scene.wire.port}"
            if fault.disk:
                scene.disk = between.enter_context(DiskProxy(place.clickhouse.port))
                place.clickhouse_port = scene.disk.port
            try:
                place.start(ONE, TWO, AUDIT)
                fault.strike(scene)
                scene.flow.finish()
                return _unfriendly(place)
            except LawfulError as error:
                return str(error)

    def _looked_at(self, scene: Scene) -> tuple[Found, str]:
        if self._kernel is None:
            self._kernel = self._make_kernel(scene.place.settings())
        for engine in (self._clickhouse, self._broker):
            engine.start()  # does nothing where it runs
        ledger = Ledger(scene.place, self._kernel)
        return ledger.check(scene.flow.sent, scene.flow.poison), ledger.chain()


def _unfriendly(place: Place) -> str:
    """Stops all processes; tells which did not stop as they should, and their last words."""
    statuses = place.stop(*place.processes)
    return "\n".join(
        f"{name} ended with status {status}: {place.processes[name].tail(5)}"
        for name, status in statuses.items()
        if status
    )
