"""What may stand between the assistant, its user's data and the service: both firewalls, one, none, or a filter.

A filter lets a message pass or stops it, whole; that is the baseline. `Rules` stops what the
firewalls would change, `Knowing` knows the truth and stops no message without a reason, so that it
shows the best that stopping can do.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from lawful.firewalls import (
    Abstraction,
    Admitted,
    FirewallSession,
    Incoming,
    Outgoing,
    Reason,
    TaskProtocol,
    load_abstraction,
    load_protocol,
)
from lawful.infra.evaluation.suites.converse.assistant import Admission, leaves, part
from lawful.infra.evaluation.suites.converse.domain import domain
from lawful.infra.evaluation.talk import Talk, Turn
from lawful.schemas.event import Recipient, RecipientKind

_FOLDER: Final = Path(__file__).parent / "rules"


class Rules:
    """A domain's protocol and abstraction, ready to be used, and what the protocol made of the last conversation.

    Several arms put the same messages before the same protocol; they are converted once.

    Args:
        protocol: what may be said.
        abstraction: what may be told.
    """

    def __init__(self, protocol: TaskProtocol, abstraction: Abstraction) -> None:
        self.incoming = Incoming(protocol)
        self.outgoing = Outgoing(abstraction)
        self._last: tuple[Talk | None, FirewallSession, dict[str, Admitted]] = (None, FirewallSession(), {})

    def converted(self, talk: Talk) -> tuple[FirewallSession, dict[str, Admitted]]:
        """The conversation's messages as they come through, by their text, and the session that knows the names."""
        if self._last[0] is not talk:
            session = FirewallSession()
            self._last = talk, session, {turn.text: self.incoming.admit(turn.text, session) for turn in talk.turns}
        return self._last[1:]


@cache
def by_hand(name: str) -> Rules:
    """The rules that somebody wrote for a domain of the suite."""
    folder = _FOLDER / name
    return Rules(load_protocol(folder / "protocol.yaml"), load_abstraction(folder / "abstraction.yaml"))


class Open:
    """No firewall."""

    def admit(self, turn: Turn) -> Admission | None:
        """See `Gate`."""
        return Admission(turn.text, turn.text)

    def read(self, record: dict[str, object]) -> dict[str, object] | None:
        """See `Gate`."""
        return record

    def restore(self, text: str) -> str:
        """See `Gate`."""
        return text


class Firewalls(Open):
    """Both firewalls, or one of them.

    Args:
        talk: the conversation.
        rules: protocol and abstraction.
        incoming, outgoing: which.
    """

    def __init__(self, talk: Talk, rules: Rules, *, incoming: bool = True, outgoing: bool = True) -> None:
        self._names, self._admitted = rules.converted(talk)
        self._incoming = rules.incoming if incoming else None
        self._outgoing = rules.outgoing if outgoing else None
        self._told = FirewallSession()
        self._recipient = Recipient(RecipientKind.AGENT, domain(talk.domain).service)

    def admit(self, turn: Turn) -> Admission | None:
        """See `Gate`."""
        if self._incoming is None:
            return super().admit(turn)
        value = self._admitted[turn.text].value
        return Admission(json.dumps(value, ensure_ascii=False), self._named(value))

    def read(self, record: dict[str, object]) -> dict[str, object] | None:
        """See `Gate`."""
        if self._outgoing is None:
            return super().read(record)
        return self._outgoing.release(record, self._recipient, self._told).record or None

    def restore(self, text: str) -> str:
        """See `Gate`."""
        return text if self._incoming is None else self._incoming.restore(text, self._names)

    def _named(self, value: object) -> object:
        """A converted value with the names put back, as the service would read them."""
        if isinstance(value, Mapping):
            return {key: self._named(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._named(inner) for inner in value]
        return self.restore(value) if isinstance(value, str) else value


class Whole(Open):
    """A filter by the firewalls' own rules: what they would change does not pass at all."""

    def __init__(self, talk: Talk, rules: Rules) -> None:
        self._inner = Firewalls(talk, rules)
        _, self._admitted = rules.converted(talk)

    def admit(self, turn: Turn) -> Admission | None:
        """See `Gate`: small talk alone stops nothing."""
        dropped = self._admitted[turn.text].dropped
        return super().admit(turn) if all(each.reason == Reason.NOT_UNDERSTOOD for each in dropped) else None

    def read(self, record: dict[str, object]) -> dict[str, object] | None:
        """See `Gate`."""
        return record if self._inner.read(record) == record else None


class EachField(Open):
    """The same of single fields: each as it is, or not at all; messages as in `Whole`."""

    def __init__(self, talk: Talk, rules: Rules) -> None:
        self._whole = Whole(talk, rules)

    def admit(self, turn: Turn) -> Admission | None:
        """See `Gate`."""
        return self._whole.admit(turn)

    def read(self, record: dict[str, object]) -> dict[str, object] | None:
        """See `Gate`."""
        paths = [path for path, _ in leaves(record) if self._whole.read(part(record, [path])) is not None]
        return part(record, paths)


class Knowing(Open):
    """A filter that knows the truth: it stops whole messages, and none that may pass.

    Args:
        talk: the conversation; its needs say what may be told, and how exactly.
    """

    def __init__(self, talk: Talk) -> None:
        self._allowed = {item.path for item in talk.needs if item.tier is None}

    def admit(self, turn: Turn) -> Admission | None:
        """See `Gate`."""
        return None if turn.asks or turn.demands else super().admit(turn)

    def read(self, record: dict[str, object]) -> dict[str, object] | None:
        """See `Gate`."""
        return record if {path for path, _ in leaves(record)} <= self._allowed else None
