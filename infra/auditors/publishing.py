"""Puts the commitment to a key of sentries into the audit, before the key is used."""

import time
from collections.abc import Mapping
from typing import Final

from confluent_kafka import KafkaException, Producer

from lawful.schemas.audit import AuditKind, GuardReport
from lawful.schemas.codec import encode
from lawful.schemas.errors import RetryLater

_PATIENCE: Final = 15.0


def publish(kafka: Mapping[str, str], topic: str, commitment: str, terms: str, source: str) -> None:
    """Writes it, and waits until it is there. Written again, it stays one row.

    Args:
        kafka: librdkafka's settings.
        topic: of the audit.
        commitment: see `lawful.policies.auditing.commitment`.
        terms: what is drawn, of whom.
        source: which worker says so.

    Raises:
        RetryLater: Kafka does not take it in time.
    """
    report = GuardReport(
        kind=AuditKind.SENTRIES,
        event_id=commitment,
        tenant_id="",
        source=source,
        agent_id="",
        session_id="",
        occurred_at=time.time_ns() // 1_000,
        reason=terms,
        payload_kind="",
    )
    faults: list[str] = []
    producer = Producer({**kafka, "enable.idempotence": True, "delivery.timeout.ms": int(_PATIENCE * 1_000)})
    try:
        producer.produce(
            topic,
            encode(report),
            commitment.encode(),
            on_delivery=lambda error, _: faults.append(str(error)) if error is not None else None,
        )
        waiting = producer.flush(_PATIENCE)
    except KafkaException as error:
        raise RetryLater(f"the sentries' commitment could not be written to {topic}: {error}") from None
    if waiting or faults:
        raise RetryLater(f"the sentries' commitment could not be written to {topic}: {'; '.join(faults) or 'too slow'}")
