"""The way from a guard to the verdict and back, whatever it is made of."""

from concurrent.futures import Future
from typing import Protocol, runtime_checkable

from lawful.schemas.audit import GuardReport
from lawful.schemas.event import AgentEvent
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.verdict import Verdict


class Transport(Protocol):
    """Publishes events and brings their verdicts. Safe to share by threads.

    A future that its owner cancelled is given up: a verdict that comes for it afterwards is
    reported as `late_verdict` and goes to nobody, never to another request.
    """

    def submit(self, event: AgentEvent) -> "Future[Verdict]":
        """Publishes an event; the future becomes its verdict, or an error if there can be none.

        Raises:
            LawfulError: the event cannot be published.
        """
        ...

    def report(self, report: GuardReport) -> None:
        """Writes down what the guard did on its own. Never raises; what cannot be sent is kept."""
        ...

    def close(self) -> None:
        """Sends what is left, and ends. Futures that are still open fail."""
        ...


@runtime_checkable
class Keyed(Protocol):
    """A transport that has the tenants' keys; without them, `hash` and `placeholder` replace."""

    @property
    def pseudonymiser(self) -> Pseudonymiser:
        """Under the keys that the workers have too."""
        ...
