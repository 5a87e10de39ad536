"""Metrics for Prometheus: names in one place, served on loopback where a port is set."""

from prometheus_client import Counter, start_http_server

from lawful.schemas.errors import ConfigurationError

DISAGREEMENTS = Counter(
    "lawful_crosscheck_disagreements",
    "Sampled events on which the three judges differ. Anything above 0 is an alarm.",
)


def serve(port: int) -> None:
    """Serves this process's metrics on loopback; port 0 serves nothing.

    Raises:
        ConfigurationError: somebody else listens there.
    """
    if port == 0:
        return
    try:
        start_http_server(port, addr="127.0.0.1")
    except OSError as error:
        raise ConfigurationError(
            f"metrics cannot be served on port {port}: {error.strerror}", hint="set LAWFUL_METRICS_PORT to a free one"
        ) from error
