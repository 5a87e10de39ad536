"""`lawful policy import-ag2`: a draft from AG2's safeguard policy."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from lawful.cli import common
from lawful.cli.console import err, put_json
from lawful.cli.exits import Exit


def import_ag2(
    file: Annotated[Path, typer.Argument(help="AG2's safeguard policy, JSON.", dir_okay=False, exists=True)],
    policy_id: Annotated[str, typer.Option("--id", help="The draft's id.")] = "from-ag2",
    without: Annotated[
        bool, typer.Option("--without", help="Write the draft although some safeguards have no equivalent.")
    ] = False,
    json: common.Json = False,
) -> int:
    """Write a draft of a policy from AG2's safeguards to standard output.

    Exit status 1, and no draft, if a safeguard has no equivalent; they are listed.
    """
    from lawful.infra.drafting.ag2 import import_ag2 as imported
    from lawful.policies.written import read_written
    from lawful.schemas.textfile import read_text

    found = imported(read_text(file), str(file), policy_id)
    for each in found.without:
        err.print(f"no equivalent: {each}", style="yellow", markup=False)
    refused = bool(found.without) and not without
    text = "" if refused else found.text
    if text:
        read_written(text, "the draft").policy()  # a wrong --id is told here
    if json:
        put_json({"policy": text, "channels": found.channels, "without": list(found.without)})
    elif text:
        sys.stdout.write(text)
    return Exit.FAULT if refused else Exit.FINE
