"""A collector for tests: takes spans over HTTP as OpenTelemetry's own does, and keeps them."""

import contextlib
import gzip
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Collected:
    """What was posted.

    Attributes:
        requests: path and `Authorization` of each request.
        raw: their bodies.
        spans: service, name and trace id of each span.
    """

    endpoint: str = ""
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    spans: list[tuple[str, str, str]] = field(default_factory=list)


@contextlib.contextmanager
def collector() -> Iterator[Collected]:
    """Listens on loopback until the context ends."""
    collected = Collected()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(collected))
    collected.endpoint = f"http://127.0.0.1:{server.server_port}/v1/traces"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield collected
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(collected: Collected) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            collected.requests.append((self.path, self.headers.get("Authorization")))
            collected.raw.append(body)
            collected.spans += _spans(body)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
            """Silence."""

    return Handler


def _spans(body: bytes) -> Iterator[tuple[str, str, str]]:
    request = ExportTraceServiceRequest.FromString(body)
    for resource in request.resource_spans:
        named = {each.key: each.value.string_value for each in resource.resource.attributes}
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield named["service.name"], span.name, span.trace_id.hex()
