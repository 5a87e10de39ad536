"""One person's erasure, as a privacy officer has to account for it (GDPR Art. 5(2), 12(3), 17, 19).

It says what the product itself did and sees. A recipient that is told outside of it shows as not
told; a notice under the agreed purpose, to the same recipient or by the same tool, counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from lawful.infra.erasure.logs import Advance, Bounds, Logs
from lawful.infra.erasure.state import Person, person, read_state
from lawful.infra.erasure.trail import Row, Trail
from lawful.infra.settings import Settings
from lawful.policies.model import Policy
from lawful.schemas.codec import decode_either
from lawful.schemas.errors import InvalidRecord
from lawful.schemas.event import AgentEvent
from lawful.schemas.sealed import SealedEvent
from lawful.schemas.topics import Topics

MOST_EVENTS: Final = 100_000
_LOOKED_INTO: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key that payloads were sealed with; `destroyed_at` once its tombstone is there."""

    key_id: str
    made_at: datetime | None
    destroyed_at: datetime | None

    @property
    def alive(self) -> bool:
        """Whether it still opens what was sealed with it."""
        return self.destroyed_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What one place still has of the person.

    Attributes:
        what: in words.
        records: how many.
        readable: of those that were looked into: how many show what was published.
        looked_into: how many were.
        gone_by: when the last one is deleted at the latest.
    """

    place: str
    what: str
    records: int
    readable: int = 0
    looked_into: int = 0
    gone_by: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """Somebody who had got data of the person, and must be told of the erasure (Art. 19)."""

    kind: str
    id: str
    tool: str
    first: datetime
    last: datetime
    events: int
    categories: tuple[str, ...]
    told_at: datetime | None
    due_at: datetime
    overdue: bool
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surviving:
    """A purpose that a law keeps alive (Art. 17(3)(b)), and how often it was used since."""

    policy: str
    purpose: str
    legal_basis: str
    events: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReport:
    """All there is to say about one person's erasure.

    Attributes:
        state: erased, enrolled_anew, not_erased, or unknown.
        overdue: recipients who should have been told by now.
    """

    pseudonyms: tuple[str, ...]
    state: str
    erased_at: datetime | None
    requests: tuple[Row, ...]
    keys: tuple[Key, ...]
    kept: tuple[Kept, ...]
    survives: tuple[Surviving, ...]
    recipients: tuple[Recipient, ...]
    overdue: int


def recipients(rows: Iterable[Row], due: timedelta, now: datetime) -> tuple[Recipient, ...]:
    """Whom an erasure must be told to, and whether that is overdue.

    A notice to the same recipient counts, and one by the same tool.
    """
    listed = list(rows)
    return tuple(_recipient(row, _told_at(row, listed), due, now) for row in listed if row["events"])


def _told_at(row: Row, rows: Iterable[Row]) -> datetime | None:
    notices = [
        _utc(each["told_at"])
        for each in rows
        if each["notices"]
        and each["subject"] == row["subject"]
        and ((each["kind"], each["id"]) == (row["kind"], row["id"]) or each["tool"] == row["tool"] != "")
    ]
    return min(notices, default=None)


def _recipient(row: Row, told: datetime | None, due: timedelta, now: datetime) -> Recipient:
    due_at = _utc(row["erased_at"]) + due
    return Recipient(
        kind=row["kind"],
        id=row["id"],
        tool=row["tool"],
        first=_utc(row["first"]),
        last=_utc(row["last"]),
        events=row["events"],
        categories=tuple(row["categories"]),
        told_at=told,
        due_at=due_at,
        overdue=told is None and now > due_at,
        subject=row["subject"],
    )


def surviving(policies: Iterable[Policy], used: Iterable[Row]) -> tuple[Surviving, ...]:
    """The purposes of the loaded policies that survive an erasure, and those that did under a policy of then."""
    counted = {(row["policy"], row["purpose"]): row["events"] for row in used}
    declared = {
        (policy.id, key): rule.legal_basis.value
        for policy in policies
        for key, rule in policy.purposes.items()
        if rule.survives_erasure
    }
    return tuple(
        Surviving(
            policy=policy,
            purpose=purpose,
            legal_basis=declared.get((policy, purpose), ""),
            events=counted.get((policy, purpose), 0),
        )
        for policy, purpose in sorted({*declared, *counted})
    )


class Reporter:
    """Puts a report together.

    Args:
        settings: the installation.
        trail: its audit.
        logs: its topics.
        policies: the loaded ones.
        due: within what time recipients are to be told.
        now: the time of the report.
    """

    def __init__(  # noqa: PLR0913 - the parts of a report
        self,
        settings: Settings,
        trail: Trail,
        logs: Logs,
        *,
        policies: Sequence[Policy],
        due: timedelta,
        now: datetime,
    ) -> None:
        self._settings = settings
        self._topics: Topics = settings.topics
        self._trail = trail
        self._logs = logs
        self._policies = policies
        self._due = due
        self._now = now

    def report(
        self, pseudonyms: Sequence[str], further: Sequence[str] = (), advance: Advance = lambda _done, _of: None
    ) -> ErasureReport:
        """The report on one person.

        Args:
            pseudonyms: of the identifiers that were given.
            further: other spellings' pseudonyms under which guards may have made keys.
            advance: told how far the reading is.

        Raises:
            RetryLater: Kafka or ClickHouse is away.
        """
        someone = person(read_state(self._logs, self._topics.changelog("history"), advance), pseudonyms)
        names = list(someone.pseudonyms)
        requests = self._trail.requests(names)
        done = [_utc(row["recorded_at"]) for row in requests if row["outcome"] == "erased"]
        keys = self._read_keys()
        whose = {*someone.pseudonyms, *further}
        mine = [key for name, key in keys.items() if name.partition("/")[0] in whose or name in someone.keys]
        told = recipients(self._trail.recipients(names), self._due, self._now) if done else ()
        return ErasureReport(
            pseudonyms=someone.pseudonyms,
            state=_state(someone, requests),
            erased_at=max(done, default=None),
            requests=tuple(requests),
            keys=tuple(mine),
            kept=self._kept(names, someone, mine, keys),
            survives=surviving(self._policies, self._trail.survived(names)),
            recipients=told,
            overdue=sum(each.overdue for each in told),
        )

    def _read_keys(self) -> dict[str, Key]:
        """Every key that the topic tells of, whoever's."""
        found: dict[str, Key] = {}
        for message in self._logs.read(self._topics.keys):
            name = (message.key() or b"").decode(errors="replace")
            at = datetime.fromtimestamp(message.timestamp()[1] / 1_000, UTC)
            known = found.get(name)
            if message.value() is not None:
                found[name] = Key(key_id=name, made_at=at, destroyed_at=None)
            else:
                found[name] = Key(key_id=name, made_at=known.made_at if known else None, destroyed_at=at)
        return found

    def _kept(
        self, names: list[str], someone: Person, mine: Sequence[Key], keys: Mapping[str, Key]
    ) -> tuple[Kept, ...]:
        bounds = self._logs.bounds(self._topics.events)
        since = self._now - 2 * timedelta(hours=self._settings.payload_hours)
        there = [row for row in self._trail.events(names, since, MOST_EVENTS) if _is_there(row, bounds)]
        alive = sum(key.alive for key in mine)
        return (
            self._looked_into([row for row in there if row["own"]], "events whose principal is the person", keys),
            self._looked_into([row for row in there if not row["own"]], "other people's events about the person", keys),
            Kept(
                place=self._topics.keys, what="keys that open events", records=alive, readable=alive, looked_into=alive
            ),
            Kept(place=self._topics.changelog("history"), what="facts under pseudonyms", records=someone.facts),
        )

    def _looked_into(self, rows: list[Row], what: str, keys: Mapping[str, Key]) -> Kept:
        looked = [self._is_readable(row, keys) for row in rows[:_LOOKED_INTO]]
        # A segment closes after a twelfth of the time, and is deleted once its last record is old enough.
        hours = timedelta(hours=self._settings.payload_hours * 13 / 12)
        last = max((_utc(row["recorded_at"]) for row in rows), default=None)
        return Kept(
            place=self._topics.events,
            what=what,
            records=len(rows),
            readable=sum(looked),
            looked_into=len(looked),
            gone_by=None if last is None else last + hours,
        )

    def _is_readable(self, row: Row, keys: Mapping[str, Key]) -> bool:
        """Whether whoever has all keys that still exist can read what was published."""
        message = self._logs.at(row["topic"], row["partition"], row["offset"])
        if message is None or message.value() is None:
            return False
        try:
            event = decode_either(message.value() or b"", AgentEvent, SealedEvent)
        except InvalidRecord:
            return True
        key = keys.get(event.key_id) if isinstance(event, SealedEvent) else None
        return not isinstance(event, SealedEvent) or (key is not None and key.alive)


def _state(someone: Person, requests: Sequence[Row]) -> str:
    if someone.erased:
        return "erased"
    if any(row["outcome"] == "erased" for row in requests):
        return "enrolled_anew"
    return "not_erased" if someone.facts or requests else "unknown"


def _is_there(row: Row, bounds: Bounds) -> bool:
    begin, end = bounds.get(row["partition"], (0, 0))
    return begin <= int(row["offset"]) < end


def _utc(value: datetime) -> datetime:
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)
