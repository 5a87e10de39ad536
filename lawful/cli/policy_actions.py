"""`lawful policy draft-actions`: structured actions drafted from tool definitions or an agent card."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from lawful.cli import common
from lawful.cli.console import put_json, say
from lawful.cli.exits import Exit


def draft_actions(
    file: Annotated[
        Path, typer.Argument(help="Tool definitions (OpenAI's, MCP's), or an A2A card.", dir_okay=False, exists=True)
    ],
    sig: Annotated[bool, typer.Option("--sig", help="Print the signature (.sig) for temporal rules instead.")] = False,
    json: common.Json = False,
) -> int:
    """Draft the parts 'structured' and 'predicates' of a policy, each action marked '# review:'."""
    from lawful.infra.drafting.actions import draft_actions as drafted
    from lawful.infra.drafting.actions import signature, write_actions
    from lawful.policies.mfotl.signature import show_signature
    from lawful.schemas.textfile import read_text

    actions = drafted(read_text(file), str(file))
    text, words = write_actions(actions), show_signature(signature(actions))
    if json:
        put_json({"actions": [each.name for each in actions], "policy": text, "sig": words})
        return Exit.FINE
    sys.stdout.write(words if sig else text)
    say(f"{len(actions)} actions to review; name those that agents may use in a channel's 'structured' list")
    return Exit.FINE
