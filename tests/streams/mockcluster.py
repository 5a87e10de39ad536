"""librdkafka's mock cluster: a broker of the real protocol inside this process, for what needs no group."""

import time

from confluent_kafka import Producer

PARTITIONS = 4


class MockCluster:
    """Lives as long as this object. Topics appear when they are first used."""

    def __init__(self) -> None:
        self._host = Producer({"test.mock.num.brokers": 1, "log_level": 2, "test.mock.broker.rtt": 0})
        self.bootstrap = self._address()

    def _address(self) -> str:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            brokers = self._host.list_topics(timeout=5).brokers.values()
            if brokers:
                return ",".join(f"{broker.host}:{broker.port}" for broker in brokers)
        raise TimeoutError("librdkafka's mock cluster did not come up")
