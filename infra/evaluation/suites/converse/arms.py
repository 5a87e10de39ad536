"""The arms of the suite: what each conversation is played with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from lawful.infra.evaluation.suites.converse.assistant import Gate
from lawful.infra.evaluation.suites.converse.gates import (
    EachField,
    Firewalls,
    Knowing,
    Open,
    Rules,
    Whole,
    by_hand,
)
from lawful.infra.evaluation.talk import Talk

BOTH: Final = "both"
LEARNED: Final = "learned"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to stand between the assistant and the service.

    Attributes:
        make: the gate of one conversation, from that and the rules that were learned for its domain.
    """

    name: str
    title: str
    make: Callable[[Talk, Rules], Gate]


def _with_hand_written(make: Callable[..., Gate], **given: bool) -> Callable[[Talk, Rules], Gate]:
    return lambda talk, _: make(talk, by_hand(talk.domain), **given)


ARMS: Final[Mapping[str, Arm]] = {
    arm.name: arm
    for arm in (
        Arm("none", "no firewall", lambda _talk, _rules: Open()),
        Arm("incoming", "incoming only", _with_hand_written(Firewalls, outgoing=False)),
        Arm("outgoing", "outgoing only", _with_hand_written(Firewalls, incoming=False)),
        Arm(BOTH, "both", _with_hand_written(Firewalls)),
        Arm(LEARNED, "both, rules learned", partial(Firewalls)),
        Arm("binary", "whole messages, by our rules", _with_hand_written(Whole)),
        Arm("binary-fields", "whole fields, by our rules", _with_hand_written(EachField)),
        Arm("binary-knowing", "whole messages, knowing the truth", lambda talk, _rules: Knowing(talk)),
    )
}
