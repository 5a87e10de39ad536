"""What a fault can do: the installation, the flow of events through it, and the clock of recovery."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from lawful.infra.chaos.disk import DiskProxy
from lawful.infra.chaos.flow import Flow
from lawful.infra.chaos.place import Place
from lawful.infra.chaos.wire import Wire


@dataclass
class Scene:
    """One fault's stage.

    Attributes:
        draw: where the fault strikes is drawn from the seed.
        wire: stands between workers and broker, if the fault wants it.
        disk: stands between audit writer and ClickHouse, if the fault wants it.
        recoveries: seconds from each strike until all that was published by then was answered and audited.
    """

    place: Place
    flow: Flow
    draw: Random
    wire: Wire | None = None
    disk: DiskProxy | None = None
    recoveries: list[float] = field(default_factory=list)

    def strikes(self, *shares: float) -> Iterator[None]:
        """At about these shares of the events, in turn."""
        for share in shares:
            self.flow.reach(min(0.95, share + self.draw.uniform(-0.05, 0.05)))
            yield

    @contextmanager
    def healing(self) -> Iterator[None]:
        """Within, something is mended; then goes on until all is well, and notes how long that took."""
        began = self.flow.clock()
        yield
        self.flow.recover()
        self.recoveries.append(self.flow.clock() - began)

    def meanwhile(self, work: Callable[[], object]) -> None:
        """Does something slow while events go on."""
        self.flow.while_doing(work)
