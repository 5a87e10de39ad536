"""The chaos suite in small: it finds an installation fine that is, and sees what is not."""

from pathlib import Path

import pytest

from lawful.infra.chaos.faults import ONE, Fault
from lawful.infra.chaos.place import AUDIT
from lawful.infra.chaos.scene import Scene
from lawful.infra.chaos.suite import Stage
from lawful.infra.clickhouse.client import connect
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.traits import Broker
from lawful.infra.settings import Settings
from lawful.streams.kernel import Kernel
from tests.streams.kit import TENANT, OnePolicy, PlainExtractor

SEED = 11
EVENTS = 250
KAFKA_EVENTS = 200


@pytest.fixture
def stage(broker: Broker, clickhouse: EmbeddedClickHouse, tmp_path: Path) -> Stage:
    """The tests' small world on the shared engines."""
    return Stage(broker, clickhouse, tmp_path, kernel=small_kernel, module="tests.acceptance.small_main", tenant=TENANT)


def small_kernel(settings: Settings) -> Kernel:
    """As the small workers have it."""
    return Kernel(OnePolicy(), PlainExtractor(), settings.pseudonymiser())


def strike(scene: Scene) -> None:
    """A worker and the writer die in mid-stream, beside some poison; in the end somebody tampers with the audit."""
    for _ in scene.strikes(0.4):
        with scene.healing():
            topic = scene.place.settings().topics.events
            scene.flow.put(topic, b"k", b"nonsense")
            scene.flow.poison = 1
            scene.place.kill(ONE, AUDIT)
            scene.meanwhile(lambda: scene.place.start(ONE, AUDIT))
    scene.flow.finish()
    scene.place.stop(AUDIT)
    client = connect(scene.place.settings().clickhouse)
    client.command("INSERT INTO audit SELECT * FROM audit WHERE kind = 'verdict' LIMIT 1")
    client.close()


def test_kill_9_in_mid_stream_loses_nothing_and_what_is_doubled_is_seen(stage: Stage) -> None:
    """A24: a worker and the audit writer are killed under load: nothing is wrong but the row that was put in."""
    outcome = stage.outcome(Fault("both-killed", "", strike), EVENTS, SEED)
    assert (outcome.lost, outcome.doubled, outcome.wrong, outcome.trouble) == (0, 1, 0, ""), outcome
    assert (outcome.fine, outcome.events) == (False, EVENTS)
    assert outcome.chain.startswith("wrong")
    assert outcome.recovery_s is not None


def lose_both(scene: Scene) -> None:
    """A worker dies and nobody says goodbye for it, then ClickHouse is away."""
    for _ in scene.strikes(0.3):
        with scene.healing():
            scene.place.kill(ONE)
            scene.meanwhile(lambda: scene.place.start(ONE))
    for _ in scene.strikes(0.6):
        with scene.healing():
            scene.place.clickhouse.kill()
            scene.meanwhile(scene.place.clickhouse.restart)


@pytest.mark.kafka
@pytest.mark.slow
@pytest.mark.timeout(240)
def test_on_apache_kafka_nothing_is_lost_either(
    broker: Broker, own_clickhouse: EmbeddedClickHouse, tmp_path: Path
) -> None:
    """A24, A35: on Apache Kafka, a worker killed and ClickHouse away: one verdict and one row per event."""
    small = "tests.acceptance.small_main"
    stage = Stage(broker, own_clickhouse, tmp_path, kernel=small_kernel, module=small, tenant=TENANT)
    outcome = stage.outcome(Fault("both-lost", "", lose_both), KAFKA_EVENTS, SEED)
    assert outcome.fine, outcome
