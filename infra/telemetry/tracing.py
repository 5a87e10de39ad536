"""Sends spans to an OpenTelemetry collector, if the settings name one."""

from collections.abc import Iterator
from contextlib import contextmanager

from lawful import __version__
from lawful.infra.settings import Settings
from lawful.infra.telemetry.spans import Spans
from lawful.schemas.errors import ConfigurationError

_SEND_SECONDS = 5.0
_QUEUE = 8_192


@contextmanager
def tracing(settings: Settings, service: str) -> Iterator[Spans | None]:
    """What tells spans; `None` unless an endpoint is set. Sends what waits when the context ends.

    Args:
        settings: where to, and how many.
        service: `service.name`: `lawful-worker` or `lawful-audit-writer`.

    Raises:
        ConfigurationError: the endpoint is no URL, or a header is not written `name=value`.
    """
    traces = settings.traces
    if not traces.endpoint:
        yield None
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - if wanted
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - if wanted
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - if wanted

    resource = Resource(
        {
            "service.name": service,
            "service.version": __version__,
            "service.instance.id": settings.instance_id or service,
        }
    )
    exporter = OTLPSpanExporter(endpoint=traces.endpoint, headers=headers(traces.headers), timeout=_SEND_SECONDS)
    processor = BatchSpanProcessor(exporter, max_queue_size=_QUEUE)
    try:
        yield Spans(processor, resource, traces.sample)
    finally:
        processor.shutdown()  # type: ignore[no-untyped-call]


def headers(text: str) -> dict[str, str]:
    """`name=value,name=value` as headers.

    Raises:
        ConfigurationError: it is not written so; the message quotes nothing, since it is a secret.
    """
    found: dict[str, str] = {}
    for each in filter(None, (part.strip() for part in text.split(","))):
        name, separator, value = each.partition("=")
        if not separator or not name.strip():
            raise ConfigurationError("setting 'traces.headers' is not written name=value,name=value", hint="mend it")
        found[name.strip()] = value.strip()
    return found
