"""Exit statuses, in one place, so that scripts can rely on them."""

from enum import IntEnum

from lawful.schemas.errors import ConfigurationError, InvalidRecord, LawfulError, MustBlock, MustStop, RetryLater


class Exit(IntEnum):
    """What the exit status of `lawful` means."""

    FINE = 0
    FAULT = 1
    USAGE = 2
    AWAY = 3
    STOPPED = 4
    BUG = 70
    INTERRUPTED = 130


MEANINGS = {
    Exit.FINE: "all is well",
    Exit.FAULT: "something is wrong with what was given: a policy, a file, a setting, an unanswered event, "
    "a changed audit",
    Exit.USAGE: "a wrong option, or an extra that is not installed",
    Exit.AWAY: "a broker or database does not answer; the same command may succeed later",
    Exit.STOPPED: "stopped, since going on would break a promise",
    Exit.BUG: "a fault of Lawful itself",
    Exit.INTERRUPTED: "interrupted",
}

_BY_CLASS: tuple[tuple[type[LawfulError], Exit], ...] = (
    (RetryLater, Exit.AWAY),
    (MustStop, Exit.STOPPED),
    (ConfigurationError, Exit.FAULT),
    (InvalidRecord, Exit.FAULT),
    (MustBlock, Exit.FAULT),
)


def exit_of(error: LawfulError) -> Exit:
    """The exit status that an error of ours ends the process with."""
    return next((status for kind, status in _BY_CLASS if isinstance(error, kind)), Exit.FAULT)


def epilog() -> str:
    """The statuses as a table for `--help`."""
    return "Exit statuses: " + "; ".join(f"{status.value} {meaning}" for status, meaning in MEANINGS.items()) + "."
