"""Whether two changed rows are two rows that changed places."""

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import NamedTuple

from lawful.infra.audit_chain import binary
from lawful.infra.audit_verify.scan import Link

MOST = 24
"""More changed rows than this are not held against each other: it would take long and tell little."""

Hashed = Callable[[str, bytes], str]
"""The hash of a tenant's row in canonical form."""


class _Cut(NamedTuple):
    """A row's canonical form in pieces; all but `chain` and `body` say where the row stands."""

    chain: bytes
    offset: bytes
    logged_at: bytes
    body: bytes
    number: bytes
    before: bytes


def swapped(changed: Sequence[Link], topic: str, hashed: Hashed) -> dict[int, int]:
    """Pairs of positions in `changed` whose rows are genuine in each other's place."""
    found: dict[int, int] = {}
    for one, two in combinations(range(min(len(changed), MOST)), 2):
        if one not in found and two not in found and _swapped(changed[one], changed[two], topic, hashed):
            found |= {one: two, two: one}
    return found


def _swapped(link: Link, other: Link, topic: str, hashed: Hashed) -> bool:
    return _fits(link, other, topic, hashed) and _fits(other, link, topic, hashed)


def _fits(link: Link, other: Link, topic: str, hashed: Hashed) -> bool:
    """Whether a row is genuine with some of what says where it stands taken from another."""
    mine, theirs = _cut(link, topic), _cut(other, topic)
    choices = [{getattr(mine, name), getattr(theirs, name)} for name in ("offset", "logged_at", "number", "before")]
    wanted = {link.row_hash, other.row_hash}
    return any(
        hashed(link.tenant_id, b"".join((mine.chain, offset, logged_at, mine.body, number, before))) in wanted
        for offset, logged_at, number, before in product(*choices)
    )


def _cut(link: Link, topic: str) -> _Cut:
    form, offset = link.form, len(binary.string(topic)) + 4
    before = len(form) - len(binary.string(link.prev_hash))
    return _Cut(
        form[:offset],
        form[offset : offset + 8],
        form[offset + 8 : offset + 16],
        form[offset + 16 : before - 8],
        form[before - 8 : before],
        form[before:],
    )
