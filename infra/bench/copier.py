"""A Faust agent that only copies bytes: the least that a stage on Faust can do, to compare with.

`python -m lawful.infra.bench.copier` reads the topic of events and writes each record, as it is, to the topic of
verdicts: one hop, with the acknowledgements, the waiting for batches and the group settings that our workers have.
"""

import argparse
import asyncio
import logging
import os
import signal
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import faust

from lawful.infra.compose_root import touch, worker_options
from lawful.infra.settings_load import load_settings
from lawful.streams.options import WorkerOptions
from lawful.streams.worker import exit_now

_RAW: dict[str, Any] = {"key_type": bytes, "value_type": bytes, "key_serializer": "raw", "value_serializer": "raw"}


def build(options: WorkerOptions) -> faust.App:
    """The app, not started yet."""
    app = faust.App(
        f"{options.group_id}-copy",
        broker=";".join(f"aiokafka://{address}" for address in options.bootstrap.split(",")),
        consumer_group_instance_id=options.instance_id or None,
        autodiscover=False,
        store="memory://",
        key_serializer="raw",
        value_serializer="raw",
        web_enabled=False,
        topic_allow_declare=False,
        topic_disable_leader=True,
        datadir=options.data_dir or Path(gettempdir()) / "lawful-faust",
        producer_acks=-1,
        producer_linger=options.linger_ms / 1_000,
        broker_max_poll_records=1_000,
        broker_commit_interval=1.0,
        stream_wait_empty=False,
        broker_session_timeout=options.session_timeout_s,
        broker_heartbeat_interval=options.session_timeout_s / 5,
        worker_redirect_stdouts=False,
    )
    source = app.topic(options.topics.events, **_RAW, partitions=options.partitions)
    target = app.topic(options.topics.verdicts, **_RAW, partitions=options.partitions)

    async def copy(stream: Any) -> None:
        async for event in stream.events():
            await target.send(key=event.key, value=event.value)

    app.agent(source, name="lawful.copy")(copy)
    return app


async def _serve(app: faust.App, ready: Path | None) -> None:
    asked = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    await app.start()
    while not asked.is_set() and (app.rebalancing or not app.consumer.assignment()):  # noqa: ASYNC110 - once
        await asyncio.sleep(0.05)
    touch(ready)()
    await asked.wait()
    await app.stop()


def main() -> None:
    """Runs until told to stop."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ready-file", type=Path)
    ready = parser.parse_args().ready_file
    logging.basicConfig(level=logging.ERROR)
    asyncio.run(_serve(build(worker_options(load_settings(os.environ))), ready))
    exit_now(0)


if __name__ == "__main__":
    main()
