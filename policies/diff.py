"""`lawful policy diff`: what changes between two versions, in the words of whoever wrote them.

Not the text is compared but what it means: a purpose that gets a rule of its own is held against the
rule above it that ruled until then. Each change says whether it is stricter or looser; what is both
comes as two changes.
"""

from collections.abc import Iterable

from lawful.policies.change import Change, Direction
from lawful.policies.differences.channels import channel_changes
from lawful.policies.differences.combinations import combination_changes
from lawful.policies.differences.labels import label_changes
from lawful.policies.differences.purposes import purpose_changes
from lawful.policies.differences.rules import rule_changes
from lawful.policies.differences.settings import header_changes, setting_changes
from lawful.policies.differences.tools import tool_changes
from lawful.policies.differences.verdicts import CaseChange, golden_changes
from lawful.policies.model import Policy

__all__ = ["CaseChange", "Change", "Direction", "diff", "golden_changes"]


def diff(old: Policy, new: Policy) -> tuple[Change, ...]:
    """Every difference in meaning; empty for policies of the same digest."""
    found: Iterable[Change] = (
        *header_changes(old, new),
        *purpose_changes(old, new),
        *tool_changes(old, new),
        *rule_changes(old, new),
        *channel_changes(old, new),
        *combination_changes(old, new),
        *label_changes(old, new),
        *setting_changes(old, new),
    )
    return tuple(dict.fromkeys(found))
