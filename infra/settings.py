"""The settings of one process: one frozen object, built in one place, passed to whoever needs it.

A value comes from, in this order: the command line, a `LAWFUL_*` environment variable, a TOML or
YAML file, the default. Whatever is wrong is a `ConfigurationError` that names the setting, where
the value came from, and what to do; a secret is never part of such a message nor of a `repr`.
"""

from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from lawful.infra.settings_auditors import AuditorSettings
from lawful.infra.settings_gateway import GatewaySettings
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.topics import PAYLOAD_HOURS, Topics


def about(text: str, **rules: Any) -> dict[str, Any]:
    """A field's metadata: a sentence for people, and what a value must be like."""
    return {"help": text, **rules}


class Store(StrEnum):
    """Where a worker keeps its tables."""

    MEMORY = "memory"
    ROCKSDB = "rocksdb"


class LogFormat(StrEnum):
    """What log lines look like."""

    TEXT = "text"
    JSON = "json"


class AuditFailure(StrEnum):
    """What workers do while the audit cannot be written."""

    PERMIT = "permit"
    REJECT = "reject"


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """How to reach Kafka. Names follow librdkafka's, with dots as underscores."""

    bootstrap: str = field(default="127.0.0.1:9092", metadata=about("broker addresses, host:port, separated by commas"))
    security_protocol: str = field(
        default="PLAINTEXT",
        metadata=about("how to talk to the brokers", choices=("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")),
    )
    sasl_mechanism: str = field(
        default="",
        metadata=about(
            "how to log in", choices=("", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI")
        ),
    )
    sasl_username: str = field(default="", metadata=about("user at the brokers"))
    sasl_password: str = field(default="", repr=False, metadata=about("password at the brokers", secret=True))
    ssl_ca_location: str = field(
        default="", metadata=about("PEM file of the authorities that sign the brokers' certificates")
    )
    ssl_certificate_location: str = field(default="", metadata=about("PEM file of the client's certificate"))
    ssl_key_location: str = field(default="", metadata=about("PEM file of the client's private key"))
    ssl_key_password: str = field(default="", repr=False, metadata=about("password of the private key", secret=True))

    def __post_init__(self) -> None:
        """Refuses security that would not be used.

        Raises:
            ConfigurationError: a certificate or a login is set, and the protocol knows none.
        """
        protocol = self.security_protocol
        for name, wanted in (("ssl_", protocol.endswith("SSL")), ("sasl_", protocol.startswith("SASL"))):
            if not wanted and (unused := _first_set(self, name)):
                raise ConfigurationError(
                    f"kafka.{unused} is set, but kafka.security_protocol is {protocol}",
                    hint="set kafka.security_protocol to SSL, SASL_SSL or SASL_PLAINTEXT",
                )

    def librdkafka(self) -> dict[str, str]:
        """What confluent-kafka's clients take; only what was set."""
        options = {
            "bootstrap.servers": self.bootstrap,
            "security.protocol": self.security_protocol,
            "sasl.mechanism": self.sasl_mechanism,
            "sasl.username": self.sasl_username,
            "sasl.password": self.sasl_password,
            "ssl.ca.location": self.ssl_ca_location,
            "ssl.certificate.location": self.ssl_certificate_location,
            "ssl.key.location": self.ssl_key_location,
            "ssl.key.password": self.ssl_key_password,
        }
        return {name: value for name, value in options.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClickHouseSettings:
    """How to reach ClickHouse's HTTP interface. Each process has a user of its own."""

    host: str = field(default="127.0.0.1", metadata=about("host of ClickHouse"))
    port: int = field(default=8123, metadata=about("HTTP port of ClickHouse", least=1, most=65535))
    user: str = field(
        default="default", metadata=about("user at ClickHouse: an owner migrates, a writer inserts, an officer reads")
    )
    password: str = field(default="", repr=False, metadata=about("password at ClickHouse", secret=True))
    database: str = field(default="lawful", metadata=about("database of the audit", pattern=r"[A-Za-z_][A-Za-z0-9_]*"))
    cluster: str = field(
        default="",
        metadata=about(
            "name of the ClickHouse cluster to spread the audit over; empty: one server", pattern=r"[A-Za-z0-9_-]*"
        ),
    )
    secure: bool = field(default=False, metadata=about("talk HTTPS to ClickHouse"))
    ssl_ca_location: str = field(
        default="", metadata=about("PEM file of the authorities that sign ClickHouse's certificate")
    )
    ssl_certificate_location: str = field(
        default="",
        metadata=about("PEM file of our certificate at ClickHouse; it is the login where no password is set"),
    )
    ssl_key_location: str = field(default="", metadata=about("PEM file of its private key"))

    def __post_init__(self) -> None:
        """Refuses certificates that would not be used.

        Raises:
            ConfigurationError: one is set, and the connection is in clear text.
        """
        if not self.secure and (unused := _first_set(self, "ssl_")):
            raise ConfigurationError(
                f"clickhouse.{unused} is set, but clickhouse.secure is not", hint="set clickhouse.secure to true"
            )


def _first_set(settings: object, prefix: str) -> str:
    """The name of the first of these settings that is set; empty for none."""
    names = (item.name for item in fields(settings) if item.name.startswith(prefix))  # type: ignore[arg-type]
    return next((name for name in names if getattr(settings, name)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """How the audit writer batches, and what it does about trouble."""

    failure: AuditFailure = field(
        default=AuditFailure.PERMIT,
        metadata=about("while the audit cannot be written: permit verdicts, or reject by holding workers"),
    )
    batch_rows: int = field(
        default=10_000, metadata=about("an insert holds at most this many rows", least=1, most=100_000)
    )
    batch_ms: int = field(default=1_000, metadata=about("rows wait at most this long for more", least=10, most=60_000))
    patience_ms: int = field(
        default=10_000,
        metadata=about("under reject, workers are held once audit records wait for longer than this", least=100),
    )
    accept_gap: bool = field(
        default=False,
        metadata=about("go on, and write the gap down, where Kafka deleted records before they were read"),
    )
    chain_key: bytes = field(
        default=b"",
        repr=False,
        metadata=about(
            "key of the audit's hash chain, at least 16 bytes; none takes one derived from the pseudonym key",
            secret=True,
        ),
    )
    signing_key: bytes = field(
        default=b"",
        repr=False,
        metadata=about("Ed25519 private key in PEM that anchors of the chain are signed with", secret=True),
    )
    public_key: Path | None = field(
        default=None,
        metadata=about("PEM file of the public key that anchors are checked with; none: the signing key's"),
    )
    anchor_file: Path | None = field(
        default=None, metadata=about("file that anchors are appended to, best on another machine; none: only the topic")
    )
    anchor_ms: int = field(
        default=60_000, metadata=about("the ends of the chains are signed this often", least=100, most=86_400_000)
    )
    retention_days: int = field(
        default=183,
        metadata=about("months that are older may be dropped; the AI Act asks for six months", least=183),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TracesSettings:
    """Where OpenTelemetry spans go, and of how many events."""

    endpoint: str = field(
        default="",
        metadata=about(
            "URL that spans are posted to (OTLP over HTTP), as http://127.0.0.1:4318/v1/traces; empty: no traces",
            pattern=r"(https?://\S+)?",
        ),
    )
    sample: float = field(
        default=0.01,
        metadata=about("share of events that are traced where the agent does not say so itself", least=0, most=1),
    )
    headers: str = field(
        default="", repr=False, metadata=about("HTTP headers for it, name=value,name=value", secret=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetterSettings:
    """How many unreadable records are borne before a process stops and says why."""

    ratio: float = field(
        default=0.05, metadata=about("share of the last thousand records that may be unreadable", least=0, most=1)
    )
    consecutive: int = field(
        default=100, metadata=about("unreadable records in a row that are borne", least=1, most=1_000_000)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that an operator can set."""

    kafka: KafkaSettings = field(default_factory=KafkaSettings)
    clickhouse: ClickHouseSettings = field(default_factory=ClickHouseSettings)
    audit: AuditSettings = field(default_factory=AuditSettings)
    dead_letters: DeadLetterSettings = field(default_factory=DeadLetterSettings)
    traces: TracesSettings = field(default_factory=TracesSettings)
    gateway: GatewaySettings = field(default_factory=GatewaySettings)
    auditors: AuditorSettings = field(default_factory=AuditorSettings)
    topic_prefix: str = field(
        default="lawful", metadata=about("first part of every topic's name", pattern=r"[A-Za-z0-9_-]+")
    )
    partitions: int = field(
        default=4, metadata=about("partitions of the topics; cannot be lowered later", least=1, most=10_000)
    )
    replication: int = field(default=1, metadata=about("copies of every partition", least=1, most=100))
    reply_prefix: str = field(
        default="", metadata=about("reply topics must begin with this; empty takes '<topic_prefix>.replies.'")
    )
    policies_dir: Path | None = field(
        default=None, metadata=about("folder of policies; none takes the packs that come along")
    )
    default_policy: str | None = field(default=None, metadata=about("policy of events that name none"))
    pseudonym_key: bytes = field(
        default=b"",
        repr=False,
        metadata=about(
            "key of the pseudonyms, at least 16 bytes; LAWFUL_PSEUDONYM_KEY_FILE names a file instead", secret=True
        ),
    )
    payload_key: bytes = field(
        default=b"",
        repr=False,
        metadata=about(
            "key that events are sealed with, at least 32 bytes, or LAWFUL_PAYLOAD_KEY_FILE; none: they are not",
            secret=True,
        ),
    )
    payload_hours: int = field(
        default=PAYLOAD_HOURS,
        metadata=about("events stay in Kafka for so many hours; no outage may last as long", least=1, most=168),
    )
    phone_region: str = field(
        default="",
        metadata=about(
            "where phone numbers without a country's code are dialled, as NL; choose it before the first event",
            pattern=r"[A-Za-z]{0,2}",
        ),
    )
    data_dir: Path = field(default=Path(".lawful"), metadata=about("folder for what this process keeps on disk"))
    store: Store = field(default=Store.ROCKSDB, metadata=about("where workers keep their tables"))
    model: str | None = field(
        default=None,
        metadata=about(
            "spaCy model for names and places, as NAME or NAME@sha256:DIGEST; none takes the one that comes along"
        ),
    )
    extraction_processes: int = field(
        default=1,
        metadata=about(
            "processes of a worker that read content, one per core; 0: the worker itself", least=0, most=256
        ),
    )
    skew_ms: int = field(
        default=300_000, metadata=about("a producer's clock may differ from the broker's by this much", least=0)
    )
    combine_timeout_ms: int = field(
        default=10_000, metadata=about("how long an event waits for all of its subjects", least=1)
    )
    write_as: str = field(
        default="",
        metadata=about("older releases of schemas to write while a fleet is upgraded, as AnnotatedView=1,Verdict=2"),
    )
    also_read: Path | None = field(
        default=None, metadata=about("folder of a newer release's schemas, which this process is to read as well")
    )
    session_ms: int = field(
        default=15_000,
        metadata=about(
            "a worker that gives no sign of life for so long loses its partitions", least=1_000, most=300_000
        ),
    )
    max_subjects: int = field(
        default=16,
        metadata=about(
            "an event about more people than this, or that names more subjects, is blocked", least=1, most=10_000
        ),
    )
    crosscheck_sample: float = field(
        default=0.0,
        metadata=about("share of events that the second and third judge also decide on, 0 to 1", least=0, most=1),
    )
    metrics_port: int = field(
        default=0, metadata=about("port of this process's Prometheus metrics; 0: none", least=0, most=65_535)
    )
    health_port: int = field(
        default=0,
        metadata=about("port of `/livez` and `/readyz` of this process; 0: none", least=0, most=65_535),
    )
    log_format: LogFormat = field(
        default=LogFormat.TEXT, metadata=about("what a worker's or a writer's log lines look like: text or json")
    )
    listen_host: str = field(
        default="127.0.0.1", metadata=about("address that these two ports are bound to; `0.0.0.0` for all")
    )
    instance_id: str = field(
        default="", metadata=about("stable name of this process in its group", pattern=r"[A-Za-z0-9._-]*")
    )

    @property
    def topics(self) -> Topics:
        """The topics of this installation."""
        return Topics(self.topic_prefix, self.payload_hours)

    @property
    def allowed_reply_prefix(self) -> str:
        """What the name of a reply topic must begin with.

        Raises:
            ConfigurationError: an event's reply could then go to one of our own topics.
        """
        allowed = self.reply_prefix or self.topics.reply_prefix
        self.topics.check_reply_prefix(allowed)
        return allowed

    def pseudonymiser(self) -> Pseudonymiser:
        """Pseudonyms under this installation's key.

        Raises:
            ConfigurationError: there is no key. Processes that need none never ask.
        """
        if not self.pseudonym_key:
            raise ConfigurationError(
                "there is no pseudonym key",
                hint="set LAWFUL_PSEUDONYM_KEY to at least 16 random bytes, or LAWFUL_PSEUDONYM_KEY_FILE to a file",
            )
        # Only whoever asks for pseudonyms waits for the world's phone numbers to load.
        from lawful.schemas.canonical import canonical  # noqa: PLC0415

        return Pseudonymiser(master=self.pseudonym_key, normalise=canonical(self.phone_region))
