"""The incoming firewall: whatever another agent says, what arrives is a value of the protocol."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lawful.firewalls.convert.extractor import Extractor
from lawful.firewalls.convert.port import Candidate, Converter
from lawful.firewalls.protocol import TaskProtocol
from lawful.firewalls.session import FirewallSession
from lawful.firewalls.values import Dropped, Reason, tallied
from lawful.firewalls.verify import MOST_CANDIDATES, Verifier
from lawful.firewalls.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Admitted:
    """What came through.

    Attributes:
        value: a value of the protocol; what the agent is to read.
        dropped: what did not, by the protocol's own keys and reasons; no content.
    """

    value: Mapping[str, Any]
    dropped: tuple[Dropped, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return {"value": dict(self.value), "dropped": [each.as_json() for each in self.dropped]}


class Incoming:
    """Converts what other agents say into a closed protocol.

    Args:
        protocol: all that can be said.
        converter: makes candidates of prose; it is not believed.
    """

    def __init__(self, protocol: TaskProtocol, converter: Converter | None = None) -> None:
        self.protocol = protocol
        self._vocabulary = Vocabulary(protocol)
        self._converter = converter or Extractor()

    def admit(self, text: str, session: FirewallSession) -> Admitted:
        """What of a text comes through. Never raises; linear in the text's length.

        Args:
            text: whatever was said: prose, JSON, a table.
            session: holds the opaque names; a name keeps its meaning while it lasts.
        """
        verifier = Verifier(self._vocabulary, session.names)
        if len(text) > self.protocol.limits.chars:
            verifier.drop("", Reason.TOO_LONG)
            return Admitted({}, tallied(verifier.counts))
        try:
            candidates = self._candidates(text, verifier)
            with session.lock:
                value = verifier.value(candidates)
        except Exception:  # noqa: BLE001 - fail closed: a converter that breaks lets nothing through
            return Admitted({}, tallied(Counter({("", Reason.CONVERTER_FAILED.value): 1})))
        return Admitted(value, tallied(verifier.counts))

    def restore(self, text: str, session: FirewallSession) -> str:
        """A text of the agent's with the strings that its opaque names stand for, for whoever knows them."""
        return session.names.restore(text)

    def _candidates(self, text: str, verifier: Verifier) -> list[Candidate]:
        made = self._converter.convert(text, self._vocabulary)
        for reason, count in ((Reason.NOT_UNDERSTOOD, made.not_understood), (Reason.UNREADABLE, made.unreadable)):
            verifier.drop("", reason, count)
        return list(islice(made.candidates, MOST_CANDIDATES + 1))
