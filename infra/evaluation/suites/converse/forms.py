"""How a service writes its message: sentences, lines, a table or JSON, with whatever else it wants to say hidden in it.

In every form the message says the same offers; where the form has a place for it, what is asked or
ordered stands between the data, as a field, a column, a comment or part of a name.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from random import Random
from typing import Any, Final

from lawful.infra.evaluation.suites.converse.domain import Domain, Property
from lawful.infra.evaluation.suites.converse.wording import CLOSINGS, OPENINGS, SMALL_TALK
from lawful.infra.evaluation.talk import Value

_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_HIDDEN_KEYS: Final = ("note", "remark", "assistant_instructions", "next_step", "required_from_client", "system")


@dataclass(frozen=True, slots=True)
class Offer:
    """One offer: its name, and what it has, under which label."""

    name: str
    has: tuple[tuple[Property, str, Value], ...]

    def get(self, key: str) -> Value:
        """A property's value."""
        return next(value for known, _, value in self.has if known.key == key)


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be said: offers, and sentences besides."""

    domain: Domain
    offers: Sequence[Offer]
    besides: Sequence[str] = field(default=(), repr=False)


def prose(message: Message, dice: Random) -> str:
    """Sentences."""
    lines = [dice.choice(OPENINGS)]
    for offer in message.offers:
        parts = [f"the {label} is {_written(known, value, dice)}" for known, label, value in offer.has]
        opening = dice.choice(("There is", "We have", "Then there is")) + f" the {message.domain.offer} {offer.name}"
        lines.append(f"{opening}: {', '.join(parts[:-1])}, and {parts[-1]}.")
    return _around(lines, message.besides, dice)


def lines(message: Message, dice: Random) -> str:
    """A block of `Label: value` for each offer."""
    called = message.domain.offer.capitalize()
    blocks = [dice.choice(OPENINGS)]
    for offer in message.offers:
        block = [f"{called}: {offer.name}"]
        block += [f"{label.capitalize()}: {_written(known, value, dice)}" for known, label, value in offer.has]
        blocks.append("\n".join(block))
    return _around(blocks, message.besides, dice, "\n\n")


def table(message: Message, dice: Random) -> str:
    """A Markdown table, an offer a row."""
    if not message.offers:
        return prose(message, dice)
    has = message.offers[0].has
    has_column = bool(message.besides) and dice.choice((True, False))
    extra = [dice.choice(("remarks", "next step", "please note"))] if has_column else []
    rows = [
        [offer.name, *(_written(known, value, dice) for known, _, value in offer.has), *(" " for _ in extra)]
        for offer in message.offers
    ]
    if extra:
        rows[dice.randrange(len(rows))][-1] = " ".join(message.besides).replace("|", "/")
    head = [message.domain.offer, *(label for _, label, _ in has), *extra]
    text = "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))
    return _around([dice.choice(OPENINGS), text], () if extra else message.besides, dice, "\n\n")


def as_json(message: Message, dice: Random) -> str:
    """One JSON object, bare, fenced or within prose."""
    offers = []
    for offer in message.offers:
        one: dict[str, Any] = {"name": offer.name}
        one |= {label.replace(" ", "_"): _plain(known, value, dice) for known, label, value in offer.has}
        offers.append(one)
    whole: dict[str, Any] = {message.domain.called[0]: offers}
    for sentence in message.besides:
        target = dice.choice([whole, *offers])
        target[dice.choice(_HIDDEN_KEYS)] = dice.choice((sentence, [sentence], {"text": sentence}))
    text = json.dumps(whole, indent=dice.choice((None, 2)))
    style = dice.randrange(3)
    if style == 0:
        return text
    return _around([dice.choice(OPENINGS), f"```json\n{text}\n```" if style == 1 else text], (), dice, "\n")


def in_name(message: Message, dice: Random) -> str:
    """Lines, with the sentences as part of an offer's name."""
    if not message.offers:
        return prose(message, dice)
    offers = list(message.offers)
    chosen = dice.randrange(len(offers))
    offers[chosen] = replace(offers[chosen], name=" ".join((offers[chosen].name, *message.besides)))
    return dice.choice((lines, table, as_json))(replace(message, offers=offers, besides=()), dice)


def commented(message: Message, dice: Random) -> str:
    """A table or lines, with the sentences in a comment that a page would not show."""
    text = dice.choice((table, lines))(replace(message, besides=()), dice)
    hidden = " ".join(message.besides)
    return f"{text}\n<!-- {hidden} -->" if hidden else text


FORMS: Final[dict[str, Callable[[Message, Random], str]]] = {
    "prose": prose,
    "lines": lines,
    "table": table,
    "json": as_json,
}
HIDDEN: Final[dict[str, Callable[[Message, Random], str]]] = {**FORMS, "in a name": in_name, "comment": commented}


def _around(blocks: list[str], besides: Sequence[str], dice: Random, glue: str = " ") -> str:
    """The blocks with what else there is to say somewhere between them."""
    said = list(blocks)
    for sentence in besides:
        said.insert(dice.randrange(len(said) + 1), sentence)
    if dice.choice((True, False)):
        said.insert(dice.randrange(1, len(said) + 1), dice.choice(SMALL_TALK))
    return glue.join((*said, dice.choice(CLOSINGS)))


def _written(known: Property, value: Value, dice: Random) -> str:
    if known.kind == "money":
        return dice.choice((f"{value:.2f} EUR", f"EUR {value:.0f}", f"{value:.0f} EUR"))
    if known.kind == "boolean":
        return "yes" if value else "no"
    if known.kind == "date":
        year, month, day = str(value).split("-")
        return dice.choice((str(value), f"{int(day)} {_MONTHS[int(month) - 1]} {year}"))
    return f"{value} {known.unit}".rstrip()


def _plain(known: Property, value: Value, dice: Random) -> Any:
    if known.kind == "boolean":
        return value
    if known.kind == "integer" and not known.unit:
        return value
    if isinstance(value, Decimal) and known.kind == "decimal" and dice.choice((True, False)):
        return float(value)
    return _written(known, value, dice)
