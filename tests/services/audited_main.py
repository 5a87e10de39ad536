"""The tests' worker with auditors, as its environment names them."""

import os
from collections.abc import Mapping
from typing import Any

from lawful.infra.auditors.installing import installed
from lawful.infra.settings_load import load_settings
from lawful.streams.kernel import Kernel
from lawful.streams.observing import Observers
from lawful.streams.worker import WorkerDeps
from tests.services.worker_main import main
from tests.streams.kit import KERNEL


def whim(_: Mapping[str, Any]) -> tuple[str, str]:
    """An auditor that no two processes hear the same from: whoever asked it twice would have two votes."""
    return "warn", f"process_{os.getpid()}"


def equipped(told: Mapping[str, Any], kernel: Kernel = KERNEL) -> WorkerDeps:
    """The worker's parts, with auditors among them."""
    settings = load_settings(
        os.environ, overrides={"kafka.bootstrap": told["bootstrap"], "topic_prefix": told["prefix"]}
    )
    parts = installed(settings, kernel, Observers())
    return WorkerDeps(parts.kernel, observers=parts.observers, panel=parts.panel)


if __name__ == "__main__":
    main(equip=equipped)
