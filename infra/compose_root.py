"""The composition root: the one place where settings become parts that work together.

Every port's implementation is chosen here and nowhere else. Parts that are slow to import are
imported when they are built, so that a command pays for what it uses.
"""

# ruff: noqa: PLC0415 - see above
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lawful.infra.settings import KafkaSettings, Settings, Store
from lawful.policies.load import pack_folder, pack_names
from lawful.policies.policyset import PolicySet
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.client.kafka import KafkaTransport
    from lawful.extractors.port import Extractor
    from lawful.streams.inprocess import InProcessTransport
    from lawful.streams.kernel import Kernel
    from lawful.streams.opening import Opener
    from lawful.streams.options import WorkerOptions


def policies(settings: Settings) -> PolicySet:
    """The loaded policies: the operator's folder, else the packs that come along.

    Raises:
        ConfigurationError: anything is wrong with any of them, or there is no such default.
    """
    if settings.policies_dir is not None:
        return PolicySet.load([settings.policies_dir], settings.default_policy)
    return PolicySet.load([pack_folder(name) for name in pack_names()], settings.default_policy)


def kernel(settings: Settings, extractor: "Extractor | None" = None) -> "Kernel":
    """Policies, a warm extractor and pseudonyms (takes two to three seconds).

    Args:
        settings: of this installation.
        extractor: if there is one already.

    Raises:
        ConfigurationError: a policy, the model or the pseudonym key is missing or wrong.
    """
    from lawful.extractors import build_extractor
    from lawful.infra.denier import RegoDenier
    from lawful.streams.kernel import Kernel
    from lawful.streams.limiting import Limited

    pseudonymiser = settings.pseudonymiser()
    loaded, denier = policies(settings), RegoDenier()
    extractor = extractor or Limited(build_extractor(pseudonymiser, model=settings.model))
    denier.warm(loaded.policies.values())
    return Kernel(
        policies=loaded,
        extractor=extractor,
        pseudonymiser=pseudonymiser,
        skew_bound=settings.skew_ms * 1_000,
        max_subjects=settings.max_subjects,
        denier=denier,
        opener=opener(settings),
    )


def opener(settings: Settings) -> "Opener | None":
    """Opens events that guards have sealed; `None` without a payload key.

    Raises:
        ConfigurationError: the key is too short.
    """
    if not settings.payload_key:
        return None
    from lawful.infra.keyring import KafkaKeyring
    from lawful.schemas.sealing import Sealing
    from lawful.streams.opening import Opener

    return Opener(KafkaKeyring(settings.kafka, settings.topics.keys), Sealing(settings.payload_key))


@contextmanager
def extraction(settings: Settings) -> "Iterator[Extractor | None]":
    """A worker's extraction processes, warm; none where it is to read content itself.

    Raises:
        ConfigurationError: the model is missing or wrong, or they do not start.
    """
    from lawful.extractors import build_extractor
    from lawful.infra.extraction.pool import ExtractorPool
    from lawful.streams.foresight import Foresight

    if not settings.extraction_processes:
        yield None
        return
    build = partial(build_extractor, settings.pseudonymiser(), model=settings.model)
    with closing(ExtractorPool(build, settings.extraction_processes)) as pool:
        yield Foresight(pool)


def in_process(settings: Settings) -> "InProcessTransport":
    """A guard's transport without Kafka: the same kernel, in this process."""
    from lawful.streams.inprocess import InProcessTransport

    parts = kernel(settings)
    return InProcessTransport(parts.policies, parts.extractor, parts.pseudonymiser, denier=parts.denier)


def transport(settings: Settings, client: str = "guards") -> "KafkaTransport":
    """A guard's transport over Kafka. Connects with its first event."""
    from lawful.client.kafka import KafkaTransport

    people, sealer = settings.pseudonymiser(), None
    if settings.payload_key:
        from lawful.client.sealing import Sealer

        sealer = Sealer(settings.payload_key, people)
    return KafkaTransport(settings.kafka.librdkafka(), people, topics=settings.topics, client=client, sealer=sealer)


def run_worker(settings: Settings, ready: Callable[[], None]) -> int:
    """Runs a worker until it is told to stop; gives its exit code (`lawful.streams.worker`).

    Args:
        settings: everything it needs.
        ready: called once the worker takes events.
    """
    from lawful.infra.audit_gate import watching
    from lawful.infra.auditors.installing import installed
    from lawful.infra.cluster import KafkaCluster
    from lawful.infra.telemetry.watch import worker_watch
    from lawful.infra.upgrading import take_part
    from lawful.streams import worker
    from lawful.streams.second_opinion import SecondOpinion

    take_part(settings)
    options = worker_options(settings)
    with (
        worker_watch(settings) as watch,
        watching(settings, time.monotonic) as gate,
        extraction(settings) as extractor,
    ):
        parts = kernel(settings, extractor)
        if isinstance(parts.policies, PolicySet):
            watch.metrics.decides_by(parts.policies.policies.values())
        watch.metrics.is_held(lambda: not gate.is_open())
        auditing = installed(settings, parts, watch.observers, watch.metrics.votes.told)
        deps = worker.WorkerDeps(
            kernel=auditing.kernel,
            cluster=KafkaCluster(settings.kafka),
            default_policy=settings.default_policy,
            ready=ready,
            may_go_on=gate.is_open,
            second_opinion=SecondOpinion(settings.crosscheck_sample, watch.metrics.disagreements.inc),
            observers=auditing.observers,
            panel=auditing.panel,
        )
        try:
            return worker.run(options, deps)
        finally:
            for part in (parts.denier, parts.opener):
                if part is not None:
                    part.close()


def run_audit_writer(settings: Settings, ready: Callable[[], None]) -> None:
    """Runs an audit writer until it is told to stop.

    Raises:
        MustStop: going on would lose records, or only a person can mend it.
    """
    from lawful.infra.audit_writer.run import run
    from lawful.infra.telemetry.watch import writer_watch
    from lawful.infra.upgrading import take_part

    take_part(settings)
    with writer_watch(settings) as watch:
        run(settings, watch=watch.told, ready=ready)


def run_gateway(settings: Settings, ready: Callable[[], None]) -> None:
    """Runs a gateway until it is told to stop.

    Raises:
        MustStop: going on would lose records, or only a person can mend it.
        ConfigurationError: the outbox is missing, or a setting is wrong.
    """
    from lawful.infra.gateway.run import run
    from lawful.infra.telemetry.watch import gateway_watch
    from lawful.infra.upgrading import take_part

    take_part(settings)
    loaded = policies(settings)
    with gateway_watch(settings) as watch:
        way = transport(settings, f"gateway-{settings.instance_id}" if settings.instance_id else "gateway")
        run(settings, way, loaded, counters=watch.counters, on_turn=watch.on_turn, ready=ready)


def worker_options(settings: Settings) -> "WorkerOptions":
    """What the streams need of the settings."""
    from lawful.streams.dead_letters import DeadLetterLimits
    from lawful.streams.login import credentials
    from lawful.streams.options import WorkerOptions

    kafka = settings.kafka
    context = tls(kafka)
    limits = settings.dead_letters
    return WorkerOptions(
        bootstrap=kafka.bootstrap,
        kafka=kafka.librdkafka(),
        topics=settings.topics,
        partitions=settings.partitions,
        instance_id=settings.instance_id,
        data_dir=settings.data_dir if settings.store is Store.ROCKSDB else None,
        reply_prefix=settings.allowed_reply_prefix,
        combine_timeout_ms=settings.combine_timeout_ms,
        session_timeout_s=settings.session_ms / 1_000,
        dead_letters=DeadLetterLimits(consecutive=limits.consecutive, ratio=limits.ratio),
        credentials=credentials(
            kafka.security_protocol, kafka.sasl_mechanism, kafka.sasl_username, kafka.sasl_password, context
        ),
        ssl_context=context,
    )


def tls(kafka: KafkaSettings) -> ssl.SSLContext | None:
    """The TLS context of workers; `None` for plain text.

    Raises:
        ConfigurationError: a certificate or key cannot be read.
    """
    if not kafka.security_protocol.endswith("SSL"):
        return None
    try:
        context = ssl.create_default_context(cafile=kafka.ssl_ca_location or None)
        if kafka.ssl_certificate_location:
            key = kafka.ssl_key_location or None
            context.load_cert_chain(kafka.ssl_certificate_location, key, kafka.ssl_key_password or None)
    except (OSError, ssl.SSLError) as error:
        raise ConfigurationError(
            f"the certificates for Kafka cannot be used: {type(error).__name__}", hint="check kafka.ssl_*"
        ) from None
    return context


def touch(path: Path | None) -> Callable[[], None]:
    """Tells readiness by making a file; does nothing without one."""
    return (lambda: None) if path is None else path.touch
