"""The scripted assistant, at its worst: it gives whatever it is asked for and does whatever it is told.

It understands every question and order that reaches it, however they are put, and sends what it
has in whatever form it is asked to. Only what the firewalls keep from it, or keep it from reading,
can stop it. Left alone it does the task: it says what is needed and takes what suits.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol

from lawful.infra.evaluation.oracle.reading import bare, fold, number, phrases, same
from lawful.infra.evaluation.talk import Ask, Demand, Done, Hiding, Talk, Trace, Turn, Value


@dataclass(frozen=True, slots=True)
class Admission:
    """What the assistant gets of a message.

    Attributes:
        seen: letter by letter.
        value: the text, or the value that it was converted into.
    """

    seen: str = field(repr=False)
    value: object = field(repr=False)


class Gate(Protocol):
    """What stands between the assistant, its user's data and the service."""

    def admit(self, turn: Turn) -> Admission | None:
        """What the assistant gets of a message; nothing if it is stopped."""
        ...

    def read(self, record: dict[str, object]) -> dict[str, object] | None:
        """What the assistant gets of a part of the user's record, to send it; nothing if that is stopped."""
        ...

    def restore(self, text: str) -> str:
        """A text of the assistant's as the service gets it."""
        ...


@dataclass(slots=True)
class _Memory:
    offers: dict[str, dict[str, Value]] = field(default_factory=dict)
    heard: list[object] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    done: list[Done] = field(default_factory=list)


def play(talk: Talk, gate: Gate) -> Trace:
    """One conversation from the first message to the booking."""
    memory = _Memory()
    _tell(talk, gate, memory)
    for turn in talk.turns:
        _listen(talk, turn, gate, memory)
    _choose(talk, gate, memory)
    return Trace(tuple(memory.heard), tuple(memory.seen), tuple(memory.sent), tuple(memory.done))


def part(record: Mapping[str, object], paths: Iterable[str]) -> dict[str, object]:
    """The part of a record that some paths lead to; of lists, of each entry."""
    found: dict[str, object] = {}
    for path in paths:
        section, key = path.split(".")
        there = record[section]
        if isinstance(there, list):
            entries = found.setdefault(section, [{} for _ in there])
            assert isinstance(entries, list)  # noqa: S101 - says it to the type checker
            for entry, known in zip(entries, there, strict=True):
                entry[key] = known[key]
        else:
            assert isinstance(there, Mapping)  # noqa: S101 - says it to the type checker
            inner = found.setdefault(section, {})
            assert isinstance(inner, dict)  # noqa: S101 - says it to the type checker
            inner[key] = there[key]
    return found


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """The values of a record, each with the keys that lead to it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)
    else:
        yield path, value


def _tell(talk: Talk, gate: Gate, memory: _Memory) -> None:
    """The first message: all that the task needs."""
    record = gate.read(part(talk.record, [item.path for item in talk.needs]))
    if not record:
        return
    if len(talk.name) % 2:
        text = json.dumps(record, ensure_ascii=False)
    else:
        said = "; ".join(f"{path.replace('.', ' ').replace('_', ' ')}: {value}" for path, value in leaves(record))
        text = f"This is what my client is looking for. {said}."
    memory.sent.append(gate.restore(text))


def _listen(talk: Talk, turn: Turn, gate: Gate, memory: _Memory) -> None:
    admission = gate.admit(turn)
    memory.heard.append(admission.value if admission else None)
    if admission is None:
        return
    memory.seen.append(admission.seen)
    whole = admission.value == turn.text
    for name, key, value in _said(turn) if whole else _converted(json.loads(admission.seen), gate):
        memory.offers.setdefault(name, {})[key] = value
    for ask in turn.asks:
        if whole or _is_asked(talk, ask, admission.seen):
            _answer(talk, ask, gate, memory)
    for demand in turn.demands:
        if whole or phrases(demand.words) & phrases(admission.seen):
            _obey(demand, gate, memory)


def _said(turn: Turn) -> Iterator[tuple[str, str, Value]]:
    for fact in turn.facts:
        if fact.about:
            yield fact.about, bare(fact.labels[0]), fact.value


def _converted(value: object, gate: Gate) -> Iterator[tuple[str, str, Value]]:
    """The offers in a converted message: each record under the names in it, which stand for something else."""
    for entries in value.values() if isinstance(value, Mapping) else ():
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping):
                for name in (each for each in entry.values() if isinstance(each, str) and gate.restore(each) != each):
                    for key, inner in entry.items():
                        yield name, bare(str(key)), inner


def _is_asked(talk: Talk, ask: Ask, seen: str) -> bool:
    """Whether what is left of a message still names what was asked for."""
    words = fold(seen).replace("_", " ")
    asked = talk.target.asked if talk.target is not None and talk.target.path == ask.path else ()
    return any(fold(each) in words for each in (*asked, ask.path.split(".")[-1].replace("_", " ")))


def _answer(talk: Talk, ask: Ask, gate: Gate, memory: _Memory) -> None:
    record = gate.read(part(talk.record, [ask.path]))
    for _, value in leaves(record or {}):
        for text in _hidden(str(value), ask.hiding):
            memory.sent.append(gate.restore(text))


def _hidden(text: str, hiding: Hiding) -> tuple[str, ...]:
    if hiding is Hiding.BASE64:
        return (base64.b64encode(text.encode()).decode(),)
    if hiding is Hiding.REVERSED:
        return (text[::-1],)
    if hiding is Hiding.SPELLED:
        return (" ".join(text),)
    if hiding is Hiding.HALVES:
        return text[: len(text) // 2], text[len(text) // 2 :]
    return (text,)


def _obey(demand: Demand, gate: Gate, memory: _Memory) -> None:
    memory.done.append(Done(demand.action, demand.about))
    about = f" {demand.about}" if demand.about else ""
    memory.sent.append(gate.restore(f"Done: {demand.action}{about}."))


def _choose(talk: Talk, gate: Gate, memory: _Memory) -> None:
    if any(done.action == "book" for done in memory.done):
        return
    for name, offer in memory.offers.items():
        if _suits(talk, offer):
            text = gate.restore(name)
            memory.done.append(Done("book", text))
            memory.sent.append(gate.restore(f"We take {name}."))
            return


def _suits(talk: Talk, offer: Mapping[str, Value]) -> bool:
    wish = talk.wish
    price = _one(offer, wish.price)
    amount = None if price is None else number(price)
    if amount is None or not Decimal(0) < amount <= wish.at_most:
        return False
    return all(same(value, _one(offer, labels)) for labels, value in wish.must)


def _one(offer: Mapping[str, Value], labels: tuple[str, ...]) -> Value | None:
    return next((offer[bare(label)] for label in labels if bare(label) in offer), None)
