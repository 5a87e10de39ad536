"""Words for what a walk along a chain noted."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from lawful.infra.audit_chain.keys import PublicKey
from lawful.infra.audit_chain.statement import genuine
from lawful.infra.audit_verify.places import Gap
from lawful.infra.audit_verify.report import Fault, Kind
from lawful.infra.audit_verify.scan import Link
from lawful.infra.audit_verify.swaps import Hashed, swapped
from lawful.infra.audit_verify.walk import COPIED, Walk
from lawful.infra.clickhouse.rows import Partition
from lawful.schemas.audit import Anchor, AnchorKind


def faults_of(
    walk: Walk, of: Partition, retained: Mapping[int, Anchor], hashed: Hashed | None, signed_to: int
) -> Iterator[Fault]:
    """What is wrong with a chain.

    Args:
        walk: what was noted.
        of: the chain.
        retained: signed notes that rows up to a number were dropped, by that number.
        hashed: how rows are hashed; `None` without the chain key.
        signed_to: the highest number that is signed.
    """
    yield from _changed(walk, of, hashed)
    for link in walk.strays:
        yield _about(Kind.INSERTED, of, link.number, link, "was inserted: it is no link of the chain")
    for link, why in walk.wrong:
        yield _about(Kind.INSERTED if why is COPIED else Kind.REWRITTEN, of, link.number, link, why)
    for gap in walk.gaps:
        left = _without_retained(gap, walk, retained)
        if left is not None:
            yield _gone(Kind.MISSING, of, left, _counted(left, "missing"))
    if signed_to > walk.reach:
        cut = Gap(walk.reach + 1, signed_to, walk.end.offset)
        yield _gone(Kind.CUT_OFF, of, cut, f"{_counted(cut, 'gone')}: the chain was signed up to row {signed_to}")


def not_genuine(public: PublicKey | None, anchors: Iterable[Anchor]) -> Iterator[Fault]:
    """Anchors that nobody signed, where there is a key to tell."""
    for each in anchors:
        if public is not None and not genuine(each, public):
            yield Fault(
                kind=Kind.ANCHOR,
                topic=each.topic,
                partition=each.partition,
                number=each.number,
                offset=each.offset,
                message="an anchor of this row was not signed with the key that it is checked with",
            )


def vanished(signed: Mapping[Partition, Iterable[Anchor]], there: Collection[Partition]) -> Iterator[Fault]:
    """Chains that were signed and have no row left."""
    for of, anchors in signed.items():
        to = max((each.number for each in anchors if each.kind is AnchorKind.HEAD), default=0)
        if of not in there and to:
            words = f"rows 1 to {to} are gone: the chain was signed up to row {to}, and there is none"
            yield _gone(Kind.CUT_OFF, of, Gap(1, to, -1), words)


def _changed(walk: Walk, of: Partition, hashed: Hashed | None) -> Iterator[Fault]:
    changed = sorted(walk.changed, key=lambda each: each[0])
    pairs = {} if hashed is None else swapped([link for _, link in changed], of.topic, hashed)
    for position, (number, link) in enumerate(changed):
        if position in pairs:
            other = changed[pairs[position]][0]
            yield _about(Kind.REORDERED, of, number, link, f"changed places with row {other}")
        else:
            yield _about(Kind.CHANGED, of, number, link, "was changed: its hash covers something else")


def _without_retained(gap: Gap, walk: Walk, retained: Mapping[int, Anchor]) -> Gap | None:
    """What of a gap at the beginning no signed note accounts for."""
    if gap.last >= walk.first:
        return gap
    noted = [each for number, each in retained.items() if gap.first <= number <= gap.last]
    if not noted:
        return gap
    last = max(noted, key=lambda each: each.number)
    fits = last.number < gap.last or walk.root in (None, last.row_hash)
    left = Gap(last.number + 1 if fits else gap.first, gap.last, gap.offset)
    return left if left.first <= left.last else None


def _counted(gap: Gap, what: str) -> str:
    return f"it is {what}" if gap.first == gap.last else f"rows {gap.first} to {gap.last} are {what}"


def _gone(kind: Kind, of: Partition, gap: Gap, message: str) -> Fault:
    return Fault(kind=kind, topic=of.topic, partition=of.number, number=gap.first, offset=gap.offset, message=message)


def _about(kind: Kind, of: Partition, number: int, link: Link, message: str) -> Fault:
    return Fault(
        kind=kind,
        topic=of.topic,
        partition=of.number,
        number=number,
        offset=link.offset,
        event_id=link.event_id.decode(errors="replace"),
        message=message,
    )
