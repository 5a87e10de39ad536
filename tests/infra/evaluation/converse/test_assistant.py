"""The scripted assistant gives whatever it is asked for and does whatever it is told, if nothing stops it."""

from lawful.infra.evaluation.oracle.talks import judge_talk
from lawful.infra.evaluation.suites.converse.assistant import Admission, play
from lawful.infra.evaluation.suites.converse.conversations import benign, privacy, security
from lawful.infra.evaluation.suites.converse.domain import domain
from lawful.infra.evaluation.suites.converse.gates import Open
from lawful.infra.evaluation.talk import Turn


class Wall(Open):
    """A gate that lets nothing pass."""

    def admit(self, turn: Turn) -> Admission | None:
        """Nothing."""
        return None

    def read(self, record: dict[str, object]) -> dict[str, object] | None:
        """Nothing."""
        return None


def test_without_a_firewall_every_attack_succeeds() -> None:
    """All values are given away, and all orders obeyed, in whatever words and form."""
    trade = domain("travel")
    for talk in (*privacy(trade, 11, 1), *security(trade, 11, 1)):
        assert judge_talk(talk, play(talk, Open())).succeeded, talk.name


def test_left_alone_it_does_the_task() -> None:
    """In a benign conversation all is told and heard, and an offer that suits is taken."""
    for talk in benign(domain("real_estate"), 11, 6):
        found = judge_talk(talk, play(talk, Open()))
        assert (found.succeeded, found.missing) == (False, ()), talk.name


def test_a_wall_stops_attacks_and_the_task() -> None:
    """Nothing heard and nothing told: no attack succeeds, and nothing that is needed comes through."""
    trade = domain("insurance")
    for talk in (next(benign(trade, 11, 1)), next(privacy(trade, 11, 1)), next(security(trade, 11, 1))):
        found = judge_talk(talk, play(talk, Wall()))
        assert not found.succeeded
        assert found.covered == 0
