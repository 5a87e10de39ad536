-- The audit trail: one row per event and kind, append-only. No column ever holds content: only
-- pseudonyms, categories, places, rule names and digests.
--
-- Absent texts are '' and absent lists are empty, so that every column has one canonical form. Numbers are as
-- wide as on the bus, so that no record, whoever wrote it, can make an insert fail.
-- Sorting by event id keeps rows of the same time together (ids are UUIDv7) and makes "is this event
-- already here?" a look-up by primary key, which the writer asks for every batch.
-- On a cluster: create the database with ENGINE = Replicated and the same statements replicate.
CREATE TABLE IF NOT EXISTS audit
(
    -- The Kafka record that this row was made of: the writer takes its position from here.
    log_topic LowCardinality(String),
    log_partition Int32,
    log_offset Int64,
    logged_at DateTime64(3, 'UTC') COMMENT 'when the broker appended the audit record',

    kind LowCardinality(String) COMMENT 'verdict; or what a guard did: no_verdict, late_verdict, guard_block; or a disagreement of the judges',
    tenant_id LowCardinality(String),
    event_id String,
    payload_kind LowCardinality(String) COMMENT 'UserMessage, ToolCall, ConsentGiven, ...',
    recorded_at DateTime64(6, 'UTC') COMMENT 'broker time of the event: the clock of the decision',
    occurred_at DateTime64(6, 'UTC') COMMENT 'clock of the producer: kept, never decided on',
    skewed Bool COMMENT 'the two clocks differ by more than the bound',
    source LowCardinality(String),
    agent_id LowCardinality(String),
    agent_version LowCardinality(String),
    session_id String,
    task_id String,
    causation_id String,
    traceparent String,
    tool LowCardinality(String),
    recipient_kind LowCardinality(String),
    recipient_id String,
    recipient_region LowCardinality(String),
    deadline_ms Int64,
    digest String COMMENT 'keyed digest of the payload',
    event_topic LowCardinality(String),
    event_partition Int32,
    event_offset Int64,

    view_key String COMMENT 'record key: pseudonym of the principal, else of the session',
    subject String COMMENT 'pseudonym of the principal',
    role LowCardinality(String),
    part Int32,
    parts Int32 COMMENT 'how many people the event concerns',
    subjects Array(String) COMMENT 'pseudonyms of everyone concerned',
    roles Array(LowCardinality(String)),
    purposes Nested(purpose LowCardinality(String), provenance LowCardinality(String)),
    findings Nested(
        path String,
        start Int32,
        end Int32,
        category LowCardinality(String),
        detector LowCardinality(String),
        detector_version LowCardinality(String),
        score Float64,
        essential Bool,
        subject String
    ),
    acts Nested(
        name LowCardinality(String),
        arguments Array(String)
    ) COMMENT 'what the event does in the words of the policy''s rules; texts are keyed digests',
    status LowCardinality(String) COMMENT 'complete, or why findings cannot be relied on',
    status_reason LowCardinality(String),

    -- What the principal's history learnt, where the event was a consent or a request.
    fact_kind LowCardinality(String) COMMENT 'consent, withdrawal, request, link, merge, seen',
    fact_purposes Array(LowCardinality(String)),
    fact_all_purposes Bool COMMENT 'a withdrawal of everything',
    fact_categories Array(LowCardinality(String)),
    fact_all_categories Bool COMMENT 'a consent to all but special categories',
    fact_expires_at Nullable(DateTime64(6, 'UTC')),
    fact_re_enrols Bool,
    request_kind LowCardinality(String),
    request_id String,
    link_alias String,
    link_root String,

    decision Enum8('none' = -1, 'forward' = 0, 'warn' = 1, 'redact' = 2, 'block' = 3) COMMENT 'none: a guard report that decided nothing',
    violations Nested(
        rule LowCardinality(String),
        reason LowCardinality(String),
        decision Enum8('none' = -1, 'forward' = 0, 'warn' = 1, 'redact' = 2, 'block' = 3),
        message String,
        subject String,
        purpose LowCardinality(String),
        category LowCardinality(String),
        article LowCardinality(String),
        evidence Array(String)
    ),
    obligations Nested(
        path String,
        start Int32,
        end Int32,
        action LowCardinality(String),
        category LowCardinality(String)
    ),
    outcome LowCardinality(String) COMMENT 'recorded, erased, already_erased, unknown_subject, linked',
    exceptions Array(LowCardinality(String)) COMMENT 'purposes that a legal duty let survive an erasure',
    policy_id LowCardinality(String),
    policy_version LowCardinality(String),
    policy_digest LowCardinality(String),
    decided_on Nested(topic LowCardinality(String), partition Int32, offset Int64),

    guard_reason LowCardinality(String) COMMENT 'guard reports only',
    waited_ms Int64 COMMENT 'guard reports only',

    -- Reserved for the hash chain: one chain per log_partition in the order of log_offset. row_hash covers
    -- the canonical form of every other column and prev_hash, which is the row_hash of the row before.
    prev_hash String DEFAULT '',
    row_hash String DEFAULT '',

    INDEX by_event event_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_time recorded_at TYPE minmax GRANULARITY 1,
    INDEX by_subject subjects TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_session session_id TYPE bloom_filter(0.01) GRANULARITY 1,
    PROJECTION positions (SELECT log_topic, log_partition, max(log_offset) GROUP BY log_topic, log_partition)
)
ENGINE = MergeTree
-- By the log's time, which only grows along a Kafka partition: an insert that falls into two months is not
-- atomic, and the writer keeps it from happening by cutting its batches at midnight (UTC).
PARTITION BY toYYYYMM(logged_at)
ORDER BY (tenant_id, event_id, kind)
-- Without this window a plain MergeTree forgets insert tokens, and a retried insert would double its rows.
SETTINGS non_replicated_deduplication_window = 10000;

-- Records that could not be read, wherever that was: where they lie and why, never what they hold.
CREATE TABLE IF NOT EXISTS dead_letters
(
    -- The Kafka record that this row was made of: a dead letter, or the audit record that could not be read.
    log_topic LowCardinality(String),
    log_partition Int32,
    log_offset Int64,
    logged_at DateTime64(3, 'UTC'),

    topic LowCardinality(String) COMMENT 'where the unreadable record lies',
    partition Int32,
    offset Int64,
    reason LowCardinality(String),
    error String,
    size Int64 COMMENT 'bytes',
    recorded_at DateTime64(6, 'UTC'),
    answered Bool COMMENT 'a block verdict went back to the guard',

    PROJECTION positions (SELECT log_topic, log_partition, max(log_offset) GROUP BY log_topic, log_partition)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(logged_at)
ORDER BY (topic, partition, offset)
SETTINGS non_replicated_deduplication_window = 10000;
