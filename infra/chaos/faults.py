"""The faults: each strikes an installation under load several times, and mends what an operator would mend."""

import signal
from collections.abc import Callable
from dataclasses import dataclass

from lawful.infra.chaos.disk import Disk
from lawful.infra.chaos.place import AUDIT, LAWFUL, SESSION_MS, STRANGE
from lawful.infra.chaos.scene import Scene
from lawful.infra.chaos.worker import JUMPS

ONE, TWO, THREE = "worker-1", "worker-2", "worker-3"
_POISON = (b"", b"nonsense", b"\xc3\x01nonsense", b"\x00\x00\x00\x00\x07nobody", b"{}", bytes(range(256)) * 40)


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault.

    Attributes:
        name: for the table.
        what: in a few words, for people.
        strike: does it.
        module: what workers run.
        lasting: only on a broker that keeps what it acknowledged when it is killed.
        wire: a proxy stands before the broker.
        disk: a proxy stands before ClickHouse.
        hanging: so many events make a detector hang.
    """

    name: str
    what: str
    strike: Callable[[Scene], None]
    module: str = LAWFUL
    lasting: bool = False
    wire: bool = False
    disk: bool = False
    hanging: int = 0


def kill_workers(scene: Scene) -> None:
    """One worker, the other one, then both."""
    victims = iter(((ONE,), (TWO,), (ONE, TWO)))
    for _ in scene.strikes(0.2, 0.45, 0.7):
        names = next(victims)
        with scene.healing():
            scene.place.kill(*names)
            scene.meanwhile(lambda names=names: scene.place.start(*names))  # type: ignore[misc]


def kill_writer(scene: Scene) -> None:
    """In the middle of a batch, three times."""
    for _ in scene.strikes(0.2, 0.45, 0.7):
        with scene.healing():
            scene.place.kill(AUDIT)
            scene.meanwhile(lambda: scene.place.start(AUDIT))


def kill_clickhouse(scene: Scene) -> None:
    """It is away for some seconds, twice."""
    for _ in scene.strikes(0.25, 0.6):
        with scene.healing():
            scene.place.clickhouse.kill()
            scene.flow.run_for(scene.draw.uniform(1, 4))
            scene.meanwhile(scene.place.clickhouse.restart)


def kill_broker(scene: Scene) -> None:
    """It comes back with its log."""
    for _ in scene.strikes(0.25, 0.6):
        with scene.healing():
            scene.place.broker.kill()
            scene.meanwhile(scene.place.broker.restart)


def freeze_worker(scene: Scene) -> None:
    """It is stopped for longer than its session, the other takes over, and then it wakes up."""
    for _ in scene.strikes(0.3, 0.6):
        with scene.healing():
            scene.place.signal(ONE, signal.SIGSTOP)
            scene.place.say_goodbye(ONE)
            scene.flow.run_for(2 * SESSION_MS / 1_000)
            scene.place.signal(ONE, signal.SIGCONT)
            scene.flow.run_for(2)


def rebalance(scene: Scene) -> None:
    """Workers come and go, politely, while events flow."""
    place = scene.place
    steps = iter(
        (lambda: place.start(THREE), lambda: place.stop(ONE), lambda: place.start(ONE), lambda: place.stop(TWO))
    )
    for _ in scene.strikes(0.2, 0.4, 0.55, 0.7):
        with scene.healing():
            scene.meanwhile(next(steps))


def fill_disk(scene: Scene) -> None:
    """ClickHouse refuses inserts for some seconds, then takes seconds for each."""
    if scene.disk is None:
        return
    for _ in scene.strikes(0.3, 0.6):
        with scene.healing():
            for disk in (Disk.FULL, Disk.SLOW, Disk.FINE):
                scene.disk.disk = disk
                scene.flow.run_for(scene.draw.uniform(2, 5) if disk is not Disk.FINE else 0)


def cut_wire(scene: Scene) -> None:
    """All connections of the workers are cut, again and again."""
    if scene.wire is None:
        return
    for _ in scene.strikes(0.15, 0.3, 0.45, 0.6, 0.75):
        with scene.healing():
            for _ in range(scene.draw.randrange(1, 4)):
                scene.wire.cut()
                scene.flow.run_for(scene.draw.uniform(0.05, 0.5))


def poison(scene: Scene) -> None:
    """Thousands of records that are no events, among those that are."""
    topics = scene.place.settings().topics
    for _ in scene.strikes(0.1, 0.3, 0.5, 0.7):
        with scene.healing():
            for number in range(500):
                topic = topics.annotated if number % 5 == 0 else topics.events
                scene.flow.put(topic, f"poison {number}".encode(), scene.draw.choice(_POISON))
                scene.flow.poison += 1


def hang(scene: Scene) -> None:
    """The events that do it are among the others."""
    for _ in scene.strikes(0.5):
        with scene.healing():
            pass


def jump(scene: Scene) -> None:
    """The workers' clocks jump by an hour and by a hundred days, forth and back."""
    for _ in scene.strikes(*(0.1 + 0.15 * number for number in range(len(JUMPS)))):
        with scene.healing():
            for name in (ONE, TWO):
                scene.place.signal(name, signal.SIGUSR1)


FAULTS = (
    Fault("worker-killed", "kill -9 of one worker, the other, both", kill_workers),
    Fault("writer-killed", "kill -9 of the audit writer", kill_writer),
    Fault("clickhouse-killed", "kill -9 of ClickHouse, away for seconds", kill_clickhouse),
    Fault("broker-killed", "kill -9 of the broker, back with its log", kill_broker, lasting=True),
    Fault("worker-frozen", "SIGSTOP of a worker for two sessions", freeze_worker),
    Fault("rebalance", "workers come and go", rebalance),
    Fault("disk-full", "the audit's disk is full, then slow", fill_disk, disk=True),
    Fault("wire-cut", "the broker drops all connections", cut_wire, wire=True),
    Fault("poison", "2,000 records that are no events", poison),
    Fault("detector-hangs", "a detector does not return", hang, module=STRANGE, hanging=6),
    Fault("clock-jumps", "workers' clocks jump by hours and days", jump, module=STRANGE),
)
