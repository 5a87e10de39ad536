"""Ports of a process: none by default, and behind those that are set numbers, yes and no."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from prometheus_client import CollectorRegistry

from lawful.infra.settings import Settings
from lawful.infra.telemetry.health import Pulse
from lawful.infra.telemetry.serving import serving
from lawful.infra.telemetry.watch import worker_watch
from lawful.schemas.errors import ConfigurationError
from lawful.streams.observing import Standing


def free_port() -> int:
    """A port that nobody listens on now."""
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def ask(port: int, path: str, method: str = "GET") -> tuple[int, str]:
    """Status and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    with closing(connection):
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


class Time:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        """Now."""
        return self.now


@contextmanager
def served(pulse: Pulse) -> Iterator[int]:
    """Metrics and health on one port."""
    port = free_port()
    settings = Settings(metrics_port=port, health_port=port)
    with serving(settings, CollectorRegistry(), pulse) as pages:
        assert pages == {"/metrics": port, "/livez": port, "/readyz": port}
        yield port


STANDING = Standing(stage="judge", topic="t", partition=0, done=0, end=0, rows=0, size=0)


def test_by_default_nothing_is_served() -> None:
    """A27: without a setting no port is opened."""
    with serving(Settings(), CollectorRegistry(), Pulse()) as pages:
        assert pages == {}


def test_a_worker_is_ready_while_it_has_open_partitions() -> None:
    """Alive from the start; ready once partitions are open, and not while they are with others."""
    time = Time()
    pulse = Pulse(time)
    with served(pulse) as port:
        assert ask(port, "/livez") == (200, "yes\n")
        assert ask(port, "/readyz")[0] == 503
        pulse.stands([STANDING])
        assert ask(port, "/readyz") == (200, "yes\n")
        pulse.stands([])
        assert ask(port, "/readyz") == (503, "no\n")


def test_a_loop_that_does_not_turn_is_not_alive() -> None:
    """After two minutes without a beat an orchestrator is told to start the process again."""
    time = Time()
    pulse = Pulse(time)
    pulse.stands([STANDING])
    time.now = 119.0
    assert (pulse.alive, pulse.ready) == (True, True)
    time.now = 121.0
    assert (pulse.alive, pulse.ready) == (False, False)


def test_no_other_path_and_no_other_method_is_answered() -> None:
    """A27: there is nothing to see but what is listed."""
    with served(Pulse()) as port:
        assert [ask(port, path)[0] for path in ("/", "/tables", "/metrics/..", "/debug", "/readyz/x")] == [404] * 5
        assert ask(port, "/metrics", "POST")[0] == 501
        assert ask(port, "/metrics?name=x")[0] == 200


def test_a_workers_metrics_are_served_where_the_setting_says() -> None:
    """With the process's own memory among them."""
    port = free_port()
    with worker_watch(Settings(metrics_port=port)):
        status, text = ask(port, "/metrics")
    assert status == 200
    assert "lawful_build_info{version=" in text
    assert "process_resident_memory_bytes" in text


def test_a_port_that_is_taken_is_named() -> None:
    """Two workers on one machine need two ports; the message says which setting."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        with (
            pytest.raises(ConfigurationError, match=f"127.0.0.1:{port}.*LAWFUL_METRICS_PORT"),
            serving(Settings(metrics_port=port), CollectorRegistry(), Pulse()),
        ):
            pass  # pragma: no cover - not reached
