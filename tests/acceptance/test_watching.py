"""Watched processes: ports that were asked for and no other, and nobody in what they tell."""

import http.client
import itertools
import json
import socket
from contextlib import closing
from dataclasses import replace

from prometheus_client.parser import text_string_to_metric_families

from lawful.schemas.event import RecipientKind, ToolCall, UserMessage
from tests.acceptance.house import House
from tests.acceptance.test_audit import Zoe, forms, payloads, weird, zoe  # noqa: F401 - `zoe` is a fixture
from tests.acceptance.test_verdict_path import listening, sockets
from tests.engines import eventually
from tests.otlp import collector

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"
WAY = {"lawful.annotate", "lawful.judge", "lawful.verdict", "lawful.audit"}


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    found = [socket.socket() for _ in range(count)]
    for each in found:
        each.bind(("127.0.0.1", 0))
    ports = [int(each.getsockname()[1]) for each in found]
    for each in found:
        each.close()
    return ports


def ask(port: int, path: str) -> tuple[int, str]:
    """Status and body."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def series(text: str, name: str, **labels: str) -> dict[tuple[tuple[str, str], ...], float]:
    """A metric's series with these labels, by all of their labels."""
    return {
        tuple(sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    }


def total(text: str, name: str, **labels: str) -> float:
    """The sum of them."""
    return sum(series(text, name, **labels).values())


def metrics_of(port: int) -> str:
    """What a process tells Prometheus."""
    status, text = ask(port, "/metrics")
    assert status == 200
    return text


def test_watched_processes_tell_numbers_and_nobody(bare: House, zoe: Zoe) -> None:  # noqa: F811 - the fixture
    """A36: metrics, traces and JSON logs of a worker and an audit writer count the events and hold no identifier."""
    metrics, health, written = free_ports(3)
    with collector() as collected:
        common = {"traces__endpoint": collected.endpoint, "traces__sample": "1", "log_format": "json"}
        ports = {"metrics_port": str(metrics), "health_port": str(health)}
        bare.spawn("worker-1", "--log-level", "debug", **ports, **common)
        ports = {"metrics_port": str(written), "health_port": str(written)}
        bare.spawn("audit-writer", "--log-level", "debug", **ports, **common)
        kinds = itertools.cycle(RecipientKind)
        events = [weird(bare.event(payload, *zoe.identifiers), zoe, next(kinds)) for payload in payloads(zoe)]
        events += [replace(bare.event(UserMessage("hello"), *zoe.identifiers), traceparent=PARENT)]
        verdicts = [each.result(timeout=60) for each in [bare.transport.submit(event) for event in events]]
        with bare.producing() as producer:
            producer.produce(bare.topics.events, f"no event: {zoe.all}".encode(), partition=0)
        bare.ask_for(len(verdicts), "SELECT 1 FROM audit WHERE kind = 'verdict'")
        eventually(lambda: total(metrics_of(metrics), "lawful_dead_letters_total", reason="undecodable") == 1)
        eventually(lambda: total(metrics_of(written), "lawful_audit_rows_total") >= len(verdicts))
        assert ask(health, "/livez") == ask(health, "/readyz") == ask(written, "/readyz") == (200, "yes\n")
        told = {"worker": metrics_of(metrics), "writer": metrics_of(written)}
        for process in bare.processes.values():
            process.stop()
    assert total(told["worker"], "lawful_verdicts_total") == total(told["worker"], "lawful_verdict_seconds_count")
    assert total(told["worker"], "lawful_verdicts_total") == len(verdicts)
    assert len(series(told["worker"], "lawful_lag_records")) == 3 * bare.settings.partitions
    ours = {name for _, name, trace in collected.spans if trace == TRACE}
    assert ours >= WAY
    assert {service for service, _, trace in collected.spans if trace == TRACE} == {
        "lawful-worker",
        "lawful-audit-writer",
    }
    told |= {"spans": b"".join(collected.raw).decode(errors="replace")}
    told |= {name: bare.said(name) for name in bare.processes}
    for name in bare.processes:
        assert all(json.loads(line)["logger"] for line in bare.said(name).splitlines())
    places = {name: text.lower().encode() for name, text in told.items()}
    assert {name for name, stored in places.items() if any(form in stored for form in forms(zoe))} == set()


def test_only_the_ports_that_were_asked_for_are_open(bare: House) -> None:
    """A27: with a health port set there is that one socket, on loopback, and it serves no table."""
    (health,) = free_ports(1)
    bare.spawn("worker-1", health_port=str(health))
    bare.asked(bare.event(ToolCall("get_order_status", "c", "{}")))
    pid = bare.pid("worker-1")
    assert len(listening(pid) & sockets(pid)) == 1
    assert ask(health, "/livez") == (200, "yes\n")
    assert [ask(health, path)[0] for path in ("/", "/metrics", "/tables", "/tables/history")] == [404] * 4
