"""A schema registry over real HTTP, as far as the documented REST API goes that our client uses."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit


class FakeRegistry:
    """Schemas by id, in memory; `fail_with` answers every call with that HTTP status."""

    def __init__(self) -> None:
        self.schemas: list[dict[str, Any]] = []
        self.fail_with: int | None = None
        self.calls: list[str] = []
        self.url = ""

    def register(self, subject: str, body: dict[str, Any]) -> dict[str, Any]:
        """POST /subjects/(subject)/versions."""
        found = self.find(subject, body["schema"])
        if found is None:
            version = 1 + sum(entry["subject"] == subject for entry in self.schemas)
            found = {"id": len(self.schemas) + 1, "subject": subject, "version": version, **body}
            self.schemas.append(found)
        return {"id": found["id"]}

    def find(self, subject: str, schema: str) -> dict[str, Any] | None:
        """POST /subjects/(subject)."""
        return next((e for e in self.schemas if e["subject"] == subject and e["schema"] == schema), None)

    def answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """The status and JSON for one request."""
        self.calls.append(f"{method} {path}")
        if self.fail_with is not None:
            return self.fail_with, {"error_code": self.fail_with, "message": "no"}
        match method, [unquote(part) for part in path.strip("/").split("/")]:
            case "GET", ["schemas", "ids", number]:
                found = next((e for e in self.schemas if e["id"] == int(number)), None)
                return (200, found) if found else (404, {"error_code": 40403, "message": "Schema not found"})
            case "GET", ["subjects", subject, "versions", version]:
                found = next((e for e in self.schemas if (e["subject"], str(e["version"])) == (subject, version)), None)
                return (200, found) if found else (404, {"error_code": 40402, "message": "Version not found"})
            case "POST", ["subjects", subject, "versions"]:
                return 200, self.register(subject, body)
            case "POST", ["subjects", subject]:
                found = self.find(subject, body["schema"])
                return (200, found) if found else (404, {"error_code": 40403, "message": "Schema not found"})
        return 404, {"error_code": 404, "message": "HTTP 404 Not Found"}


@contextmanager
def running() -> Iterator[FakeRegistry]:
    """A registry on a free loopback port."""
    registry = FakeRegistry()

    class Handler(BaseHTTPRequestHandler):
        """Passes requests on."""

        def do_GET(self) -> None:
            """A GET request."""
            self._answer({})

        def do_POST(self) -> None:
            """A POST request."""
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Says nothing."""

        def _answer(self, body: dict[str, Any]) -> None:
            status, answer = registry.answer(self.command, urlsplit(self.path).path, body)
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/vnd.schemaregistry.v1+json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    registry.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
