"""The ports of a process, if the operator opens any: metrics, and health for an orchestrator.

By default there is none (acceptance A27). What is served is numbers and yes or no: no table, no
setting, no name of anybody; any other path is not found.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from lawful.infra.settings import Settings
from lawful.infra.telemetry.health import Pulse
from lawful.schemas.errors import ConfigurationError

log = logging.getLogger(__name__)

Page = tuple[int, str, bytes]
"""Status, content type, body."""
Pages = Mapping[str, Callable[[], Page]]

_TEXT: Final = "text/plain; charset=utf-8"
_READ_SECONDS: Final = 10
_STOP_SECONDS: Final = 0.1


@contextmanager
def serving(settings: Settings, registry: CollectorRegistry, pulse: Pulse) -> Iterator[Mapping[str, int]]:
    """Serves metrics and health on the ports that are set, until the context ends.

    Yields:
        The port of each page that is served.

    Raises:
        ConfigurationError: somebody else listens on one of them, or the address is not this machine's.
    """
    wanted: dict[int, dict[str, Callable[[], Page]]] = {}
    if settings.metrics_port:
        wanted.setdefault(settings.metrics_port, {})["/metrics"] = lambda: _metrics(registry)
    if settings.health_port:
        pages = wanted.setdefault(settings.health_port, {})
        pages["/livez"] = lambda: _yes_or_no(yes=pulse.alive)
        pages["/readyz"] = lambda: _yes_or_no(yes=pulse.ready)
    with ExitStack() as stack:
        for port, pages in wanted.items():
            stack.enter_context(_server(settings.listen_host, port, pages))
        yield {path: port for port, pages in wanted.items() for path in pages}


@contextmanager
def _server(host: str, port: int, pages: Pages) -> Iterator[None]:
    try:
        server = _Server((host, port), _handler(pages))
    except OSError as error:
        raise ConfigurationError(
            f"{', '.join(pages)} cannot be served on {host}:{port}: {error.strerror}",
            hint="set LAWFUL_METRICS_PORT, LAWFUL_HEALTH_PORT to free ports, LAWFUL_LISTEN_HOST to one of this machine",
        ) from error
    thread = threading.Thread(target=server.serve_forever, args=(_STOP_SECONDS,), name=f"serving-{port}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    """Who is still reading when the process ends is not waited for."""

    daemon_threads = True
    block_on_close = False


def _handler(pages: Pages) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers GET for the pages there are, and nothing else."""

        timeout = _READ_SECONDS
        server_version = "lawful"
        sys_version = ""

        def do_GET(self) -> None:
            """One page."""
            page = pages.get(self.path.partition("?")[0])
            status, kind, body = page() if page else (HTTPStatus.NOT_FOUND, _TEXT, b"not found\n")
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
            """Says nothing: what a stranger asks for is not for the log."""

    return Handler


def _metrics(registry: CollectorRegistry) -> Page:
    return HTTPStatus.OK, CONTENT_TYPE_PLAIN_0_0_4, generate_latest(registry)


def _yes_or_no(*, yes: bool) -> Page:
    return (HTTPStatus.OK, _TEXT, b"yes\n") if yes else (HTTPStatus.SERVICE_UNAVAILABLE, _TEXT, b"no\n")
