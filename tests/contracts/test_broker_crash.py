"""What survives when the broker itself stops, orderly or not."""

import pytest

from lawful.infra.engines.traits import Broker
from tests.contracts.log import Log
from tests.engines import EMBEDDED, KAFKA

pytestmark = [
    pytest.mark.service,
    pytest.mark.parametrize("own_broker", [EMBEDDED, pytest.param(KAFKA, marks=pytest.mark.kafka)], indirect=True),
]


def test_the_log_survives_a_stop_and_a_crash_as_the_traits_say(own_broker: Broker, prefix: str) -> None:
    """After an orderly restart nothing is lost; after kill -9 what was acknowledged, if the traits say so."""
    address = own_broker.bootstrap
    topic = Log(address).create(prefix, 3)
    Log(address).send(topic, b"a", b"b", partition=2)
    own_broker.restart()
    assert own_broker.bootstrap == address
    assert Log(address).send(topic, b"c", partition=2) == [("", 2)]
    assert values(Log(address), topic) == [b"a", b"b", b"c"]
    own_broker.kill()
    own_broker.start()
    assert own_broker.bootstrap == address
    if own_broker.traits.keeps_acknowledged_on_kill:
        assert values(Log(address), topic) == [b"a", b"b", b"c"]
    else:  # what was written in the last moments may be gone; what was there at the stop is not, and all goes on
        assert values(Log(address), topic)[:2] == [b"a", b"b"]
        assert Log(address).send(Log(address).create(f"{prefix}.next"), b"d") == [("", 0)]


def values(log: Log, topic: str) -> list[bytes | None]:
    """The first three values of partition 2."""
    return [message.value() for message in log.read(topic, 3, partition=2, seconds=5)]
