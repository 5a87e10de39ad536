"""What survives when the broker itself stops, orderly or not."""

import pytest

from lawful.infra.engines.traits import Broker
from tests.contracts.log import Log
from tests.engines import EMBEDDED, KAFKA

pytestmark = [
    pytest.mark.service,
    pytest.mark.parametrize("own_broker", [EMBEDDED, pytest.param(KAFKA, marks=pytest.mark.kafka)], indirect=True),
]


def test_a_restart_keeps_messages_offsets_and_address(own_broker: Broker, prefix: str) -> None:
    """After an orderly restart the log goes on where it was, under the same address."""
    log, address = Log(own_broker.bootstrap), own_broker.bootstrap
    topic = log.create(prefix, 3)
    log.send(topic, b"a", b"b", partition=2)
    own_broker.restart()
    assert own_broker.bootstrap == address
    log = Log(own_broker.bootstrap)
    assert log.send(topic, b"c", partition=2) == [("", 2)]
    assert [message.value() for message in log.read(topic, 3, partition=2)] == [b"a", b"b", b"c"]


def test_a_killed_broker_starts_again(own_broker: Broker, prefix: str) -> None:
    """After kill -9 it comes up, with what it acknowledged if the traits say so."""
    log = Log(own_broker.bootstrap)
    topic = log.create(prefix)
    log.send(topic, b"a")
    own_broker.kill()
    own_broker.start()
    log = Log(own_broker.bootstrap)
    if own_broker.traits.keeps_acknowledged_on_kill:
        assert [message.value() for message in log.read(topic, 1)] == [b"a"]
    else:  # what was written in the last moments is gone, and all that follows works
        assert log.send(log.create(f"{prefix}.next"), b"b") == [("", 0)]
