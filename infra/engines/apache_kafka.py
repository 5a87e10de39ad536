"""Apache Kafka without an operator: from Maven's jars on Java 17, or in a container when Docker answers."""

from lawful.infra.engines.traits import Broker
from lawful.schemas.errors import ConfigurationError


def missing() -> str:
    """Why Apache Kafka cannot be started here; empty if it can."""
    return "not yet supported"


def any_kafka() -> Broker:
    """A broker that is Apache Kafka, not started."""
    raise ConfigurationError(missing())
