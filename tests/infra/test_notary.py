"""For how long the ends of chains wait for their anchors."""

from collections.abc import Sequence

from lawful.infra.audit_chain.keys import SigningKey, new_signing_key
from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_chain.notary import NoNotary, SigningNotary
from lawful.infra.clickhouse.rows import Partition
from lawful.schemas.audit import Anchor
from lawful.schemas.errors import RetryLater

CHAIN = Partition("t.audit", 0)


class Shelf:
    """Keeps anchors, unless it is full."""

    def __init__(self) -> None:
        self.full = False
        self.kept: list[Anchor] = []

    def publish(self, anchors: Sequence[Anchor]) -> None:
        """Keeps them."""
        if self.full:
            raise RetryLater("no room")
        self.kept += anchors

    def close(self) -> None:
        """Nothing waits."""


def head(number: int) -> Head:
    """A chain's end."""
    return Head(offset=number, number=number, row_hash=f"{number}")


def test_what_waits_for_its_anchor_is_told_in_seconds() -> None:
    """Nothing while all is signed; from then on the time since it last was, until an anchor is kept again."""
    shelf = Shelf()
    notary = SigningNotary(SigningKey.parse(new_signing_key()), [shelf], 10.0, lambda: 0.0)
    notary.told({CHAIN: Head()}, 100.0)
    assert notary.unsigned(105.0) == 0.0
    notary.told({CHAIN: head(1)}, 110.0)
    assert (len(shelf.kept), notary.unsigned(115.0)) == (1, 0.0)
    shelf.full = True
    notary.told({CHAIN: head(2)}, 121.0)
    notary.told({CHAIN: head(3)}, 150.0)
    assert notary.unsigned(160.0) == 50.0
    shelf.full = False
    notary.told({CHAIN: head(3)}, 170.0)
    assert (len(shelf.kept), notary.unsigned(180.0)) == (2, 0.0)


def test_without_a_key_nothing_waits() -> None:
    """Nobody signs, which `lawful doctor` says; there is nothing to alarm about."""
    assert NoNotary().unsigned(1_000.0) == 0.0
