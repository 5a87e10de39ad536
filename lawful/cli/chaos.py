"""`lawful chaos`: faults under load, and whether any event was lost, doubled or decided wrongly."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json, say, table
from lawful.cli.exits import Exit
from lawful.cli.signals import interruptible
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.chaos.suite import Outcome, Plan

_COLUMNS = ("broker", "fault", "events", "lost", "doubled", "wrong", "chain", "recovery s", "seconds")


class Brokers(StrEnum):
    """Where faults strike."""

    EMBEDDED = "embedded"
    KAFKA = "kafka"
    ALL = "all"


def chaos(
    events: Annotated[int, typer.Option("--events", min=100, help="Different events in all.")] = 100_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Other events, other moments.")] = 1,
    broker: Annotated[
        Brokers, typer.Option("--broker", help="all: embedded, and Apache Kafka where Java 17 and Maven are.")
    ] = Brokers.ALL,
    fault: Annotated[list[str] | None, typer.Option("--fault", help="Only this one; may be given again.")] = None,
    json: common.Json = False,
) -> int:
    """Kill, freeze, cut off and poison an installation under load, and hold it against a replay of its log.

    Each fault strikes an installation of its own, of real workers and a real audit writer, in a temporary
    folder. Status 1 if anything was lost, doubled or wrong.
    """
    plan = _plan(events, seed, broker, fault)
    outcomes = _run(plan, quiet=json)
    fine = all(outcome.fine for outcome in outcomes)
    if json:
        put_json(_summary(plan, outcomes))
    else:
        _tell(outcomes)
    return Exit.FINE if fine else Exit.FAULT


def _plan(events: int, seed: int, broker: Brokers, names: list[str] | None) -> "Plan":
    from lawful.infra.chaos.faults import FAULTS
    from lawful.infra.chaos.suite import Plan, brokers_here

    known = {fault.name: fault for fault in FAULTS}
    for name in names or ():
        if name not in known:
            raise ConfigurationError(f"there is no fault {name!r}", hint=f"there are: {', '.join(known)}")
    here, missing = brokers_here()
    wanted = here if broker is Brokers.ALL else (broker.value,)
    if broker is Brokers.KAFKA and missing:
        raise ConfigurationError(f"Apache Kafka cannot be run here: {missing}", hint="install Java 17 and Maven")
    if broker is Brokers.ALL and missing:
        say(f"only on the embedded broker, for Apache Kafka there is {missing}")
    plan = Plan(wanted, [known[name] for name in names or known], events, seed)
    if not plan.runs:
        raise ConfigurationError(
            "the embedded broker forgets its last second when it is killed", hint="choose --broker kafka for this fault"
        )
    return plan


def _run(plan: "Plan", *, quiet: bool) -> "list[Outcome]":
    from lawful.infra.chaos.suite import run

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    outcomes: list[Outcome] = []
    with interruptible(), Progress(*columns, console=err, disable=quiet or not err.is_terminal) as progress:
        bar = progress.add_task("starting", total=plan.each * len(plan.runs))

        def told(what: str, answered: int) -> None:
            done = sum(outcome.events for outcome in outcomes)
            progress.update(bar, description=what, completed=done + answered)

        for outcome in run(plan, told):
            outcomes.append(outcome)
            say(_line(outcome))  # also beside JSON, which comes at the very end: a run takes long
    return outcomes


def _line(outcome: "Outcome") -> str:
    how = "fine" if outcome.fine else "wrong"
    return f"{outcome.broker}: {outcome.fault}: {how} after {outcome.seconds:.0f} s {outcome.trouble}".rstrip()


def _summary(plan: "Plan", outcomes: "list[Outcome]") -> dict[str, Any]:
    return {
        "seed": plan.seed,
        "events": sum(outcome.events for outcome in outcomes),
        "fine": all(outcome.fine for outcome in outcomes),
        "faults": [outcome.document() for outcome in outcomes],
    }


def _tell(outcomes: "list[Outcome]") -> None:
    rows = [
        (
            *(each.broker, each.fault, each.events, each.lost, each.doubled, each.wrong, each.chain.partition(":")[0]),
            *("" if each.recovery_s is None else f"{each.recovery_s:.1f}", f"{each.seconds:.0f}"),
        )
        for each in outcomes
    ]
    out.print(table(f"{sum(each.events for each in outcomes):,} events", _COLUMNS, rows))
    for each in outcomes:
        if each.trouble:
            put(f"{each.broker}, {each.fault}: {each.trouble}")
        if each.overtime:
            put(f"{each.broker}, {each.fault}: {each.overtime} events could not be searched in time, and were blocked")
        if each.chain != "fine":
            put(f"{each.broker}, {each.fault}: the audit's chain: {each.chain}")
        if each.examples:
            put(f"{each.broker}, {each.fault}: look at {', '.join(each.examples)}")
