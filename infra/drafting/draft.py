"""From tool definitions to a draft of a policy: every guess collected, with its reason, before it is written."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lawful.infra.drafting.categories import Carried, guess_categories
from lawful.infra.drafting.guesses import Guess, described_purpose, guess_purpose, guess_recipient
from lawful.infra.drafting.lean import lean_schema
from lawful.infra.drafting.toolfile import Tool
from lawful.policies.model import Article9
from lawful.schemas.taxonomy import SpecialKind, covered_by, is_personal, special_kind


@dataclass(frozen=True, slots=True)
class DraftTool:
    """A tool as the draft has it.

    Attributes:
        schema: nothing where none was given, or where it cannot be used; then `lacks` says why.
    """

    tool: Tool
    purpose: Guess
    recipient: Guess
    carried: tuple[Carried, ...]
    schema: Mapping[str, Any] | None
    lacks: str


@dataclass(frozen=True, slots=True)
class DraftPurpose:
    """A purpose as the draft has it.

    Attributes:
        necessary: category to the reason why it is there.
        left_out: categories that the draft does not dare to list, with the reason.
        article9: the condition for special categories, if one is needed.
    """

    key: str
    legal_basis: str
    description: str
    tools: tuple[str, ...]
    necessary: Mapping[str, str]
    left_out: Mapping[str, str]
    article9: Guess | None


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft, ready to be written."""

    id: str
    purposes: tuple[DraftPurpose, ...]
    tools: tuple[DraftTool, ...]
    message_purpose: str


def make_draft(tools: Iterable[Tool], policy_id: str) -> Draft:
    """Guesses at everything. Deterministic: the same tools give the same draft."""
    drafted = tuple(_tool(tool) for tool in tools)
    keys = dict.fromkeys(each.purpose.value for each in drafted if each.purpose.value)
    support = "essential.service.operations.support"
    keys.setdefault(support)  # people write to the agents for something
    purposes = tuple(_purpose(key, [each for each in drafted if each.purpose.value == key]) for key in sorted(keys))
    return Draft(policy_id, purposes, drafted, support)


def _tool(tool: Tool) -> DraftTool:
    schema, lacks = lean_schema(tool.schema)
    return DraftTool(tool, guess_purpose(tool), guess_recipient(tool), guess_categories(tool), schema, lacks)


def _purpose(key: str, tools: list[DraftTool]) -> DraftPurpose:
    usual = described_purpose(key)
    found = _carried(tools)
    kept = {category: why for category, why in found.items() if not covered_by(category, found.keys() - {category})}
    left_out = {
        category: "GDPR Art. 10 needs 'article10: ...' first"
        for category in kept
        if special_kind(category) is SpecialKind.ARTICLE_10
    }
    necessary = {category: why for category, why in kept.items() if category not in left_out}
    return DraftPurpose(
        key,
        usual["legal_basis"],
        usual["description"],
        tuple(each.tool.name for each in tools),
        necessary,
        left_out,
        _condition(usual, necessary),
    )


def _carried(tools: list[DraftTool]) -> dict[str, str]:
    """Categories with the arguments that seem to carry them, sorted."""
    by_category: dict[str, list[str]] = {}
    for category, argument in sorted(_pairs(tools)):
        by_category.setdefault(category, []).append(argument)
    return {category: _few(arguments) for category, arguments in by_category.items()}


def _pairs(tools: list[DraftTool]) -> Iterator[tuple[str, str]]:
    for each in tools:
        for carried in each.carried:
            if is_personal(carried.category):
                yield carried.category, f"'{carried.argument}' of {each.tool.name}"


def _few(arguments: list[str], most: int = 3) -> str:
    more = f" and {len(arguments) - most} more" if len(arguments) > most else ""
    return "guessed from " + ", ".join(arguments[:most]) + more


def _condition(usual: Mapping[str, str], necessary: Iterable[str]) -> Guess | None:
    """A condition only where special data is needed: the usual one, else the strictest."""
    special = [category for category in necessary if special_kind(category) is SpecialKind.ARTICLE_9]
    if not special or usual["legal_basis"] == "consent":
        return None
    if condition := usual.get("article9"):
        return Guess(condition, f"usual for this purpose, since it needs {special[0]}")
    return Guess(Article9.EXPLICIT_CONSENT.value, f"the strictest, since it needs {special[0]}")
