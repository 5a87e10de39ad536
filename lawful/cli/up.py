"""`lawful up`: all parts of an installation on this machine, until Ctrl-C."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lawful.cli import common
from lawful.cli.console import put_json, say
from lawful.cli.signals import interruptible
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.installation import Installation
    from lawful.infra.stack import Stack

WATCH_SECONDS = 0.5
EXAMPLE = Path("examples/trace.jsonl")
LIMITS = (
    "Embedded engines are for laptops and tests: one node, loopback only, no replication. The broker keeps "
    "everything (no compaction) and forgets its last second if it is killed. "
    "For more: README, From laptop to cluster."
)


def up(
    workers: Annotated[int, typer.Option("--workers", min=1, max=64, help="Worker processes.")] = 2,
    partitions: Annotated[
        int, typer.Option("--partitions", min=1, max=256, help="Partitions of the topics; fixed at first start.")
    ] = 4,
    data_dir: Annotated[
        Path | None, typer.Option("--data-dir", help="Data, logs and the pseudonym key. [default: .lawful]")
    ] = None,
    policy: Annotated[
        str | None, typer.Option("--policy", help="Policy of events that name none. [default: shopper]")
    ] = None,
    policies: Annotated[Path | None, typer.Option("--policies", help="Folder of your own policies.")] = None,
    gateway: Annotated[
        bool, typer.Option("--gateway", help="A gateway, too: it delivers what agents write to the outbox.")
    ] = False,
    json: common.Json = False,
) -> int:
    """Run embedded broker, ClickHouse, workers and audit writer here until Ctrl-C.

    Other commands find it through .lawful/up.json. Data stays in the data folder.
    """
    from lawful.infra.stack import Plan, Stack

    found = common.running()
    if found is not None:
        raise ConfigurationError(f"`lawful up` already runs here (process {found.pid})", hint="stop it first")
    values = {
        "default_policy": policy or (None if policies else common.DEFAULT_POLICY),
        "policies_dir": str(policies.resolve()) if policies else None,
    }
    given = {name: value for name, value in values.items() if value}
    _check(given)
    plan = Plan(
        data_dir=data_dir or common.data_dir(),
        workers=workers,
        partitions=partitions,
        gateway=gateway,
        values=given,
    )
    with interruptible(), Stack(plan, say) as stack:
        tell(stack.installation(), stack.settings("officer").topics.outbox if gateway else "", json)
        keep_running(stack)
    return 0


def _check(values: dict[str, str]) -> None:
    """Reads the policies as the workers will, before anything is started.

    Raises:
        ConfigurationError: there is no such policy or folder, one of them is wrong, or nobody chose among several.
    """
    from lawful.infra.compose_root import policies
    from lawful.infra.settings_load import load_settings, variable

    found = policies(load_settings({**os.environ, **{variable(name): value for name, value in values.items()}}))
    if found.default is None:
        raise ConfigurationError(
            f"there are {len(found.policies)} policies, and none is said to be that of events that name none",
            hint=f"choose one: --policy {'|'.join(sorted(found.policies))}",
        )


def keep_running(stack: "Stack") -> None:
    """Let other commands find this installation, and look after it until Ctrl-C.

    Raises:
        EngineFailed: an engine is gone, or a part keeps ending.
    """
    from lawful.infra.installation import FILE

    state = common.data_dir() / FILE
    stack.installation().save(state)
    try:
        while True:
            time.sleep(WATCH_SECONDS)
            stack.watch()
    except KeyboardInterrupt:
        say("stopping")
    finally:
        state.unlink(missing_ok=True)


def tell(installation: "Installation", outbox: str, as_json: bool) -> None:
    """Say where everything is, the gateway's outbox too if there is one, and what to try next."""
    kafka, host, port = (
        installation.values[name] for name in ("kafka.bootstrap", "clickhouse.host", "clickhouse.port")
    )
    if as_json:
        put_json(
            {"pid": installation.pid, "kafka": kafka, "clickhouse": f"{host}:{port}"}
            | ({"outbox": outbox} if outbox else {})
        )
        return
    say(f"[bold]running[/]: Kafka on {kafka}, ClickHouse on {host}:{port}, process {installation.pid}; Ctrl-C stops it")
    if outbox:
        say(f"the gateway runs: write events to the topic {outbox}, read each recipient's inbox (docs/gateway.md)")
    say(LIMITS)
    say("next, in another terminal:")
    for command in (
        f"lawful ingest {EXAMPLE if EXAMPLE.exists() else 'YOUR-TRACES.json'}",
        'lawful audit sql "select decision, count() from verdicts group by decision"',
        "lawful doctor",
    ):
        say(f"  {command}")
