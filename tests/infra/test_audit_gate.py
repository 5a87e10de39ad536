"""The gate closes when audit records wait without getting on, and only then."""

from lawful.infra.audit_gate import AuditGate, Progress

PATIENCE = 5.0


class World:
    """What Kafka says, and the time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.progress: Progress | None = {0: (0, 0), 1: (0, 0)}
        self.gate = AuditGate(lambda: self.progress, PATIENCE, lambda: self.now)

    def after(self, seconds: float, progress: Progress | None) -> bool:
        """Whether the gate is open after so long with this progress."""
        for _ in range(int(seconds * 2)):
            self.now += 0.5
            self.progress = progress
            self.gate.look()
        return self.gate.is_open()


def test_nothing_waits_nothing_closes() -> None:
    """An idle topic is no failure, however long it is idle."""
    assert World().after(1_000, {0: (7, 7), 1: (3, 3)})


def test_records_that_wait_too_long_close_it_until_they_move() -> None:
    """Closing takes the patience, opening takes one step forward."""
    world = World()
    assert world.after(4, {0: (5, 9), 1: (3, 3)})
    assert not world.after(2, {0: (5, 20), 1: (3, 3)})
    assert world.after(0.5, {0: (6, 20), 1: (3, 3)})


def test_a_backlog_that_moves_does_not_close_it() -> None:
    """A writer that is behind but works is no failure."""
    world = World()
    assert all(world.after(2, {0: (done, 1_000)}) for done in range(50))


def test_one_stuck_partition_is_enough() -> None:
    """The audit of some people cannot wait because that of others gets on."""
    world = World()
    assert not all(world.after(2, {0: (5, 6), 1: (done, 100)}) for done in range(5))


def test_what_cannot_be_seen_changes_nothing() -> None:
    """Without Kafka there is nothing to hold; a closed gate stays closed."""
    world = World()
    assert world.after(100, None)
    assert not world.after(6, {0: (5, 9)})
    assert not world.after(100, None)
