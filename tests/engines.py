"""Engines for tests: started once per test process, on first use, shared through unique names.

Which broker: a test that asks for `broker`, or whose installation does, runs on the embedded one.
`--broker=kafka` runs it on Apache Kafka instead, `--broker=all` on both. A test marked `kafka` runs on
Apache Kafka always, and one with `on_every_broker` or `installed_on_every_broker` on both. Where Apache
Kafka cannot be had (no Docker, and no Java 17 with Maven), those variants are skipped with the reason.
Under pytest-xdist every worker process has engines of its own.
"""

import contextlib
import time
import uuid
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from lawful.infra.engines import containers, kafka_jars
from lawful.infra.engines.apache_kafka import ApacheKafka
from lawful.infra.engines.broker import EmbeddedBroker
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.process import EngineFailed
from lawful.infra.engines.traits import Broker
from lawful.infra.kafka_admin import create_topics
from lawful.infra.settings import KafkaSettings, Settings
from lawful.schemas.topics import Topics

EMBEDDED, KAFKA = "embedded", "kafka"
CHOICES = {"embedded": (EMBEDDED,), "kafka": (KAFKA,), "all": (EMBEDDED, KAFKA)}
_SLOWER, _LONGEST_PAUSE = 1.2, 0.15  # what is asked 50 times a second costs more than what it waits for
T = TypeVar("T")

EVERY = [EMBEDDED, pytest.param(KAFKA, marks=pytest.mark.kafka)]
on_every_broker = pytest.mark.parametrize("broker", EVERY, indirect=True)
installed_on_every_broker = pytest.mark.parametrize("broker_kind", EVERY, indirect=True)


def eventually(probe: Callable[[], T], *, seconds: float = 20.0, pause: float = 0.02, slower: float = _SLOWER) -> T:
    """Calls `probe` until it returns something true, and returns that, ever more rarely; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (answer := probe()):
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {probe}"
        time.sleep(pause)
        pause = max(pause, min(pause * slower, _LONGEST_PAUSE))
    return answer


class Engines:
    """The engines of this test process, each started when first asked for."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._brokers: dict[str, Broker] = {}
        self._clickhouse: EmbeddedClickHouse | None = None

    def broker(self, kind: str) -> Broker:
        """The shared broker of this kind; skips the test where it cannot be had."""
        if kind not in self._brokers:
            started = new_broker(kind).start()
            self._stack.callback(started.stop)
            self._brokers[kind] = started
        return self._brokers[kind]

    def clickhouse(self) -> EmbeddedClickHouse:
        """The shared embedded ClickHouse."""
        if self._clickhouse is None:
            self._clickhouse = self._stack.enter_context(EmbeddedClickHouse())
        return self._clickhouse

    def close(self) -> None:
        """Stops them all."""
        self._stack.close()


def new_broker(kind: str) -> Broker:
    """A broker of this kind, not started; skips the test where it cannot be had."""
    if kind == EMBEDDED:
        return EmbeddedBroker()
    if not (no_docker := containers.missing()):
        return containers.KafkaContainer()
    if not (no_jars := kafka_jars.missing()):
        try:
            kafka_jars.fetch_jars()
        except EngineFailed as failure:  # Maven is here, its repository is not
            pytest.skip(f"Apache Kafka cannot be had here: {no_docker}; {failure}")
        return ApacheKafka()
    pytest.skip(f"Apache Kafka cannot be had here: {no_docker}; {no_jars}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--broker`."""
    parser.addoption("--broker", choices=sorted(CHOICES), default="embedded", help="which broker(s) service tests use")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Gives each test that asks for a broker its broker(s), unless it chose them itself."""
    for name in ("broker", "own_broker", "broker_kind"):
        marks = list(metafunc.definition.iter_markers("parametrize"))
        if name not in metafunc.fixturenames or any(name in str(mark.args[0]) for mark in marks):
            continue
        kinds = CHOICES[str(metafunc.config.getoption("--broker"))]
        if metafunc.definition.get_closest_marker("kafka"):
            kinds = (KAFKA,)
        metafunc.parametrize(name, kinds, indirect=True)
        return


@pytest.fixture(scope="session")
def engines() -> Iterator[Engines]:
    """All engines of this test process."""
    running = Engines()
    yield running
    running.close()


@pytest.fixture
def broker_kind(request: pytest.FixtureRequest) -> str:
    """Which broker the test's installation uses."""
    return str(request.param)


@pytest.fixture
def broker(request: pytest.FixtureRequest, engines: Engines) -> Broker:
    """The shared broker: use unique names (`prefix`), and don't stop it."""
    return engines.broker(request.param)


@pytest.fixture
def own_broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker for this test alone, which may stop, kill and restart it."""
    mine = new_broker(request.param).start()
    yield mine
    mine.stop()


@pytest.fixture
def clickhouse(engines: Engines) -> EmbeddedClickHouse:
    """The shared ClickHouse: use `database`, and don't stop it."""
    return engines.clickhouse()


@pytest.fixture
def own_clickhouse() -> Iterator[EmbeddedClickHouse]:
    """A ClickHouse for this test alone, which may stop, kill and restart it."""
    with EmbeddedClickHouse() as mine:
        yield mine


@pytest.fixture
def prefix() -> str:
    """A prefix for topic names, group ids and the like that no other test uses."""
    return f"t{uuid.uuid4().hex[:12]}"


@pytest.fixture
def settings(broker: Broker, prefix: str) -> Settings:
    """Settings of an installation of its own on the shared broker, whose topics do not exist yet."""
    return Settings(kafka=KafkaSettings(bootstrap=broker.bootstrap), topic_prefix=prefix)


@pytest.fixture
def topics(settings: Settings) -> Topics:
    """Topics of its own on the shared broker, created, with four partitions each."""
    create_topics(settings)
    return settings.topics


@pytest.fixture
def database(clickhouse: EmbeddedClickHouse, prefix: str) -> Iterator[str]:
    """A fresh, empty ClickHouse database, dropped afterwards."""
    client = clickhouse.client()
    client.command(f"CREATE DATABASE {prefix}")
    yield prefix
    client.command(f"DROP DATABASE IF EXISTS {prefix}")
    client.close()
