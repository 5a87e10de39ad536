"""Puts the gateway together and runs it until SIGTERM or SIGINT."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Final, Protocol

from lawful.client.clock import now
from lawful.client.settle import Settler
from lawful.client.transport import Transport
from lawful.infra.audit_writer.limit import Limit
from lawful.infra.gateway.desk import Desk
from lawful.infra.gateway.directory import Directory
from lawful.infra.gateway.gateway import Counters, Gateway
from lawful.infra.gateway.kafka import Inboxes, Outbox, consumer, producer
from lawful.infra.settings import Settings
from lawful.infra.signals import on_signals
from lawful.policies.model import Policy
from lawful.schemas.codec import PROCESS
from lawful.schemas.errors import RetryLater
from lawful.schemas.event import AgentEvent, ToolCall

log: Final = logging.getLogger(__name__)

_AGAIN: Final = 1.0


class Policies(Protocol):
    """The loaded policies; `None` asks for the default one."""

    def get(self, policy_id: str | None, /) -> Policy | None:
        """The policy of that name."""
        ...


def run(  # noqa: PLR0913 - its ports, and who is told
    settings: Settings,
    transport: Transport,
    policies: Policies,
    *,
    stop: threading.Event | None = None,
    counters: Counters | None = None,
    on_turn: Callable[[bool], None] = lambda _: None,
    ready: Callable[[], None] = lambda: None,
) -> Counters:
    """Runs until told to stop. What has not left the outbox by then is begun anew by whoever comes next.

    Args:
        settings: everything it needs.
        transport: the way to verdicts; closed in the end.
        policies: for the schemas of tools.
        stop: ends it when set; SIGTERM and SIGINT do, too, in the main thread.
        counters: it counts here.
        on_turn: told of every turn of the loop.
        ready: called once it reads.

    Raises:
        MustStop: going on would lose records, or only a person can mend it.
        ConfigurationError: the outbox is missing, or a setting is wrong.
    """
    stop = stop or threading.Event()
    with closing(transport), on_signals(stop.set):
        directory = Directory(settings)
        directory.require_outbox()
        reader = consumer(settings)
        sink = Inboxes(producer(settings), reader)
        desk = Desk(
            transport=transport,
            settler=Settler(transport, now),
            people=settings.pseudonymiser(),
            topics=settings.topics,
            reply_prefix=settings.allowed_reply_prefix,
            deadline_ms=settings.gateway.deadline_ms,
            directory=directory,
            schema_of=lambda event: _schema(event, policies),
            clock=time.monotonic,
            codec=PROCESS,
        )
        gateway = Gateway(
            Outbox(reader, settings.topics.outbox),
            sink,
            desk,
            Limit(settings.dead_letters),
            most=settings.gateway.in_flight,
            clock=time.monotonic,
            counters=counters,
        )
        try:
            _begin(sink, stop)
            ready()
            while not stop.is_set():
                gateway.step()
                on_turn(True)
        finally:
            gateway.finish()
    return gateway.counters


def _begin(sink: Inboxes, stop: threading.Event) -> None:
    """Waits for Kafka for as long as it takes."""
    while not stop.is_set():
        try:
            sink.begin()
        except RetryLater as error:
            log.warning("%s; trying until it answers", error)
            stop.wait(_AGAIN)
            continue
        return


def _schema(event: AgentEvent, policies: Policies) -> Mapping[str, Any] | None:
    if not isinstance(event.payload, ToolCall):
        return None
    policy = policies.get(event.policy_id)
    tool = None if policy is None else policy.tools.get(event.payload.tool)
    return None if tool is None else tool.schema
