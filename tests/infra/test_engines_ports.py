"""Free ports are a race; losing it costs another try, not the start."""

import socket

import pytest

from lawful.infra.engines.ports import LOOPBACK, answers, free_port, on_free_ports
from lawful.infra.engines.process import EngineFailed


def test_no_port_is_given_out_twice() -> None:
    """Engines started side by side in one process never get the same port."""
    ports = [free_port() for _ in range(50)]
    assert len(set(ports)) == 50


def test_a_start_that_lost_the_race_is_tried_on_other_ports() -> None:
    """'Address in use' means: again, elsewhere."""
    tried: list[tuple[int, ...]] = []

    def start(ports: tuple[int, ...]) -> str:
        tried.append(ports)
        if len(tried) < 3:
            raise EngineFailed("Address already in use")
        return "started"

    assert on_free_ports(2, start) == "started"
    assert len({port for ports in tried for port in ports}) == 6


def test_another_failure_is_not_tried_again() -> None:
    """What is not about a port is reported at once."""
    tried: list[tuple[int, ...]] = []

    def start(ports: tuple[int, ...]) -> None:
        tried.append(ports)
        raise EngineFailed("disk full")

    with pytest.raises(EngineFailed, match="disk full"):
        on_free_ports(1, start)
    assert len(tried) == 1


def test_the_last_lost_race_is_reported() -> None:
    """After the last attempt the failure comes through."""
    tried: list[tuple[int, ...]] = []

    def start(ports: tuple[int, ...]) -> None:
        tried.append(ports)
        raise EngineFailed("address in use")

    with pytest.raises(EngineFailed, match="in use"):
        on_free_ports(1, start, attempts=2)
    assert len(tried) == 2


def test_answers_tells_a_listener_from_none() -> None:
    """A port answers while somebody listens on it."""
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        assert answers(port)
    assert not answers(port)
