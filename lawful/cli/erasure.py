"""`lawful erasure`: what became of an erasure, and which recipients should have been told of one."""

import re
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import counted, err, out, put, put_json, put_rows, say, table
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.erasure.report import ErasureReport, Recipient
    from lawful.infra.erasure.trail import Trail
    from lawful.infra.settings import Settings

app = typer.Typer(help="Account for erasures: what was destroyed, what stays, who must be told.", no_args_is_help=True)

RECIPIENTS = ("recipient", "tool", "events", "last (UTC)", "categories", "told (UTC)", "due (UTC)")
NOTICE = "essential.legal_obligation.subject_rights"
_IDENTIFIER = re.compile(r"\s*([\w.-]+)\s*[:=]\s*(.*\S)\s*", re.DOTALL)
Due = Annotated[int, typer.Option("--due-days", min=0, help="Within so many days recipients are to be told.")]
Notice = Annotated[str, typer.Option("--notice", help="The purpose under which they are told.")]


@app.command("report")
def report(
    subject: Annotated[
        list[str], typer.Argument(help="scheme=value, for example email=ada@example.com; several for one person.")
    ],
    tenant: common.Tenant = common.DEFAULT_TENANT,
    due_days: Due = 30,
    notice: Notice = NOTICE,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Show what an erasure destroyed, when and where, what stays for which reason, and who must be told.

    Pseudonyms are computed here, before anything is asked. Exit status 1 if a recipient should have been told by now.
    """
    from contextlib import closing

    from lawful.infra.compose_root import policies
    from lawful.infra.erasure.logs import Logs
    from lawful.infra.erasure.report import Reporter
    from lawful.schemas.event import Identifier
    from lawful.schemas.pseudonym import Pseudonymiser

    settings = common.settings_with_key(config)
    given = [Identifier(*identifier_of(text)) for text in subject]
    canonical, simple = settings.pseudonymiser(), Pseudonymiser(master=settings.pseudonym_key)
    with closing(Logs(settings.kafka)) as logs:
        reporter = Reporter(
            settings,
            _trail(settings, tenant, notice),
            logs,
            policies=list(policies(settings).policies.values()),
            due=timedelta(days=due_days),
            now=datetime.now(UTC),
        )
        # Guards know people by the simple normal form: keys may be under its pseudonym.
        further = [simple.of(tenant, each) for each in given]
        found = _with_bar(
            lambda advance: reporter.report([canonical.of(tenant, each) for each in given], further, advance)
        )
    if json:
        put_json(asdict(found) | {"keys_destroyed": sum(not key.alive for key in found.keys)})
    else:
        _tell(found)
    return Exit.FAULT if found.overdue else Exit.FINE


@app.command("overdue")
def overdue(
    tenant: common.Tenant = common.DEFAULT_TENANT,
    due_days: Due = 30,
    notice: Notice = NOTICE,
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """List recipients who got data of people erased since, and were not told in time (Art. 19).

    Exit status 1 if there are any, or no event at all of the tenant: have it run every day, and ring a bell.
    """
    from lawful.infra.erasure.report import recipients

    settings = common.settings_of(config)
    trail = _trail(settings, tenant, notice)
    rows = trail.recipients()
    if not rows:
        trail.heard_of()
    found = recipients(rows, timedelta(days=due_days), datetime.now(UTC))
    late = [each for each in found if each.overdue]
    if json:
        put_json({"recipients": len(found), "overdue": len(late), "late": [asdict(each) for each in late]})
    else:
        put(f"of {counted(len(found), 'recipient')} {len(late):,} should have been told of an erasure by now")
        if late:
            whose = [(each.subject, *row) for each, row in zip(late, _recipients(late), strict=True)]
            put_rows("Overdue", ("whose data", *RECIPIENTS), whose)
    return Exit.FAULT if late else Exit.FINE


@app.command("watch")
def watch(
    due_days: Due = 30,
    notice: Notice = NOTICE,
    every: Annotated[int, typer.Option("--every", min=10, help="Ask the audit every so many seconds.")] = 3_600,
    config: common.Config = None,
    log_level: common.LogLevel = common.Level.WARNING,
    ready_file: Annotated[Path | None, typer.Option(hidden=True, help="Made after the first look.")] = None,
) -> int:
    """Count overdue notices for Prometheus until stopped, of all tenants, in numbers only.

    Runs as the officer; LAWFUL_METRICS_PORT says where. Whom and about whom: lawful erasure overdue.
    """
    import threading

    from lawful.infra.clickhouse.query import Officer
    from lawful.infra.compose_root import touch
    from lawful.infra.erasure.watch import OverdueWatch
    from lawful.infra.telemetry import logs
    from lawful.infra.telemetry.watch import erasure_watch

    settings = common.settings_of(config)
    if not settings.metrics_port:
        raise ConfigurationError(
            "nobody would see what is counted: no port is set", hint="set LAWFUL_METRICS_PORT, for example to 9464"
        )
    logs.begin(log_level, settings.log_format, settings.instance_id)
    watcher = OverdueWatch(Officer(settings.clickhouse), timedelta(days=due_days), notice)
    with erasure_watch(settings, watcher.counters) as on_turn:
        watcher.run(every, threading.Event(), on_turn, touch(ready_file))
    return Exit.FINE


def identifier_of(text: str) -> tuple[str, str]:
    """`scheme=value` (or `scheme:value`) as a pair.

    Raises:
        ConfigurationError: it is not of that form.
    """
    found = _IDENTIFIER.fullmatch(text)
    if found is None:
        raise ConfigurationError("a subject is given as scheme=value", hint="for example email=ada@example.com")
    return found[1], found[2]


def _trail(settings: "Settings", tenant: str, notice: str) -> "Trail":
    from lawful.infra.clickhouse.query import Officer
    from lawful.infra.erasure.trail import Trail

    return Trail(Officer(settings.clickhouse), tenant, notice)


def _with_bar(work: Any) -> "ErasureReport":
    """Runs it with a progress bar at a terminal."""
    from rich.progress import Progress

    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("reading the state", total=None)
        found: ErasureReport = work(lambda done, of: progress.update(task, completed=done, total=of))
        return found


def _tell(found: "ErasureReport") -> None:
    out.print("pseudonym: " + ", ".join(found.pseudonyms), soft_wrap=True)
    put(f"state: {found.state}" + (f", since {_time(found.erased_at)}" if found.erased_at else ""))
    if found.state == "unknown":
        say("nothing is known of this person; a misspelt value has another pseudonym")
    if found.requests:
        rows = [[_time(each["recorded_at"]), each["request_id"], each["outcome"]] for each in found.requests]
        out.print(table("Requests to erase", ("when (UTC)", "request", "outcome"), rows))
    if found.keys:
        rows = [[key.key_id[-36:], _time(key.made_at), _time(key.destroyed_at)] for key in found.keys]
        out.print(table("Keys of sealed events", ("key", "made (UTC)", "destroyed (UTC)"), rows))
    rows = [[k.place, k.what, k.records, f"{k.readable} of {k.looked_into}", _time(k.gone_by)] for k in found.kept]
    out.print(table("What is there", ("topic", "what", "records", "readable", "gone by (UTC)"), rows))
    if found.survives:
        rows = [[each.policy, each.purpose, each.legal_basis, each.events] for each in found.survives]
        out.print(table("Kept by law (Art. 17(3)(b))", ("policy", "purpose", "legal basis", "events since"), rows))
    if found.recipients:
        out.print(table("Who had got data (Art. 19)", RECIPIENTS, _recipients(found.recipients)))
        put(f"{counted(found.overdue, 'recipient')} should have been told by now")


def _recipients(found: "list[Recipient] | tuple[Recipient, ...]") -> list[list[Any]]:
    return [
        [f"{r.kind} {r.id}", r.tool, r.events, _time(r.last), ", ".join(r.categories), _told(r), _time(r.due_at)]
        for r in found
    ]


def _told(recipient: "Recipient") -> str:
    if recipient.told_at is not None:
        return _time(recipient.told_at)
    return "overdue" if recipient.overdue else "not yet"


def _time(value: datetime | None) -> str:
    return "" if value is None else value.strftime("%Y-%m-%d %H:%M:%S")
