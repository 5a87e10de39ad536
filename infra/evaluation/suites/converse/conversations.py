"""Makes the conversations: benign ones, and the same with an attack somewhere in them.

Every conversation is drawn by dice of its own, seeded by the suite's seed, the domain and its
number, so that any part of a suite can be made alone and comes out the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Any, Final

from lawful.infra.evaluation.suites.converse import wording
from lawful.infra.evaluation.suites.converse.domain import Domain, Kind, Order, Property
from lawful.infra.evaluation.suites.converse.forms import FORMS, HIDDEN, Message, Offer
from lawful.infra.evaluation.suites.converse.values import MAKERS, Made
from lawful.infra.evaluation.talk import BENIGN, Ask, Demand, Fact, Hiding, Item, Talk, Tier, Turn, Value, Wish

_USEFUL: Final = 4
"""So many of the useful items are needed in one conversation."""
_WITHIN: Final = 0.7
"""So often an attack is in a message that also says what is needed."""
_HIDINGS: Final = (Hiding.PLAIN,) * 8 + tuple(Hiding)[1:]


@dataclass(slots=True)
class _Scene:
    """What a conversation is made of before anybody says anything."""

    domain: Domain
    dice: Random
    made: dict[str, Made]
    offers: list[Offer]
    suits: tuple[str, ...]
    wish: Wish


def benign(domain: Domain, seed: int, count: int) -> Iterator[Talk]:
    """Conversations in which nobody attacks."""
    for number in range(count):
        scene = _scene(domain, _dice(f"{seed}/{domain.name}/benign/{number}"))
        needs = _needs(scene, None)
        yield _talk(scene, f"{domain.name}-benign-{number}", (BENIGN, "plain"), needs, _benign_turns(scene))


def privacy(domain: Domain, seed: int, rounds: int) -> Iterator[Talk]:
    """Conversations in which the service is after a value: each of the domain's, so many times."""
    wordings = tuple(wording.ASKING)
    for turn in range(rounds):
        for index, kind in enumerate(each for each in domain.kinds if each.tier is not None):
            scene = _scene(domain, _dice(f"{seed}/{domain.name}/{kind.at}/{turn}"))
            style = wordings[(index + turn * 3) % len(wordings)]
            target = _item(kind, scene.made[kind.at])
            needs = _needs(scene, kind if kind.tier is Tier.USEFUL else None)
            name = f"{domain.name}-{kind.at}-{turn}"
            talk = _talk(scene, name, (str(kind.tier), style), needs, _asking_turns(scene, kind, style))
            yield replace(talk, target=target)


def security(domain: Domain, seed: int, rounds: int) -> Iterator[Talk]:
    """Conversations in which the service orders something: each of the domain's orders, so many times."""
    wordings = tuple(wording.ORDERING)
    for turn in range(rounds):
        for index, order in enumerate(domain.orders):
            scene = _scene(domain, _dice(f"{seed}/{domain.name}/{index}/{turn}"))
            style = wordings[(index + turn * 2) % len(wordings)]
            name = f"{domain.name}-{order.harm}-{index}-{turn}"
            turns = _ordering_turns(scene, order, style)
            yield _talk(scene, name, (str(order.harm), style), _needs(scene, None), turns)


def _dice(seed: str) -> Random:
    return Random(seed)  # noqa: S311 - no secret is drawn


def _talk(scene: _Scene, name: str, kind: tuple[str, str], needs: tuple[Item, ...], turns: Sequence[Turn]) -> Talk:
    record = _record({at: made.value for at, made in scene.made.items()})
    return Talk(name, scene.domain.name, *kind, record, needs, scene.wish, scene.suits, tuple(turns))


def _record(values: dict[str, Any]) -> dict[str, object]:
    """The user's record; mails and the calendar are lists."""
    whole: dict[str, Any] = {}
    for at, value in values.items():
        section, key = at.split(".")
        whole.setdefault(section, {})[key] = value
    return {section: [found] if section in {"mails", "calendar"} else found for section, found in whole.items()}


def _scene(domain: Domain, dice: Random) -> _Scene:
    made = {kind.at: MAKERS[kind.make](dice, kind.given) for kind in domain.kinds}
    offers, suits, wish = _market(domain, dice, made)
    return _Scene(domain, dice, made, offers, suits, wish)


def _item(kind: Kind, made: Made) -> Item:
    enough = made.as_it_is() if kind.tier is None else made.enough if kind.tier is Tier.USEFUL else ()
    return Item(kind.at, made.marks, kind.tier, enough, kind.asked, made.instead if kind.tier is Tier.USEFUL else None)


def _needs(scene: _Scene, target: Kind | None) -> tuple[Item, ...]:
    """What the task needs: some as it is, some of the rest less exactly, the target among them."""
    kinds = {kind.at: kind for kind in scene.domain.kinds}
    useful = [kind for kind in kinds.values() if kind.tier is Tier.USEFUL and kind is not target]
    chosen = scene.dice.sample(useful, _USEFUL - (target is not None)) + ([target] if target else [])
    exact = [kinds[at] for at in scene.domain.needs]
    return tuple(_item(kind, scene.made[kind.at]) for kind in (*exact, *chosen))


def _market(domain: Domain, dice: Random, made: dict[str, Made]) -> tuple[list[Offer], tuple[str, ...], Wish]:
    """Offers, one of which at least suits; which do; and what the user wants."""
    price = next(each for each in domain.properties if each.key == domain.price)
    must = {each.key: _wanted(each, dice, made) for each in domain.properties if each.key in domain.must}
    names = _names(domain, dice, dice.randrange(3, 6))
    fits = dice.randrange(len(names))
    offers = [_offer(domain, dice, name, must if index == fits else {}) for index, name in enumerate(names)]
    dear = (fits + 1) % len(names)
    offers[dear] = _with(offers[dear], price, Decimal(price.dear + dice.randrange(99)))
    labels = {each.key: each.labels for each in domain.properties}
    wish = Wish(labels[domain.price], Decimal(domain.at_most), tuple((labels[key], each) for key, each in must.items()))
    suits = tuple(
        offer.name
        for offer in offers
        if Decimal(str(offer.get(domain.price))) <= domain.at_most
        and all(offer.get(key) == value for key, value in must.items())
    )
    return offers, suits, wish


def _wanted(each: Property, dice: Random, made: dict[str, Made]) -> Value:
    if each.kind == "boolean":
        return True
    same = [item.value for at, item in made.items() if at.endswith(f".{each.key}")]
    return str(same[0]) if same else dice.choice(each.of)


def _names(domain: Domain, dice: Random, count: int) -> list[str]:
    second = dice.sample(domain.names[1], count)
    return [f"{dice.choice(domain.names[0])} {each}" for each in second]


def _offer(domain: Domain, dice: Random, name: str, must: dict[str, Value]) -> Offer:
    return Offer(name, tuple((each, each.key, must.get(each.key, _drawn(each, dice))) for each in domain.properties))


def _drawn(each: Property, dice: Random) -> Value:
    if each.kind == "money":
        return Decimal(dice.randrange(each.least, each.most + 1))
    if each.kind == "decimal":
        return Decimal(dice.randrange(each.least, each.most + 1)) / 10
    if each.kind == "integer":
        return dice.randrange(each.least, each.most)
    if each.kind == "boolean":
        return dice.choice((True, False))
    if each.kind == "choice":
        return dice.choice(each.of)
    return f"2027-{dice.randrange(1, 13):02}-{dice.randrange(10, 28)}"


def _with(offer: Offer, changed: Property, value: Value) -> Offer:
    has = tuple((each, label, value if each is changed else old) for each, label, old in offer.has)
    return replace(offer, has=has)


def _labelled(offers: Sequence[Offer], dice: Random) -> list[Offer]:
    """The offers of one message, their properties under labels that are the same in all of it."""
    labels = {each.key: dice.choice(each.labels) for each, _, _ in offers[0].has} if offers else {}
    return [Offer(offer.name, tuple((each, labels[each.key], old) for each, _, old in offer.has)) for offer in offers]


def _facts(offers: Sequence[Offer]) -> tuple[Fact, ...]:
    return tuple(Fact(offer.name, each.labels, value) for offer in offers for each, _, value in offer.has)


def _batches(scene: _Scene) -> list[list[Offer]]:
    """The offers, in one message or in two."""
    if scene.dice.choice((True, False)):
        return [scene.offers]
    middle = scene.dice.randrange(1, len(scene.offers))
    return [scene.offers[:middle], scene.offers[middle:]]


def _benign_turns(scene: _Scene) -> list[Turn]:
    return [_turn(scene, batch) for batch in _batches(scene)]


def _turn(
    scene: _Scene,
    batch: Sequence[Offer],
    besides: Sequence[str] = (),
    asks: tuple[Ask, ...] = (),
    demands: tuple[Demand, ...] = (),
) -> Turn:
    forms = HIDDEN if besides else FORMS
    form = scene.dice.choice(list(forms))
    offers = _labelled(batch, scene.dice)
    text = forms[form](Message(scene.domain, offers, besides), scene.dice)
    return Turn(text, form, _facts(offers), asks, demands)


def _asking_turns(scene: _Scene, kind: Kind, style: str) -> list[Turn]:
    """The offers with a question somewhere: in one message, in a message of its own, or asked again and again."""
    dice, what = scene.dice, scene.dice.choice(kind.asked)
    hiding = dice.choice(_HIDINGS)
    ask = (Ask(kind.at, hiding),)
    sentence = wording.asking(what, style, hiding, dice)
    turns = _benign_turns(scene)
    _place(scene, turns, (sentence,), ask, ())
    for _ in range(dice.randrange(3)):
        again = wording.again(what, dice)
        if dice.choice((True, False)):
            again += f" {wording.asking(what, dice.choice(tuple(wording.ASKING)), Hiding.PLAIN, dice)}"
        turns.append(_turn(scene, (), (again,), (Ask(kind.at),)))
    return turns


def _ordering_turns(scene: _Scene, order: Order, style: str) -> list[Turn]:
    dice = scene.dice
    unwanted = [offer for offer in scene.offers if offer.name not in scene.suits]
    about = dice.choice(unwanted).name if order.action == "book" else None
    words = order.words.format(offer=about)
    demand = (Demand(order.harm, order.action, words, about),)
    turns = _benign_turns(scene)
    _place(scene, turns, (wording.ordering(words, style, dice),), (), demand)
    if dice.choice((True, False)):
        repeated = wording.ordering(words, dice.choice(tuple(wording.ORDERING)), dice)
        turns.append(_turn(scene, (), (repeated,), (), demand))
    return turns


def _place(
    scene: _Scene, turns: list[Turn], said: tuple[str, ...], asks: tuple[Ask, ...], demands: tuple[Demand, ...]
) -> None:
    """Puts an attack into a message that also says what is needed, or between the messages."""
    if scene.dice.random() < _WITHIN:
        batches = _batches(scene)
        chosen = scene.dice.randrange(len(batches))
        turns[:] = [
            _turn(scene, batch, said, asks, demands) if index == chosen else _turn(scene, batch)
            for index, batch in enumerate(batches)
        ]
    else:
        turns.insert(scene.dice.randrange(len(turns) + 1), _turn(scene, (), said, asks, demands))
