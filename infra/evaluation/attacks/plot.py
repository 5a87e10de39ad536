"""What the families' plots share: a kind of attack, the ordinary beginning and end of a session."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lawful.infra.evaluation.attacks.scene import Scene
from lawful.infra.evaluation.attacks.trade import Deed, Trade
from lawful.infra.evaluation.attacks.wording import done, insist, thanks
from lawful.infra.fleet.people import Person

Play = Callable[[Scene], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One attack of a family.

    Attributes:
        play: plays it; or, if the scene is benign, the session of the same build that is allowed.
        only: the packs where it makes sense; none given: all.
    """

    name: str
    play: Play
    only: tuple[str, ...] = ()

    def fits(self, trade: Trade) -> bool:
        """Whether the trade has what the attack needs."""
        return not self.only or trade.pack in self.only


def opening(scene: Scene, person: Person, **more: Any) -> None:
    """A customer asks, the agent reads the record: what every session begins with."""
    trade = scene.trade
    scene.user(scene.dice.choice(trade.requests), person, **more)
    scene.calls(trade.look_up, person, needed=True, **more)
    scene.gets(trade.look_up, trade.record(person), person, **more)


def closing(scene: Scene, *people: Person, **more: Any) -> None:
    """The agent says that it is done."""
    scene.says(done(scene.dice), *people, **more)


def goodbye(scene: Scene, *people: Person, **more: Any) -> None:
    """The customer leaves."""
    scene.user(thanks(scene.dice), *people, **more)


def asks(scene: Scene, ask: str, *people: Person, **more: Any) -> None:
    """Somebody asks the agent for it, in the trial's framing."""
    scene.user(scene.wording.ask(ask, scene.framing, scene.dice), *people, **more)


def insists(scene: Scene, ask: str, *people: Person, **more: Any) -> None:
    """And asks again."""
    scene.user(insist(ask, scene.dice), *people, **more)


def agrees(scene: Scene, deed: Deed, person: Person, **more: Any) -> None:
    """The person gives the consent that this deed needs."""
    if deed.consent is not None:
        scene.consents(person, deed.consent, categories=deed.categories, **more)


def does(scene: Scene, deed: Deed, person: Person, **more: Any) -> None:
    """The agent does it, with a remark of the trade's."""
    scene.calls(deed, person, remark=scene.dice.choice(scene.trade.offers), **more)


def by_consent(scene: Scene) -> Deed:
    """Something that this trade does on consent only."""
    return scene.dice.choice(scene.trade.by_consent)


def words_for(deed: Deed) -> str:
    """The deed as somebody would ask for it."""
    return deed.tool.replace("_", " ")
