"""The outgoing firewall: what an agent gets to read of a record, and through it whoever it talks to."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lawful.firewalls.abstraction import Abstraction, Derived, FieldRule, Path, Scope, path_of
from lawful.firewalls.forms import DateForm
from lawful.firewalls.ledger import Ledger, Withheld
from lawful.firewalls.population import Population, step_of
from lawful.firewalls.session import FirewallSession
from lawful.firewalls.values import Dropped, Refused, tallied, text_of
from lawful.firewalls.words import words
from lawful.schemas.event import Recipient

Leaf = str | int | float | bool
_MOST_LEAVES: Final = 10_000
_DEEPEST: Final = 32
_MOST_LEDGERS: Final = 1_000
_PLAIN_KEY: Final = re.compile(r"[A-Za-z0-9_ -]{1,64}")
_NOTHING: Final = object()


@dataclass(frozen=True, slots=True)
class Released:
    """What may be passed on.

    Attributes:
        record: what is left of the record.
        withheld: what is not, by the rules' own names and reasons; no content.
    """

    record: Any = field(repr=False)
    withheld: tuple[Dropped, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return {"record": self.record, "withheld": [each.as_json() for each in self.withheld]}


class Outgoing:
    """Abstracts records before an agent reads them.

    Args:
        rules: what becomes of each field.
        population: people to count among; without it, fields of `population` in the rules do not go out.
    """

    def __init__(self, rules: Abstraction, population: Population | None = None) -> None:
        self.rules = rules
        self._population = population
        self._fields = {path: rule for rule in rules.fields.values() for path in rule.paths}
        # A length that was derived once may be passed on; a text in its place may not.
        self._fields |= {path_of(each.name): FieldRule(each.name, ("",), longest=0) for each in rules.derived}
        self._order = {
            name: number for number, name in enumerate((*rules.fields, *(each.name for each in rules.derived)))
        }
        self._protected = rules.protected()

    def release(self, record: Any, recipient: Recipient, session: FirewallSession, *, subject: str = "") -> Released:
        """What of a record may be passed on. Never raises; linear in the record, and in the population.

        Args:
            record: JSON: a tool's result, a profile, an entry of a calendar.
            recipient: whom the agent that reads it talks to.
            session: holds what that one has been told.
            subject: which person the record is about, if a session is about several.
        """
        with session.lock:
            run = _Run(self, recipient, self._ledger(recipient, session, subject))
            try:
                left = run.read(record)
            except (RecursionError, _TooLarge):
                return Released(None, (Dropped("", "too_long", 1),))
        return Released(None if left is _NOTHING else left, tallied(run.counts))

    def _ledger(self, recipient: Recipient, session: FirewallSession, subject: str) -> Ledger:
        whose = "" if self.rules.scope is Scope.KIND else recipient.id
        key = (self.rules.id, recipient.kind.value, whose, subject)
        if key not in session.ledgers:
            if len(session.ledgers) >= _MOST_LEDGERS:
                return Ledger((), is_closed=True)
            session.ledgers[key] = Ledger(self._population.everyone() if self._population else ())
        return session.ledgers[key]

    def rule(self, path: Path) -> FieldRule | None:
        """The rule of a path."""
        return self._fields.get(path)

    def told(self, rule: FieldRule, value: Leaf, recipient: Recipient, ledger: Ledger) -> tuple[Leaf, bool]:
        """A value as it may go out, and whether that is coarser than its rule asks.

        Raises:
            Withheld: it may not.
        """
        if not rule.steps:
            raise Withheld("blocked")
        if isinstance(value, str) and len(value) > rule.longest:
            raise Withheld("too_long")
        text = _text(value)
        if rule.values is not None:
            value = text = self._listed(rule, text)
        if rule.name in self._protected:
            number, told = ledger.ask(self.rules, rule, text, recipient.kind, self._population)
        else:
            number, told = _first(rule, text)
        return (value if told == text else told), number > 0

    @staticmethod
    def _listed(rule: FieldRule, text: str) -> str:
        value = (rule.values or {}).get(words(text))
        if value is None:
            raise Withheld("not_allowed")
        return value

    def order(self, name: str) -> int:
        """A field's place in the rules: the order in which a record's fields are asked for."""
        return self._order[name]


class _TooLarge(Exception):
    """A record has more leaves, or is deeper, than is looked at."""


@dataclass(slots=True)
class _Leaf:
    """A leaf of a record, and where what may be said of it goes."""

    rule: FieldRule
    value: Leaf = field(repr=False)
    out: Any = field(default=_NOTHING, repr=False)


@dataclass(slots=True)
class _Run:
    """One record on its way out."""

    owner: Outgoing
    recipient: Recipient
    ledger: Ledger
    leaves: list[_Leaf] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def read(self, record: Any) -> Any:
        shape = self._shape(record, (), 0)
        # The rules' order, not the record's: whoever fills in a record must not choose what is told first.
        for leaf in sorted(self.leaves, key=lambda each: self.owner.order(each.rule.name)):
            self._tell(leaf)
        return _built(shape)

    def _shape(self, value: Any, path: Path, depth: int) -> Any:
        """The record with a `_Leaf` for each value that a rule is about."""
        if depth > _DEEPEST:
            raise _TooLarge
        if isinstance(value, Mapping):
            return dict(self._members(value, path, depth))
        if isinstance(value, list | tuple):
            return [self._shape(each, path, depth + 1) for each in value]
        rule = self.owner.rule(path)
        if rule is None or not isinstance(value, str | int | float | bool):
            if value is not None:
                self.counts["", "unknown_key"] += 1
            return _NOTHING
        if len(self.leaves) >= _MOST_LEAVES:
            raise _TooLarge
        self.leaves.append(_Leaf(rule, value))
        return self.leaves[-1]

    def _members(self, value: Mapping[Any, Any], path: Path, depth: int) -> Iterator[tuple[str, Any]]:
        for key, member in value.items():
            if isinstance(key, str):
                # A key that says more than its words would carry that past the rules.
                name = key if _PLAIN_KEY.fullmatch(key) else words(key).replace(" ", "_")
                yield name, self._shape(member, (*path, words(key)), depth + 1)
        for derived in self.owner.rules.derived:
            length = _length(derived, value) if path == path_of(derived.name)[:-1] else None
            if length is not None:
                yield derived.name.rpartition(".")[2], length

    def _tell(self, leaf: _Leaf) -> None:
        try:
            leaf.out, is_coarser = self.owner.told(leaf.rule, leaf.value, self.recipient, self.ledger)
        except Withheld as withheld:
            self.counts[leaf.rule.name, withheld.reason] += 1
        else:
            self.counts[leaf.rule.name, "coarser"] += is_coarser


def _built(shape: Any) -> Any:
    """What is left once all leaves are told; what holds nothing goes too."""
    if isinstance(shape, _Leaf):
        return shape.out
    if isinstance(shape, dict):
        members = {key: _built(member) for key, member in shape.items()}
        return {key: member for key, member in members.items() if member is not _NOTHING} or _NOTHING
    if isinstance(shape, list):
        return [each for each in map(_built, shape) if each is not _NOTHING] or _NOTHING
    return shape


def _length(derived: Derived, value: Mapping[Any, Any]) -> int | None:
    spelt = {words(key): member for key, member in value.items() if isinstance(key, str)}
    try:
        start, end = (DateForm().day(text_of(spelt.get(path[-1]))) for path in (derived.start, derived.end))
    except Refused:
        return None
    days = (end - start).days
    return days // derived.days if days >= 0 else None


def _text(value: Leaf) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def _first(rule: FieldRule, text: str) -> tuple[int, str]:
    """The most exact form of a value that its rule has, and its number."""
    for number, how in enumerate(rule.steps):
        told = step_of(text, how)
        if told is not None:
            return number, told
    raise Withheld("not_generalised")
