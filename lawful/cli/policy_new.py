"""`lawful policy new`: a draft of a policy, from tool definitions."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lawful.cli import common
from lawful.cli.console import counted, put_json, say
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError


class Source(StrEnum):
    """What a policy can be drafted from. Both are read in any of the common forms."""

    OPENAI_TOOLS = "openai-tools"
    MCP_TOOLS = "mcp-tools"


From = Annotated[
    Source, typer.Option("--from", help="What FILE holds: tools as for OpenAI's API, or MCP's tools/list.")
]
File = Annotated[str, typer.Argument(metavar="FILE", help="JSON file of tool definitions; '-' is standard input.")]
Id = Annotated[str, typer.Option("--id", help="The policy's id.")]


def new(  # the form is told by the file itself; --from keeps room for other kinds of sources
    file: File,
    source: From,  # noqa: ARG001 - see above
    id: Id = "draft",  # noqa: A002 - the name of the option
    json: common.Json = False,
) -> int:
    """Draft a policy from tool definitions and print it.

    Every guess is marked '# review: why'. The draft bears 'draft: true', with which 'policy check' and the workers
    refuse it until somebody has looked at the marks and deletes that line.
    """
    from lawful.infra.drafting.draft import make_draft
    from lawful.infra.drafting.toolfile import read_tools
    from lawful.infra.drafting.writing import review_marks, write_draft
    from lawful.schemas.textfile import read_text

    text, name = (common.standard_input(), "standard input") if file == "-" else (read_text(Path(file)), file)
    drafted = write_draft(make_draft(read_tools(text, name), id))
    _check(drafted, id)
    marks = len(list(review_marks(drafted)))
    if json:
        put_json({"policy": drafted, "reviews": marks})
    else:
        sys.stdout.write(drafted)
        guesses = counted(marks, "guess", "guesses")
        say(f"{guesses} to review; 'draft: true' keeps the policy from being used until then")
    return Exit.FINE


def _check(drafted: str, policy_id: str) -> None:
    """The one thing in a draft that its tools do not say is the id: a wrong one is told as the option it is."""
    from lawful.policies.problems import InvalidPolicy
    from lawful.policies.written import read_written

    try:
        read_written(drafted, "the draft").policy()
    except InvalidPolicy as error:
        about = next((each for each in error.problems if repr(policy_id) in each.message), None)
        if about is None:
            raise
        raise ConfigurationError(f"--id: {about.message}", hint=about.hint) from None
