"""`lawful policy explain`: a policy in plain words."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from lawful.cli import common
from lawful.cli.console import out, put_json, say
from lawful.cli.exits import Exit
from lawful.cli.policy import paths_of

if TYPE_CHECKING:
    from lawful.policies.explain import Explanation
    from lawful.policies.model import Policy

One = Annotated[str, typer.Argument(help="A policy file, a folder with a policy.yaml, or the name of a pack.")]
Purpose = Annotated[str | None, typer.Option("--purpose", help="Explain one purpose.")]
Tool = Annotated[str | None, typer.Option("--tool", help="Explain what a call of one tool leads to.")]
Recipient = Annotated[str | None, typer.Option("--recipient", help="Explain a channel, or those to a role or an id.")]
Rule = Annotated[str | None, typer.Option("--rule", help="Explain one temporal rule.")]


def explain(
    policy: One,
    purpose: Purpose = None,
    tool: Tool = None,
    rule: Rule = None,
    recipient: Recipient = None,
    json: common.Json = False,
) -> int:
    """Say what a policy means: what a purpose needs, what a tool's call leads to, how a rule is read, who may see what.

    Drafts are explained too.
    """
    read = read_policy(paths_of([policy])[0])
    found = _explained(read, purpose, tool, rule) if recipient is None or (purpose or tool or rule) else []
    found += _channels(read, recipient) if recipient is not None else []
    if json:
        several = {kind: [each.facts for each in found if each.kind == kind] for kind in ("channel", "combination")}
        told: dict[str, object] = {each.kind: each.facts for each in found if each.kind not in several}
        put_json(told | {f"{kind}s": facts for kind, facts in several.items() if facts})
        return Exit.FINE
    for each in found:
        out.print(f"[bold]{each.kind}[/] ", end="")
        out.print(each.name, markup=False)
        for sentence in each.words:
            out.print(f"  {sentence}", markup=False)
        if not each.facts.get("declared", True):
            say(f"[yellow]note[/]: the policy's tools are {escape(', '.join(sorted(read.tools)) or 'none')}")
    return Exit.FINE


def _explained(policy: "Policy", purpose: str | None, tool: str | None, rule: str | None) -> "list[Explanation]":
    from lawful.infra.drafting.keynames import key_names
    from lawful.policies.explain import explain_policy, explain_purpose, explain_tool
    from lawful.policies.explain_rules import explain_rule

    found = [explain_purpose(policy, purpose)] if purpose is not None else []
    found += [explain_tool(policy, tool, key_names())] if tool is not None else []
    found += [explain_rule(policy, rule)] if rule is not None else []
    return found or [explain_policy(policy)]


def _channels(policy: "Policy", recipient: str) -> "list[Explanation]":
    from lawful.policies.explain_channels import explain_recipient

    return list(explain_recipient(policy, recipient))


def read_policy(path: Path) -> "Policy":
    """A policy or draft.

    Raises:
        ConfigurationError: it cannot be read, or is wrong.
    """
    from lawful.policies.load import POLICY_FILE
    from lawful.policies.written import read_written
    from lawful.schemas.textfile import read_text

    file = path / POLICY_FILE if path.is_dir() else path
    return read_written(read_text(file), str(file)).policy()
