"""`lawful topics`: create the topics, check them, list them."""

from typing import TYPE_CHECKING

import typer

from lawful.cli import common
from lawful.cli.console import out, put, put_json, say, table
from lawful.cli.exits import Exit

if TYPE_CHECKING:
    from lawful.infra.kafka_admin import TopicReport

app = typer.Typer(help="Create, verify and list the topics.", no_args_is_help=True)


@app.command("create")
def create(config: common.Config = None, json: common.Json = False) -> int:
    """Create the topics that are missing, and verify all. Nothing that exists is changed."""
    from lawful.infra.kafka_admin import create_topics

    return _tell(create_topics(common.settings_of(config)), json)


@app.command("verify")
def verify(config: common.Config = None, json: common.Json = False) -> int:
    """Check that the topics are there and kept the way decisions rely on. Exit status 1 if not."""
    from lawful.infra.kafka_admin import inspect_topics

    return _tell(inspect_topics(common.settings_of(config)), json)


@app.command("list")
def list_topics(config: common.Config = None, json: common.Json = False) -> int:
    """List the topics of this installation: key, content, settings. Needs no broker."""
    topics = common.settings_of(config).topics.all()
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
    put(f"{len(report.topics)} topics, {sum(problem.fatal for problem in report.problems)} of them not as they must be")
    return status
