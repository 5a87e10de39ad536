"""The gateway, without our package: an event to the outbox, and what arrives in a recipient's inbox.

Start `lawful up --gateway` first. Of ours this needs the schema that asyncapi.yaml names, and nothing else.
"""

import io
import json
import os
import sys
import time
import uuid
from pathlib import Path

from confluent_kafka import Consumer, Producer
from fastavro import parse_schema, schemaless_reader, schemaless_writer
from fastavro.schema import fingerprint, to_parsing_canonical_form

RUNNING = Path(os.environ.get("LAWFUL_DATA_DIR") or ".lawful") / "up.json"
SCHEMA = json.loads((Path(__file__).parents[1] / "schemas/avsc/released/AgentEvent/v2.avsc").read_text())
# Avro's single-object encoding: C3 01, and which schema wrote what follows.
HEADER = b"\xc3\x01" + bytes.fromhex(fingerprint(to_parsing_canonical_form(SCHEMA), "CRC-64-AVRO"))


def write(brokers: str) -> None:
    """A support agent tells the billing agent something about a customer."""
    event = {
        "event_id": str(uuid.uuid4()),
        "occurred_at": time.time_ns() // 1_000,
        "tenant_id": "default",
        "source": "urn:my-agents",
        "agent_id": "support",
        "session_id": "s-1",
        "payload": ("lawful.AgentMessage", {"text": "Charged twice: order 17, card 4111 1111 1111 1111."}),
        "subjects": [{"scheme": "customer_id", "value": "carl_fox_5678"}],
    }
    value = io.BytesIO()
    schemaless_writer(value, parse_schema(SCHEMA), event)
    producer = Producer({"bootstrap.servers": brokers})
    recipients = {"recipients": "agent:billing"}
    producer.produce("lawful.outbox", HEADER + value.getvalue(), key=event["session_id"], headers=recipients)
    producer.flush(10)


def read(brokers: str) -> None:
    """The billing agent reads its inbox, from the first record on."""
    options = {"group.id": "billing", "auto.offset.reset": "earliest", "isolation.level": "read_committed"}
    consumer = Consumer({"bootstrap.servers": brokers, "topic.metadata.refresh.interval.ms": 1_000, **options})
    consumer.subscribe(["lawful.inbox.default.agent.billing"])
    end = time.monotonic() + 60
    while time.monotonic() < end:
        record = consumer.poll(1)
        if record is not None and record.error() is None and record.value().startswith(HEADER):
            event = schemaless_reader(io.BytesIO(record.value()[len(HEADER) :]), parse_schema(SCHEMA), None)
            print(dict(record.headers())["decision"].decode(), event["payload"]["text"])
            break
    else:
        print("nothing arrived: was `lawful up` started with `--gateway`?", file=sys.stderr)
    consumer.close()


if __name__ == "__main__":
    if not RUNNING.exists():
        sys.exit("start `lawful up --gateway` first")
    address = json.loads(RUNNING.read_text())["settings"]["kafka.bootstrap"]
    write(address)
    read(address)
