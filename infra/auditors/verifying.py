"""Holds the votes in the audit against a key that was given away: were the sentries those that had to be?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from lawful.infra.clickhouse.query import Officer
from lawful.policies.auditing.record import Record, records
from lawful.policies.auditing.sentries import commitment, draw, read_terms
from lawful.policies.auditing.voting import AGREES
from lawful.schemas.verdict import Decision, Vote

_PAGE: Final = 20_000
_KEYS: Final = "SELECT commitment, terms, logged_at FROM sentry_keys ORDER BY logged_at, log_partition, log_offset"
_VOTES: Final = """
SELECT tenant_id, event_id, logged_at, part, groupArray(auditor) AS auditors, groupArray(version) AS versions,
    groupArray(vote) AS decisions, groupArray(reason) AS reasons, groupArray(sentry) AS sentries
FROM votes
WHERE (tenant_id, event_id) > ({tenant:String}, {event:String})
GROUP BY tenant_id, event_id, logged_at, part
ORDER BY tenant_id, event_id
LIMIT {page:UInt64} WITH TIES
"""


class Fault(StrEnum):
    """What is wrong with a vote."""

    NOT_COMMITTED = "not_committed"
    NOT_DRAWN = "not_drawn"
    NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True)
class Wrong:
    """An event whose vote was not as it had to be."""

    fault: Fault
    tenant_id: str
    event_id: str
    message: str


@dataclass(frozen=True, slots=True)
class Voting:
    """All votes on one view of an event, and when they were written down."""

    tenant_id: str
    event_id: str
    logged_at: datetime
    votes: tuple[Vote, ...]

    @property
    def sentries(self) -> tuple[str, ...]:
        """Who was drawn."""
        return tuple(sorted(vote.auditor for vote in self.votes if vote.sentry))


@dataclass(frozen=True, slots=True)
class Committed:
    """Terms that a key was bound to, and since when."""

    pool: tuple[str, ...]
    count: int
    since: datetime


@dataclass(slots=True)
class Report:
    """What verifying found.

    Attributes:
        votings: how many were drawn under this key.
        others: how many were not looked at, as they were written under other keys.
    """

    commitments: int
    votings: int = 0
    others: int = 0
    wrong: list[Wrong] = field(default_factory=list)


def committed(rows: Iterable[Sequence[Any]], key: bytes) -> list[Committed]:
    """The commitments that this key opens, of those in the audit (`commitment`, `terms`, `logged_at`)."""
    return [
        Committed(*read_terms(terms), since)
        for told, terms, since in rows
        if " of " in terms and commitment(key, terms) == told
    ]


def check(voting: Voting, key: bytes, terms: Sequence[Committed]) -> Wrong | None:
    """What is wrong with a vote; `None` if all is as the key has it under terms that were published before."""

    def wrong(fault: Fault, message: str) -> Wrong:
        return Wrong(fault, voting.tenant_id, voting.event_id, message)

    before = [each for each in terms if each.since <= voting.logged_at]
    if not before:
        return wrong(Fault.NOT_COMMITTED, "it was voted on before the commitment to this key was in the audit")
    drawn = {
        draw(key, voting.tenant_id, voting.event_id, each.pool, each.count): each
        for each in before
        if len(each.pool) >= each.count
    }
    if voting.sentries not in drawn:
        expected = " or ".join(",".join(names) for names in drawn)
        return wrong(Fault.NOT_DRAWN, f"asked first: {','.join(voting.sentries)}; drawn: {expected}")
    asked = {vote.auditor for vote in voting.votes}
    doubt = any(vote.reason != AGREES for vote in voting.votes if vote.sentry)
    pool = set(drawn[voting.sentries].pool)
    if doubt and asked != pool:
        return wrong(Fault.NOT_ASKED, f"a sentry doubted, and these were not asked: {','.join(sorted(pool - asked))}")
    return None


def verify(officer: Officer, key: bytes, since: datetime | None = None, until: datetime | None = None) -> Report:
    """Draws again for every vote in the audit.

    Args:
        officer: reads the audit.
        key: that was given away.
        since: from when on it was in use; by default from its first commitment on.
        until: when it was in use last; by default it still is.
    """
    terms = committed(officer.ask(_KEYS).rows, key)
    report = Report(len(terms))
    first = since or min((each.since for each in terms), default=None)
    for voting in votings(officer):
        if (first and voting.logged_at < first) or (until and voting.logged_at > until):
            report.others += 1
            continue
        report.votings += 1
        wrong = check(voting, key, terms)
        if wrong is not None:
            report.wrong.append(wrong)
    return report


def history(officer: Officer) -> Mapping[str, Record]:
    """Every auditor's record."""
    return records(voting.votes for voting in votings(officer))


def votings(officer: Officer) -> Iterable[Voting]:
    """All votes in the audit, in the order of events, a page at a time."""
    tenant, event = "", ""
    while True:
        rows = officer.ask(_VOTES, {"tenant": tenant, "event": event, "page": _PAGE}).rows
        yield from map(_voting, rows)
        if len(rows) < _PAGE:
            return
        tenant, event = rows[-1][0], rows[-1][1]


def _voting(row: Sequence[Any]) -> Voting:
    tenant, event, logged_at, part, *lists = row
    votes = tuple(
        Vote(auditor, version, Decision[word.upper()], reason, sentry=bool(sentry), part=part)
        for auditor, version, word, reason, sentry in zip(*lists, strict=True)
    )
    return Voting(tenant, event, logged_at, votes)
