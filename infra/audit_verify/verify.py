"""The check of the whole audit: every chain, every anchor, and what retention took off with a signed note."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from clickhouse_connect.driver.client import Client

from lawful.infra.audit_chain import own
from lawful.infra.audit_chain.keys import ChainKeys, PublicKey
from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_chain.statement import genuine, read_line
from lawful.infra.audit_verify import scan
from lawful.infra.audit_verify.faults import faults_of, not_genuine, vanished
from lawful.infra.audit_verify.report import ChainReport, Fault, VerifyReport
from lawful.infra.audit_verify.scan import Link
from lawful.infra.audit_verify.walk import TooMany, Walk
from lawful.infra.clickhouse.rows import Partition
from lawful.infra.settings import Settings
from lawful.schemas.audit import Anchor, AnchorKind
from lawful.schemas.errors import InvalidRecord

Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Keys:
    """What it takes to check.

    Attributes:
        chain: rows' hashes are computed anew under it; without it only links and anchors are checked.
        public: anchors are checked with it; without it none counts.
    """

    chain: ChainKeys | None = field(repr=False)
    public: PublicKey | None

    @classmethod
    def of(cls, settings: Settings) -> "Keys":
        """An installation's own.

        Raises:
            ConfigurationError: a key is missing or cannot be read.
        """
        return cls(own.chain_keys(settings), own.public_key(settings))


def verify(
    client: Client,
    keys: Keys,
    anchors: Iterable[Anchor] | None = None,
    from_anchor: Anchor | Iterable[Anchor] | None = None,
    *,
    tell: Tell = lambda _rows: None,
) -> VerifyReport:
    """Checks the audit as it is now, in constant memory; some 10 us a row.

    Rows that are written meanwhile are not looked at. Read the anchors before calling this, or a
    row that one of them is about may be newer than what is looked at.

    Args:
        client: on the audit's database; needs the view `chain`.
        keys: what to check with.
        anchors: signed ends of chains, from places that the database's owner cannot write to.
        from_anchor: begin behind these, each in its chain; other chains are checked as a whole.
        tell: told how many rows were checked since it was last told.

    Raises:
        RetryLater: ClickHouse is away.
        MustStop: the user may not read.
    """
    given = list(anchors or ())
    begin = [from_anchor] if isinstance(from_anchor, Anchor) else list(from_anchor or ())
    check = _Check(client, keys, _sorted(keys, [*given, *begin]), {_chain(each): each for each in begin}, tell)
    walked = [check.checked(of) for of in scan.partitions(client)]
    faults = [
        *not_genuine(keys.public, {*given, *begin}),
        *(fault for each in walked for fault in each.faults),
        *vanished(check.signed, {each.of for each in walked}),
    ]
    return VerifyReport(
        chains=tuple(each.report for each in walked),
        faults=tuple(sorted(faults, key=lambda fault: (fault.topic, fault.partition, fault.number))),
        recomputed=keys.chain is not None,
        anchored=any(check.signed.values()),
        stopped_early=any(each.stopped_early for each in walked),
    )


@dataclass(frozen=True, slots=True)
class _Walked:
    of: Partition
    report: ChainReport
    faults: list[Fault]
    stopped_early: bool


@dataclass(frozen=True, slots=True)
class _Check:
    client: Client
    keys: Keys
    signed: Mapping[Partition, Sequence[Anchor]]
    begin: Mapping[Partition, Anchor]
    tell: Tell

    def checked(self, of: Partition) -> _Walked:
        """Checks one chain."""
        start, links = self._start(of)
        heads = {each.number: each for each in self.signed.get(of, ()) if each.kind is AnchorKind.HEAD}
        walk = Walk(self._genuine, heads, start, tell=self.tell)
        stopped_early = False
        try:
            walk.follow(links)
        except TooMany:
            stopped_early = True
        noted = [*self.signed.get(of, ()), *self._notes(walk.notes, of)]
        retained = {each.number: each for each in noted if each.kind is AnchorKind.RETENTION}
        hashed = None if self.keys.chain is None else self.keys.chain.hash
        faults = list(faults_of(walk, of, retained, hashed, max(heads, default=0) if not stopped_early else 0))
        report = ChainReport(
            topic=of.topic,
            partition=of.number,
            rows=walk.rows,
            first=walk.first,
            last=walk.reach,
            row_hash=walk.end.row_hash,
            anchors=len(walk.met),
            unanchored=max(0, walk.reach - max(heads, default=start.number)),
        )
        return _Walked(of, report, faults, stopped_early)

    def _start(self, of: Partition) -> tuple[Head, Iterator[Link]]:
        """What to begin behind, and the rows from there on: the row of an anchor is the first of them."""
        begin = self.begin.get(of)
        if begin is None:
            return Head(), scan.links(self.client, of)
        links = scan.links(self.client, of, (begin.offset, begin.number))
        first = next(links, None)
        if first is None:
            return Head(begin.offset, begin.number - 1), iter(())
        before = first.prev_hash if first.number == begin.number else ""
        return Head(begin.offset, begin.number - 1, before), chain([first], links)

    def _genuine(self, link: Link) -> bool:
        return self.keys.chain is None or self.keys.chain.hash(link.tenant_id, link.form) == link.row_hash

    def _notes(self, notes: Iterable[bytes], of: Partition) -> Iterator[Anchor]:
        for note in notes:
            try:
                found = read_line(note.decode())
            except (InvalidRecord, UnicodeDecodeError):
                continue
            if self.keys.public is not None and genuine(found, self.keys.public) and _chain(found) == of:
                yield found


def _sorted(keys: Keys, anchors: Iterable[Anchor]) -> Mapping[Partition, Sequence[Anchor]]:
    """Those that are genuine, by chain."""
    found: defaultdict[Partition, list[Anchor]] = defaultdict(list)
    for each in anchors:
        if keys.public is not None and genuine(each, keys.public):
            found[_chain(each)].append(each)
    return found


def _chain(anchor: Anchor) -> Partition:
    return Partition(anchor.topic, anchor.partition)
