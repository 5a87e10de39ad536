"""`lawful topics`: create the topics, check them, list them."""

from typing import TYPE_CHECKING, Annotated

import typer

from lawful.cli import common
from lawful.cli.console import counted, out, put, put_json, say, table
from lawful.cli.exits import Exit

if TYPE_CHECKING:
    from lawful.infra.kafka_admin import TopicReport
    from lawful.infra.settings import Settings
    from lawful.schemas.topics import Topic

app = typer.Typer(help="Create, verify and list the topics.", no_args_is_help=True)


Gateway = Annotated[bool, typer.Option("--gateway", help="The gateway's outbox, too.")]


@app.command("create")
def create(config: common.Config = None, gateway: Gateway = False, json: common.Json = False) -> int:
    """Create the topics that are missing, and verify all. Nothing that exists is changed."""
    from lawful.infra.kafka_admin import create_topics

    settings = common.settings_of(config)
    return _tell(create_topics(settings, _more(settings, gateway)), json)


@app.command("verify")
def verify(config: common.Config = None, gateway: Gateway = False, json: common.Json = False) -> int:
    """Check that the topics are there and kept the way decisions rely on. Exit status 1 if not."""
    from lawful.infra.kafka_admin import inspect_topics

    settings = common.settings_of(config)
    return _tell(inspect_topics(settings, _more(settings, gateway)), json)


@app.command("inbox")
def inbox(
    recipients: Annotated[list[str], typer.Argument(help="Recipients, as agent:doctor or tool:crm.")],
    tenant: Annotated[str, typer.Option("--tenant", help="Whose recipients they are.")] = "default",
    config: common.Config = None,
    json: common.Json = False,
) -> int:
    """Create recipients' inboxes, where the gateway delivers what may pass."""
    from lawful.infra.gateway.addresses import written
    from lawful.infra.kafka_admin import create_topics
    from lawful.schemas.inboxes import inbox_of

    settings = common.settings_with_key(config)
    topics, people = settings.topics, settings.pseudonymiser()
    names = [inbox_of(topics, people, tenant, each) for said in recipients for each in written(said)]
    return _tell(create_topics(settings, [topics.inbox_topic(name) for name in dict.fromkeys(names)]), json)


def _more(settings: "Settings", gateway: bool) -> "list[Topic]":
    return [settings.topics.outbox_topic()] if gateway else []


@app.command("list")
def list_topics(config: common.Config = None, gateway: Gateway = False, json: common.Json = False) -> int:
    """List the topics of this installation: key, content, settings. Needs no broker."""
    settings = common.settings_of(config)
    topics = [*settings.topics.all(), *_more(settings, gateway)]
    rows = [
        {
            "topic": topic.name,
            "key": topic.key,
            "values": [value.__name__ for value in topic.values],
            "partitions": topic.partitions.value,
            "config": dict(topic.config),
        }
        for topic in topics
    ]
    if json:
        put_json({"topics": rows})
        return Exit.FINE
    shown = [(topic.name, topic.key, ", ".join(value.__name__ for value in topic.values)) for topic in topics]
    out.print(table("", ("topic", "key", "holds"), shown))
    return Exit.FINE


def _tell(report: "TopicReport", as_json: bool) -> int:
    status = Exit.FINE if report.ok else Exit.FAULT
    if as_json:
        problems = [
            {"topic": each.topic, "problem": each.what, "hint": each.hint, "fatal": each.fatal}
            for each in report.problems
        ]
        put_json({"topics": list(report.topics), "created": list(report.created), "problems": problems})
        return status
    for name in report.created:
        put(f"created {name}")
    for problem in report.problems:
        say(f"{'[red]wrong[/]' if problem.fatal else '[yellow]note[/]'}  {problem.topic}: {problem.what}")
        say(f"       {problem.hint}")
    wrong = len({problem.topic for problem in report.problems if problem.fatal})
    how = f"{wrong} of them not as they must be" if wrong else "all as they must be"
    put(f"{counted(len(report.topics), 'topic')}, {how}")
    return status
