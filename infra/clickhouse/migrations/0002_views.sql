-- The usual questions of a privacy officer, as views.

-- One row per event: the effective verdict.
CREATE OR REPLACE VIEW verdicts AS
SELECT
    *,
    arraySort(arrayDistinct(violations.rule)) AS rules,
    arraySort(arrayDistinct(violations.reason)) AS reasons,
    arraySort(arrayDistinct(findings.category)) AS categories
FROM audit
WHERE kind = 'verdict';

-- One row per person and event: who saw what, why, on whose decision.
CREATE OR REPLACE VIEW per_subject AS
SELECT
    tenant_id,
    concerned AS subject,
    concerned_as AS role,
    recorded_at,
    event_id,
    payload_kind,
    source,
    agent_id,
    session_id,
    tool,
    recipient_kind,
    recipient_id,
    purposes.purpose AS purposes,
    arraySort(arrayDistinct(arrayFilter((category, whose) -> whose IN ('', concerned), findings.category, findings.subject))) AS categories,
    decision,
    arrayDistinct(arrayFilter((rule, whose) -> whose IN ('', concerned), violations.rule, violations.subject)) AS rules,
    arrayDistinct(arrayFilter((reason, whose) -> whose IN ('', concerned), violations.reason, violations.subject)) AS reasons,
    arrayDistinct(arrayFilter((article, whose) -> whose IN ('', concerned), violations.article, violations.subject)) AS articles,
    fact_kind,
    request_kind,
    outcome,
    exceptions,
    policy_id,
    policy_version
FROM audit
ARRAY JOIN
    subjects AS concerned,
    roles AS concerned_as
WHERE kind = 'verdict';

-- One row per purpose and event.
CREATE OR REPLACE VIEW per_purpose AS
SELECT
    tenant_id,
    claimed AS purpose,
    claimed_by AS provenance,
    recorded_at,
    event_id,
    payload_kind,
    agent_id,
    session_id,
    tool,
    subject,
    arraySort(arrayDistinct(findings.category)) AS categories,
    decision,
    arraySort(arrayDistinct(violations.rule)) AS rules,
    arraySort(arrayDistinct(arrayFilter((reason, of) -> of IN ('', claimed), violations.reason, violations.purpose))) AS reasons,
    policy_id,
    policy_version
FROM audit
ARRAY JOIN
    purposes.purpose AS claimed,
    purposes.provenance AS claimed_by
WHERE kind = 'verdict';

-- What did not pass, whether a worker decided so or a guard for want of a verdict.
CREATE OR REPLACE VIEW blocked AS
SELECT
    tenant_id,
    recorded_at,
    event_id,
    kind,
    payload_kind,
    agent_id,
    session_id,
    tool,
    subject,
    subjects,
    arraySort(arrayDistinct(violations.rule)) AS rules,
    if(kind = 'verdict', arraySort(arrayDistinct(violations.reason)), [guard_reason]) AS reasons,
    arraySort(arrayDistinct(violations.article)) AS articles,
    violations.message AS messages,
    violations.evidence AS evidence,
    policy_id,
    policy_version
FROM audit
WHERE decision = 'block';

-- One row per policy, version and digest: what each of them decided.
CREATE OR REPLACE VIEW per_policy_version AS
SELECT
    tenant_id,
    policy_id,
    policy_version,
    policy_digest,
    count() AS events,
    countIf(decision = 'forward') AS forwarded,
    countIf(decision = 'warn') AS warned,
    countIf(decision = 'redact') AS redacted,
    countIf(decision = 'block') AS blocked,
    countIf(has(violations.rule, 'P1')) AS p1,
    countIf(has(violations.rule, 'P2')) AS p2,
    countIf(has(violations.rule, 'P3')) AS p3,
    countIf(has(violations.rule, 'P4')) AS p4,
    countIf(has(violations.rule, 'error')) AS errors,
    min(recorded_at) AS first_used,
    max(recorded_at) AS last_used
FROM audit
WHERE kind = 'verdict'
GROUP BY tenant_id, policy_id, policy_version, policy_digest;

-- Facts about consent that took effect, each at its place in the order of decisions.
CREATE OR REPLACE VIEW consent_facts AS
SELECT
    tenant_id,
    subject,
    event_id,
    recorded_at,
    (recorded_at, arrayMax(decided_on.offset)) AS place,
    multiIf(fact_kind = 'request', 'erasure', fact_kind = 'consent' AND fact_re_enrols, 're_enrolment', fact_kind) AS fact,
    if(fact_kind = 'request' OR fact_all_purposes, ['*'], fact_purposes) AS purposes,
    fact_categories AS categories,
    fact_all_categories AS all_categories,
    fact_expires_at AS expires_at
FROM audit
WHERE kind = 'verdict'
    AND subject != ''
    AND decision < 'block'
    AND (
        fact_kind IN ('consent', 'withdrawal')
        OR (fact_kind = 'request' AND outcome = 'erased')
    );

-- The latest consent per person and purpose that was ever consented to. A withdrawal covers the purposes
-- below its own; an erasure ends all. Under each pseudonym by itself: what links of identifiers add is in
-- the judge's history, which is what decides; this view is for reading.
CREATE OR REPLACE VIEW latest_consent AS
SELECT
    given.tenant_id AS tenant_id,
    given.subject AS subject,
    given.purpose AS purpose,
    multiIf(
        arrayExists(end -> end.2 = 'erasure' AND end.1 > given.place, ends.ended), 'erased',
        arrayExists(end -> end.2 = 'withdrawal' AND end.1 > given.place
            AND arrayExists(p -> p = '*' OR given.purpose = p OR startsWith(given.purpose, concat(p, '.')), end.3), ends.ended), 'withdrawn',
        given.expires_at <= now64(6), 'expired',
        'given'
    ) AS state,
    given.place.1 AS given_at,
    given.expires_at AS expires_at,
    given.all_categories AS all_categories,
    given.categories AS categories,
    given.event_id AS evidence
FROM
(
    SELECT
        tenant_id,
        subject,
        arrayJoin(purposes) AS purpose,
        max(place) AS place,
        argMax(event_id, facts.place) AS event_id,
        argMax(tuple(expires_at), facts.place).1 AS expires_at,
        argMax(all_categories, facts.place) AS all_categories,
        argMax(categories, facts.place) AS categories
    FROM consent_facts AS facts
    WHERE fact IN ('consent', 're_enrolment')
    GROUP BY tenant_id, subject, purpose
) AS given
LEFT JOIN
(
    SELECT tenant_id, subject, groupArray((place, fact, purposes)) AS ended
    FROM consent_facts
    WHERE fact IN ('withdrawal', 'erasure')
    GROUP BY tenant_id, subject
) AS ends ON given.tenant_id = ends.tenant_id AND given.subject = ends.subject;

-- One row per data-subject request, whatever became of it. An unknown subject leaves its evidence here.
CREATE OR REPLACE VIEW requests AS
SELECT
    tenant_id,
    recorded_at,
    event_id,
    request_kind,
    request_id,
    subject,
    subjects,
    if(decision = 'block', 'blocked', outcome) AS outcome,
    exceptions,
    policy_id,
    policy_version
FROM audit
WHERE kind = 'verdict' AND payload_kind = 'DataSubjectRequest';

-- One row per erasure that took effect; repeating a request adds none.
CREATE OR REPLACE VIEW erasure_ledger AS
SELECT
    tenant_id,
    subject,
    recorded_at AS erased_at,
    request_id,
    event_id,
    subjects AS pseudonyms,
    policy_id,
    policy_version,
    policy_digest
FROM audit
WHERE kind = 'verdict' AND outcome = 'erased' AND decision < 'block';

-- What guards did on their own.
CREATE OR REPLACE VIEW guard_reports AS
SELECT
    tenant_id,
    recorded_at,
    kind,
    event_id,
    source,
    agent_id,
    session_id,
    payload_kind,
    tool,
    decision,
    guard_reason AS reason,
    waited_ms
FROM audit
WHERE kind != 'verdict';

-- One row per tenant: how much, how strict, which predicates.
CREATE OR REPLACE VIEW totals AS
SELECT
    tenant_id,
    countIf(kind = 'verdict') AS events,
    countIf(kind = 'verdict' AND decision = 'forward') AS forwarded,
    countIf(kind = 'verdict' AND decision = 'warn') AS warned,
    countIf(kind = 'verdict' AND decision = 'redact') AS redacted,
    countIf(kind = 'verdict' AND decision = 'block') AS blocked,
    countIf(has(violations.rule, 'P1')) AS p1,
    countIf(has(violations.rule, 'P2')) AS p2,
    countIf(has(violations.rule, 'P3')) AS p3,
    countIf(has(violations.rule, 'P4')) AS p4,
    countIf(has(violations.rule, 'error')) AS errors,
    countIf(kind != 'verdict') AS guard_reports,
    uniqExactArray(subjects) AS people,
    min(recorded_at) AS first_at,
    max(recorded_at) AS last_at
FROM audit
GROUP BY tenant_id;
