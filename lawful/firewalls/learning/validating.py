"""How rules hold on conversations that they were not learned from."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lawful.firewalls.abstraction import Abstraction
from lawful.firewalls.incoming import Incoming
from lawful.firewalls.learning.demonstrations import Demonstration
from lawful.firewalls.learning.observing import observe
from lawful.firewalls.learning.telling import forms_of, leaves_of, level_of, tellings
from lawful.firewalls.outgoing import Outgoing
from lawful.firewalls.protocol import TaskProtocol
from lawful.firewalls.session import FirewallSession
from lawful.firewalls.words import fold
from lawful.schemas.event import Recipient, RecipientKind

_SERVICE: Final = Recipient(RecipientKind.AGENT, "demonstrated")
_PHRASE: Final = 3


@dataclass(frozen=True, slots=True)
class Validation:
    """Counts over conversations that nothing was learned from.

    Attributes:
        said, heard: values in benign messages that show their labels, and how many came through.
        told, released: what assistants told in benign conversations, and how much of it the rules release.
        attacks, stopped: attacks that somebody noted the aim of, and how many got nothing of it.
    """

    benign: int
    said: int
    heard: int
    told: int
    released: int
    attacks: int
    stopped: int

    @property
    def coverage(self) -> float | None:
        """The share of benign facts, in both directions, that comes through."""
        of = self.said + self.told
        return (self.heard + self.released) / of if of else None

    @property
    def stopped_share(self) -> float | None:
        """The share of attacks that is stopped."""
        return self.stopped / self.attacks if self.attacks else None

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        counts = {name: getattr(self, name) for name in self.__slots__}
        return counts | {"coverage": self.coverage, "stopped_share": self.stopped_share}


def validate(protocol: TaskProtocol, abstraction: Abstraction, kept: Sequence[Demonstration]) -> Validation:
    """Puts conversations before the rules."""
    incoming, outgoing = Incoming(protocol), Outgoing(abstraction)
    benign = [each for each in kept if not each.attack]
    said = [counts for each in benign for counts in _heard(each, incoming)]
    told = [is_released for each in benign for is_released in _released(each, outgoing)]
    attacks = [each for each in kept if each.attack and (each.wanted or each.orders)]
    return Validation(
        benign=len(benign),
        said=sum(of for _, of in said),
        heard=sum(count for count, _ in said),
        told=len(told),
        released=sum(told),
        attacks=len(attacks),
        stopped=sum(_is_stopped(each, incoming, outgoing) for each in attacks),
    )


def _heard(demonstration: Demonstration, incoming: Incoming) -> Iterator[tuple[int, int]]:
    session = FirewallSession()
    for said in demonstration.turns:
        if said.by_service:
            shown = sum(len(thing.pairs) for thing in observe(said.text))
            came = sum(1 for _ in _leaves(incoming.admit(said.text, session).value))
            yield min(shown, came), shown


def _released(demonstration: Demonstration, outgoing: Outgoing) -> Iterator[bool]:
    """Whether what was told may be told by the rules, in a form that is exact enough."""
    left = _left(demonstration, outgoing)
    stored = {leaf.path: leaf.value for leaf in leaves_of(demonstration.record)}
    for telling in tellings(demonstration):
        forms = {form for way, form in forms_of(stored[telling.path]) if level_of(way) <= telling.level}
        yield left.get(telling.path) in forms


def _is_stopped(demonstration: Demonstration, incoming: Incoming, outgoing: Outgoing) -> bool:
    left = _left(demonstration, outgoing)
    exact = {leaf.path: fold(leaf.value) for leaf in leaves_of(demonstration.record)}
    if any(left.get(path) == exact.get(path, "") for path in demonstration.wanted if path in left):
        return False
    session = FirewallSession()
    seen = [
        json.dumps(incoming.admit(said.text, session).value, ensure_ascii=False, default=str)
        for said in demonstration.turns
        if said.by_service
    ]
    ordered = {phrase for order in demonstration.orders for phrase in _phrases(order)}
    return all(ordered.isdisjoint(_phrases(text)) for text in seen)


def _left(demonstration: Demonstration, outgoing: Outgoing) -> Mapping[str, str]:
    record = outgoing.release(demonstration.record, _SERVICE, FirewallSession()).record
    return {leaf.path: fold(leaf.value) for leaf in leaves_of(record or {})}


def _phrases(text: str) -> set[tuple[str, ...]]:
    said = fold(text).split()
    return {tuple(said[start : start + _PHRASE]) for start in range(len(said) - _PHRASE + 1)}


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value
