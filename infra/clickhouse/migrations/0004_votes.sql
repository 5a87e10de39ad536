-- What auditors said of an event (docs/auditors.md): one element per vote. Empty where none was asked.
ALTER TABLE audit ADD COLUMN IF NOT EXISTS `votes.auditor` Array(String);
ALTER TABLE audit ADD COLUMN IF NOT EXISTS `votes.version` Array(String);
ALTER TABLE audit ADD COLUMN IF NOT EXISTS `votes.decision` Array(String) COMMENT 'what it would have decided; block where it failed';
ALTER TABLE audit ADD COLUMN IF NOT EXISTS `votes.reason` Array(String) COMMENT 'agrees, stricter, milder, late, failed, ...';
ALTER TABLE audit ADD COLUMN IF NOT EXISTS `votes.sentry` Array(Bool) COMMENT 'drawn for the first round; the others are asked only after doubt';
ALTER TABLE audit ADD COLUMN IF NOT EXISTS `votes.part` Array(Int32) COMMENT 'which of the views of the event it saw';

CREATE OR REPLACE VIEW chain AS
SELECT * FROM audit;

CREATE OR REPLACE VIEW verdicts AS
SELECT
    *,
    arraySort(arrayDistinct(violations.rule)) AS rules,
    arraySort(arrayDistinct(violations.reason)) AS reasons,
    arraySort(arrayDistinct(findings.category)) AS categories
FROM audit
WHERE kind = 'verdict';

-- One row per vote. What the auditors' vote came to is in the violation `auditors` of the verdict.
CREATE OR REPLACE VIEW votes AS
SELECT
    tenant_id,
    recorded_at,
    logged_at,
    event_id,
    agent_id,
    seen AS part,
    auditor,
    version,
    vote,
    reason,
    sentry,
    decision,
    length(`votes.auditor`) AS votes_given,
    countEqual(`votes.sentry`, false) > 0 AS escalated,
    has(violations.rule, 'auditors') AS made_stricter
FROM audit
ARRAY JOIN
    `votes.auditor` AS auditor,
    `votes.version` AS version,
    `votes.decision` AS vote,
    `votes.reason` AS reason,
    `votes.sentry` AS sentry,
    `votes.part` AS seen
WHERE kind = 'verdict';

-- The keys that sentries are drawn with, each as the commitment that was published before it was used.
CREATE OR REPLACE VIEW sentry_keys AS
SELECT logged_at, log_topic, log_partition, log_offset, event_id AS commitment, guard_reason AS terms, source
FROM audit
WHERE kind = 'sentries';

-- As before, without what the installation says of its auditors.
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
WHERE kind NOT IN ('verdict', 'retention', 'sentries');

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
WHERE kind NOT IN ('retention', 'sentries')
GROUP BY tenant_id;
