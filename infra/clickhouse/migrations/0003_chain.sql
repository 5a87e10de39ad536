-- The hash chain: one per log_topic and log_partition, in the order of log_offset. row_hash is an HMAC over the
-- canonical form of every other column, prev_hash among them, which is the row_hash of the row before.
-- How it is made and checked: docs/audit.md.
ALTER TABLE audit ADD COLUMN IF NOT EXISTS chain_no Int64 DEFAULT 0 COMMENT 'number of the row in its chain, from 1 on';
ALTER TABLE audit ADD COLUMN IF NOT EXISTS note String DEFAULT '' COMMENT 'what the installation itself has to say, signed; see the view retention_notes';

-- The end of each chain: the writer asks for it when it starts, and after every insert.
ALTER TABLE audit ADD PROJECTION IF NOT EXISTS heads
(
    SELECT log_topic, log_partition, max(log_offset), max(chain_no), argMax(row_hash, chain_no)
    GROUP BY log_topic, log_partition
);

-- Whoever verifies reads along the chain, which is not the order of the table.
ALTER TABLE audit ADD INDEX IF NOT EXISTS by_offset log_offset TYPE minmax GRANULARITY 1;

-- Every column of every row, for `lawful audit verify` and for auditors with a tool of their own.
CREATE OR REPLACE VIEW chain AS
SELECT * FROM audit;

-- Where records lie that could not be read.
CREATE OR REPLACE VIEW unreadable AS
SELECT logged_at, topic, partition, offset, reason, error, size, recorded_at, answered
FROM dead_letters;

-- What was dropped when its time was over, per chain: rows up to a number, and who signed for it.
CREATE OR REPLACE VIEW retention_notes AS
SELECT recorded_at AS noted_at, log_topic, log_partition, chain_no, note
FROM audit
WHERE kind = 'retention';

-- As before, without the installation's own notes.
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
WHERE kind NOT IN ('verdict', 'retention');

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
WHERE kind != 'retention'
GROUP BY tenant_id;
