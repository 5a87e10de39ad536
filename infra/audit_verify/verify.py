"""The check of the whole audit: every chain, anchor and view, and what retention took off with a signed note."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clickhouse_connect.driver.client import Client

from lawful.infra.audit_chain import own
from lawful.infra.audit_chain.keys import ChainKeys, PublicKey
from lawful.infra.audit_chain.statement import genuine, read_line
from lawful.infra.audit_verify import scan, views
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
        client: on the audit's database; needs the view `chain`. Of other views, what it may see is compared.
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
    check = _Check(keys, _sorted(keys, [*given, *begin]), {_chain(each): each for each in begin})
    shown = views.compare(client)
    chains = scan.partitions(client)
    for of in chains:
        check.open(of)
    for of, links in scan.links(client, chains, {of: each.offset for of, each in check.begin.items()}):
        tell(check.take(of, links))
    faults = [
        *shown.faults,
        *not_genuine(keys.public, {*given, *begin}),
        *(fault for of in chains for fault in check.faults(of)),
        *vanished(check.signed, set(chains)),
    ]
    return VerifyReport(
        chains=tuple(check.report(of) for of in chains),
        faults=tuple(sorted(faults, key=lambda fault: (fault.topic, fault.partition, fault.number, fault.view))),
        recomputed=keys.chain is not None,
        anchored=any(check.signed.values()),
        stopped_early=bool(check.stopped),
        views=shown.compared,
        unseen=shown.unseen,
    )


@dataclass(slots=True)
class _Check:
    """The chains that are being walked along.

    Attributes:
        signed: genuine anchors, by chain.
        begin: anchors to begin at.
        stopped: chains in which too much is wrong.
    """

    keys: Keys
    signed: Mapping[Partition, Sequence[Anchor]]
    begin: Mapping[Partition, Anchor]
    walks: dict[Partition, Walk] = field(default_factory=dict)
    stopped: set[Partition] = field(default_factory=set)

    def open(self, of: Partition) -> None:
        """Begins to walk along a chain."""
        self.walks[of] = Walk(self._genuine, self._heads(of))

    def take(self, of: Partition, links: Iterable[Link]) -> int:
        """Walks on; gives how many rows these were."""
        walk = self.walks.get(of)
        if walk is None or of in self.stopped:
            return 0
        before, anchor = walk.rows, self.begin.get(of)
        try:
            if anchor is not None and not before:
                walk.begin_with(anchor, links)
            else:
                walk.take(links)
        except TooMany:
            self.stopped.add(of)
        return walk.rows - before

    def faults(self, of: Partition) -> Iterator[Fault]:
        """What is wrong with a chain, once there are no more rows."""
        walk, anchor = self.walks[of], self.begin.get(of)
        if anchor is not None and not walk.rows:
            walk.begin_with(anchor, ())
        walk.finish()
        noted = [*self.signed.get(of, ()), *self._notes(walk.notes, of)]
        retained = {each.number: each for each in noted if each.kind is AnchorKind.RETENTION}
        hashed = None if self.keys.chain is None else self.keys.chain.hash
        signed_to = 0 if of in self.stopped else max(walk.signed, default=0)
        yield from faults_of(walk, of, retained, hashed, signed_to)

    def report(self, of: Partition) -> ChainReport:
        """What there is to say of a chain."""
        walk, anchor = self.walks[of], self.begin.get(of)
        signed_to = max(walk.signed, default=0 if anchor is None else anchor.number - 1)
        return ChainReport(
            topic=of.topic,
            partition=of.number,
            rows=walk.rows,
            first=walk.first,
            last=walk.reach,
            row_hash=walk.end.row_hash,
            anchors=len(walk.met),
            unanchored=max(0, walk.reach - signed_to),
        )

    def _heads(self, of: Partition) -> Mapping[int, Anchor]:
        return {each.number: each for each in self.signed.get(of, ()) if each.kind is AnchorKind.HEAD}

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
