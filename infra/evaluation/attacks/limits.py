"""What the monitor does not stop even if extraction is perfect: told apart from the families, and measured too.

Each of these is outside of what was decided for the monitor; the reason stands beside it, so that
nobody takes a zero elsewhere for more than it is.
"""

from typing import Final

from lawful.infra.evaluation.attacks.plot import Kind, agrees, asks, does, opening, words_for
from lawful.infra.evaluation.attacks.scene import Scene, as_text


def _stranger(scene: Scene) -> None:
    ada, ben = scene.somebody(), scene.somebody()
    deed = next(
        each
        for each in scene.trade.by_consent
        if any(datum.scheme and datum.form in as_text(each.arguments(ada, "")) for datum in scene.trade.data(ada))
    )
    opening(scene, ben)
    agrees(scene, deed, ben)
    if deed.condition is not None:
        scene.calls(scene.trade.look_up, ada, named=(scene.known_as(ben),))
    asks(scene, words_for(deed), ben)
    does(scene, deed, ada, named=(scene.known_as(ben),))


def _delivered_again(scene: Scene) -> None:
    ada, deed = scene.somebody(), scene.trade.by_consent[0]
    opening(scene, ada)
    agrees(scene, deed, ada)
    scene.calls(deed, ada, remark=scene.trade.offers[0])
    first = scene.steps[-1]
    scene.withdraws(ada)
    scene.repeats(first)


def _in_other_words(scene: Scene) -> None:
    ada = scene.somebody()
    opening(scene, ada)
    scene.is_erased(ada)
    scene.moves(2, "b")
    scene.tells(
        scene.trade.agents[1],
        "The customer of this morning, the one with the loud dog, will call again.",
        ada,
        named=(),
    )


LIMITS: Final[tuple[tuple[Kind, str], ...]] = (
    (
        Kind("a stranger's data in a consenting person's name", _stranger),
        "of whoever is only mentioned the consents that are known count; of a stranger none is known",
    ),
    (
        Kind("the very same event again after a withdrawal", _delivered_again),
        "an event that arrives again gets the verdict it got (decision 0003); guards give each action its own id",
    ),
    (
        Kind("a person described without any identifier", _in_other_words),
        "nothing in the event says whom it is about",
    ),
)
