"""What the audit trail knows about an erasure: when, on what, who had got data, and who was told since."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from lawful.infra.clickhouse.query import Officer
from lawful.policies.problems import did_you_mean
from lawful.schemas.errors import ConfigurationError

NOTICE: Final = "essential.legal_obligation.subject_rights"
"""The purpose under which recipients are told of an erasure; see the pack `gdpr_duties`."""

SHOWN: Final = 10
"""So many other tenants are named at the most."""

_CONCERNED: Final = "hasAny(subjects, {pseudonyms:Array(String)}) AND tenant_id = {tenant:String}"

_REQUESTS: Final = f"""
SELECT recorded_at, request_id, event_id, outcome, exceptions
FROM requests
WHERE request_kind = 'erasure' AND {_CONCERNED}
ORDER BY recorded_at, event_id
"""  # noqa: S608 - made of constants

_EVENTS: Final = f"""
SELECT event_topic AS topic, event_partition AS partition, event_offset AS offset, recorded_at,
    has({{pseudonyms:Array(String)}}, subject) AS own
FROM verdicts
WHERE {_CONCERNED} AND recorded_at >= {{since:DateTime64(6, 'UTC')}}
ORDER BY recorded_at DESC
LIMIT {{limit:UInt64}}
"""  # noqa: S608 - made of constants

# Whoever got data that was not taken out first: what passed, to somebody else than the person.
_RECIPIENTS: Final = """
SELECT l.person AS subject, l.erased_at AS erased_at,
    p.recipient_kind AS kind, p.recipient_id AS id, p.tool AS tool,
    minIf(p.recorded_at, p.got AND p.recorded_at <= l.erased_at) AS first,
    maxIf(p.recorded_at, p.got AND p.recorded_at <= l.erased_at) AS last,
    countIf(p.got AND p.recorded_at <= l.erased_at) AS events,
    arraySort(groupUniqArrayArrayIf(p.categories, p.got AND p.recorded_at <= l.erased_at)) AS categories,
    countIf(p.notice AND p.recorded_at > l.erased_at) AS notices,
    minIf(p.recorded_at, p.notice AND p.recorded_at > l.erased_at) AS told_at
FROM (<whom>) AS l
INNER JOIN
(
    SELECT tenant_id, arrayJoin(subjects) AS subject, recorded_at, recipient_kind, recipient_id, tool, categories,
        arrayZip(obligations.path, obligations.start, obligations.end) AS taken_out,
        arrayExists(found -> NOT has(taken_out, found), arrayZip(findings.path, findings.start, findings.end)) AS got,
        arrayExists(p -> p = {notice:String} OR startsWith(p, concat({notice:String}, '.')), purposes.purpose) AS notice
    FROM verdicts
    WHERE decision < 'block' AND recipient_kind NOT IN ('', 'user') AND tenant_id = {tenant:String}
) AS p ON p.subject = l.subject
GROUP BY subject, erased_at, kind, id, tool
HAVING events > 0 OR notices > 0
ORDER BY erased_at, subject, kind, id, tool
"""
_ONE: Final = """
    SELECT '' AS person, arrayJoin({pseudonyms:Array(String)}) AS subject, max(recorded_at) AS erased_at
    FROM requests
    WHERE request_kind = 'erasure' AND outcome = 'erased' AND tenant_id = {tenant:String}
        AND hasAny(subjects, {pseudonyms:Array(String)})
    GROUP BY subject
"""
_ALL: Final = """
    SELECT subject AS person, arrayJoin(arrayDistinct(arrayPushBack(pseudonyms, subject))) AS subject,
        max(erasure_ledger.erased_at) AS erased_at
    FROM erasure_ledger
    WHERE tenant_id = {tenant:String}
    GROUP BY person, subject
"""

_SURVIVED: Final = f"""
SELECT policy_id AS policy, arrayJoin(exceptions) AS purpose, count() AS events, max(recorded_at) AS last
FROM verdicts
WHERE {_CONCERNED} AND notEmpty(exceptions)
GROUP BY policy, purpose
ORDER BY policy, purpose
"""  # noqa: S608 - made of constants

_HEARD_OF: Final = "SELECT 1 FROM verdicts WHERE tenant_id = {tenant:String} LIMIT 1"
_OTHERS: Final = (
    "SELECT DISTINCT tenant_id FROM verdicts WHERE tenant_id != {tenant:String} ORDER BY tenant_id LIMIT 1000"
)
_TENANTS: Final = "SELECT DISTINCT tenant_id FROM erasure_ledger ORDER BY tenant_id"

Row = dict[str, Any]


def tenants(officer: Officer) -> list[str]:
    """The tenants that erased somebody, as far as this officer may see."""
    return [str(tenant) for (tenant,) in officer.ask(_TENANTS).rows]


@dataclass(frozen=True, slots=True)
class Trail:
    """Asks the audit trail about the erasures of a tenant.

    Attributes:
        officer: who may read it.
        tenant: whose events.
        notice: the purpose under which recipients are told.
    """

    officer: Officer
    tenant: str
    notice: str = NOTICE

    def requests(self, pseudonyms: Sequence[str]) -> list[Row]:
        """Every request to erase the person, and what became of it; oldest first."""
        return self._ask(_REQUESTS, pseudonyms)

    def events(self, pseudonyms: Sequence[str], since: datetime, limit: int) -> list[Row]:
        """Where events about the person lie in the log, newest first; `own` if the person was the principal."""
        return self._ask(_EVENTS, pseudonyms, since=since, limit=limit)

    def recipients(self, pseudonyms: Sequence[str] = ()) -> list[Row]:
        """Who had got data of an erased person (of every one, if none is given), and when they were told."""
        return self._ask(_RECIPIENTS.replace("<whom>", _ONE if pseudonyms else _ALL), pseudonyms, notice=self.notice)

    def survived(self, pseudonyms: Sequence[str]) -> list[Row]:
        """Which purposes went on after the erasure, since a law says so (Art. 17(3)(b))."""
        return self._ask(_SURVIVED, pseudonyms)

    def heard_of(self) -> None:
        """Does nothing if the audit has an event of this tenant: of others, "nobody" would say nothing.

        Raises:
            ConfigurationError: it has none.
        """
        if self._ask(_HEARD_OF, ()):
            return
        others = [row["tenant_id"] for row in self._ask(_OTHERS, ())]
        near = did_you_mean(self.tenant, others) or f"there are events of {', '.join(others[:SHOWN]) or 'nobody'}"
        raise ConfigurationError(f"the audit has no event at all of the tenant {self.tenant!r}", hint=near)

    def _ask(self, sql: str, pseudonyms: Sequence[str], **more: Any) -> list[Row]:
        answer = self.officer.ask(sql, {"pseudonyms": list(pseudonyms), "tenant": self.tenant, **more})
        return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
