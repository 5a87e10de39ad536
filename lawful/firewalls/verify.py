"""The verifier: from candidates that nobody vouches for to a value of the protocol.

It never copies: every part of the value is a word of the protocol, or made anew from what was read. So what
the protocol cannot say does not come through, whoever made the candidates.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from lawful.firewalls.convert.port import Candidate
from lawful.firewalls.forms import CoordinatesForm, MoneyForm, NameForm
from lawful.firewalls.names import Names
from lawful.firewalls.protocol import FieldSpec
from lawful.firewalls.values import Reason, Refused, Scalar, Value, text_of
from lawful.firewalls.vocabulary import Slot, Vocabulary
from lawful.firewalls.words import words

MOST_CANDIDATES: Final = 5_000
_ENTRIES: Final = re.compile(r"\s*(?:[,;|\u2022\n]|(?<=\s)(?:and|und|et|y|&)(?=\s))\s*")
_PARTS: Final = {
    MoneyForm: ("amount value sum price total", "currency currency code unit"),
    CoordinatesForm: ("lat latitude", "lon lng long longitude"),
}


@dataclass(slots=True)
class Verifier:
    """Checks the candidates of one message.

    Attributes:
        counts: what was dropped, by the protocol's key and reason.
    """

    vocabulary: Vocabulary
    names: Names
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def value(self, candidates: Iterable[Candidate]) -> dict[str, Any]:
        """The value that the candidates make up, as far as the protocol can say it."""
        own: dict[str, Value] = {}
        records: dict[str, list[dict[str, Value]]] = {}
        for item in self._items(candidates).values():
            kind = self._kind(item)
            record: dict[str, Value] = {}
            for each in item:
                slot = self._slot(each, kind)
                if slot is not None:
                    self._put(record if slot.kind else own, slot, each.value)
            self._add(records, kind, record)
        keys = (*self.vocabulary.protocol.fields, *self.vocabulary.protocol.records)
        return {key: own[key] if key in own else records[key] for key in keys if key in own or key in records}

    def drop(self, key: str, reason: Reason, count: int = 1) -> None:
        """Counts something that does not come through."""
        self.counts[key, reason.value] += count

    def _items(self, candidates: Iterable[Candidate]) -> Mapping[int, list[Candidate]]:
        found = list(islice(candidates, MOST_CANDIDATES + 1))
        if len(found) > MOST_CANDIDATES:
            self.drop("", Reason.TOO_MANY)
        items: dict[int, list[Candidate]] = defaultdict(list)
        for each in found[:MOST_CANDIDATES]:
            items[each.item].append(each)
        return items

    def _kind(self, item: Sequence[Candidate]) -> str:
        """What kind of record a thing is: what most of its labels, and what it is called, speak for."""
        votes: Counter[str] = Counter(dict.fromkeys(self.vocabulary.protocol.records, 0))
        for each in item:
            called = self.vocabulary.kind(each.kind) if each.kind else None
            slots = self.vocabulary.slots(each.label)
            votes.update({slot.kind: 1 for slot in slots if slot.kind})
            if called is not None:
                votes[called] += 2
        return max(votes, key=votes.__getitem__, default="")

    def _slot(self, candidate: Candidate, kind: str) -> Slot | None:
        slots = self.vocabulary.slots(candidate.label)
        # A label that means something of the message and something of the record means the record's.
        fitting = [slot for slot in slots if slot.kind == kind and kind] or [slot for slot in slots if not slot.kind]
        if not fitting:
            self.drop("", Reason.UNKNOWN_KEY)
        return fitting[0] if fitting else None

    def _put(self, into: dict[str, Value], slot: Slot, raw: object) -> None:
        if raw is None:
            return
        try:
            self._accept(into, slot, raw)
        except Refused as refused:
            self.drop(slot.name, refused.reason)

    def _accept(self, into: dict[str, Value], slot: Slot, raw: object) -> None:
        key, spec = slot.field.key, slot.field
        if spec.most is not None:
            known = into.get(key)
            entries = list(known) if isinstance(known, list) else []
            self._extend(entries, slot, raw, spec.most)
            if entries:
                into[key] = entries
        elif key in into:
            if into[key] != self._read(spec, raw):
                raise Refused(Reason.REPEATED)
        else:
            into[key] = self._read(spec, raw)

    def _extend(self, entries: list[Scalar], slot: Slot, raw: object, most: int) -> None:
        parts = raw if isinstance(raw, list) else _ENTRIES.split(text_of(raw)) if isinstance(raw, str) else [raw]
        for part in parts[: 10 * most]:
            try:
                value = self._read(slot.field, part)
            except Refused as refused:
                self.drop(slot.name, refused.reason)
                continue
            if value in entries:
                continue
            if len(entries) >= most:
                self.drop(slot.name, Reason.TOO_MANY)
                return
            entries.append(value)

    def _read(self, spec: FieldSpec, raw: object) -> Scalar:
        raw = _one(raw)
        value = spec.form.read(text_of(_composed(spec, raw) if isinstance(raw, Mapping) else raw))
        if isinstance(spec.form, NameForm):
            return self.names.opaque(spec.form.category, str(value), self.vocabulary.protocol.limits.names)
        return value

    def _add(self, records: dict[str, list[dict[str, Value]]], kind: str, record: dict[str, Value]) -> None:
        if not record:
            return
        if len(records.setdefault(kind, [])) >= self.vocabulary.protocol.limits.records:
            self.drop(kind, Reason.TOO_MANY)
        elif record in records[kind]:
            self.drop(kind, Reason.REPEATED)
        else:
            records[kind].append(record)


def _one(raw: object) -> object:
    """A list with one entry is that entry, for a field that is no list."""
    return raw[0] if isinstance(raw, list) and len(raw) == 1 else raw


def _composed(spec: FieldSpec, raw: Mapping[Any, Any]) -> str:
    """A sum or a place that came as an object of its parts, as text."""
    parts = _PARTS.get(type(spec.form))
    if parts is None:
        raise Refused(Reason.WRONG_TYPE)
    members = {words(str(key)): value for key, value in islice(raw.items(), 20)}
    found = [next((members[name] for name in names.split(" ") if name in members), None) for names in parts]
    if found[0] is None:
        raise Refused(Reason.WRONG_TYPE)
    return (", " if isinstance(spec.form, CoordinatesForm) else " ").join(
        text_of(each) for each in found if each is not None
    )
