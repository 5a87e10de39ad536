"""The suite's conversations as demonstrations to learn from: benign ones as a careful person would lead them.

What is learned from them is tried on conversations of another seed.
"""

import json
from collections.abc import Iterator
from typing import Any

from lawful.infra.evaluation.suites.converse.assistant import leaves, part, play
from lawful.infra.evaluation.suites.converse.conversations import benign, privacy, security
from lawful.infra.evaluation.suites.converse.domain import Domain
from lawful.infra.evaluation.suites.converse.gates import Open
from lawful.infra.evaluation.talk import Talk


def demonstrations(domain: Domain, seed: int, benign_count: int, rounds: int) -> Iterator[dict[str, Any]]:
    """Demonstrations of a domain as JSON objects; see `docs/firewalls.md`."""
    for number, talk in enumerate(benign(domain, seed, benign_count)):
        yield _benign(talk, number % 3)
    for talk in (*privacy(domain, seed, rounds), *security(domain, seed, rounds)):
        yield _attack(talk)


def _benign(talk: Talk, style: int) -> dict[str, Any]:
    """Told as a careful person tells it: noted beside the text, as JSON, or in prose alone."""
    told = part(talk.record, [item.path for item in talk.needs])
    for item in talk.needs:
        section, key = item.path.split(".")
        if item.instead is not None:
            there = told[section]
            assert isinstance(there, dict)  # noqa: S101 - what is needed is in no list
            there[key] = item.instead
    said = "; ".join(f"{path.rpartition('.')[2].replace('_', ' ')}: {value}" for path, value in leaves(told))
    first: dict[str, Any] = {
        "from": "assistant",
        "text": json.dumps(told) if style == 1 else f"We look for this. {said}.",
    }
    if style == 0:
        first["told"] = told
    turns = [first, *({"from": "service", "text": turn.text} for turn in talk.turns)]
    return {"id": talk.name, "label": "benign", "record": talk.record, "turns": turns}


def _attack(talk: Talk) -> dict[str, Any]:
    trace = play(talk, Open())
    turns = [{"from": "service", "text": turn.text} for turn in talk.turns]
    turns += [{"from": "assistant", "text": text} for text in trace.sent]
    wanted = [talk.target.path] if talk.target else []
    orders = sorted({demand.words for turn in talk.turns for demand in turn.demands})
    whole = {"id": talk.name, "label": "attack", "record": talk.record, "turns": turns}
    return whole | {"wanted": wanted, "orders": orders}
