"""Tools that can never be called as their schema says, or whose purposes have nothing to do there."""

from collections.abc import Iterator, Sequence

from lawful.policies.arguments import Argument, arguments_of
from lawful.policies.lint.flaw import Desk, Flaw
from lawful.policies.model import PurposeRule, ToolRule
from lawful.schemas.taxonomy import covers, is_personal
from lawful.schemas.verdict import Decision, Predicate
from lawful.schemas.yamltree import Path

_OF_EXCESS = {
    Decision.WARN: "every call that gives it is warned about",
    Decision.REDACT: "it is redacted from every call",
    Decision.BLOCK: "every call that gives it is blocked",
}


def check_tools(desk: Desk) -> Iterator[Flaw]:
    """The flaws of `tools` and `messages`."""
    for name, tool in desk.policy.tools.items():
        written = desk.written.document.tools[name].purposes
        yield from _purposes(desk, ("tools", name, "purposes"), written)
        if not tool.purposes:
            yield _without_purpose(desk, name)
        elif tool.schema is not None:
            yield from _arguments(desk, tool, arguments_of(tool.schema))
    yield from _messages(desk)


def _without_purpose(desk: Desk, name: str) -> Flaw:
    return desk.flaw(
        "tool_without_purpose",
        ("tools", name),
        f"the tool '{name}' is for nothing",
        "personal data in its calls and results violates P2, unless the agent declares a purpose itself",
        "name its purpose",
        key=True,
    )


def _messages(desk: Desk) -> Iterator[Flaw]:
    written = desk.written.document.messages.purposes
    yield from _purposes(desk, ("messages", "purposes"), written)
    if not written:
        yield desk.flaw(
            "messages_without_purpose",
            ("messages",),
            "messages are for nothing",
            "personal data in chat, agents' messages and memory violates P2, unless the agent names a purpose",
            "list under 'messages: {purposes: [...]}' what people write to the agents for",
            key=True,
        )


def _purposes(desk: Desk, path: Path, names: Sequence[str]) -> Iterator[Flaw]:
    """A purpose listed twice, or beside one that the same rule stands for."""
    for index, name in enumerate(names):
        rule = desk.policy.rule(name)
        for other in names[:index]:
            if rule is not None and rule is desk.policy.rule(other) and (covers(other, name) or covers(name, other)):
                yield desk.flaw(
                    "purpose_repeated",
                    (*path, index),
                    f"'{name}' is listed beside '{other}', and '{rule.key}' rules both",
                    "consent to one may then be asked for twice, and nothing else changes",
                    "keep the one that is meant",
                )
                break


def _arguments(desk: Desk, tool: ToolRule, arguments: Sequence[Argument]) -> Iterator[Flaw]:
    rules = [rule for name in tool.purposes if (rule := desk.policy.rule(name)) is not None]
    known = {each.path: desk.category_of(each.name) for each in arguments}
    for each in arguments:
        category = known[each.path]
        if category is not None and is_personal(category) and not any(rule.needs(category) for rule in rules):
            yield _never_needed(desk, tool, each, category)
    open_ended = any(each.free and known[each.path] is None for each in arguments)
    if arguments and not open_ended:
        found = [category for category in known.values() if category is not None]
        for rule in rules:
            if rule.necessary and not any(_touches(rule, category) for category in found):
                yield _without_data(desk, tool, rule)


def _touches(rule: PurposeRule, category: str) -> bool:
    """Whether a value of the category may be, or hold, something that the purpose needs."""
    return rule.needs(category) or any(covers(category, needed) for needed in rule.necessary)


def _never_needed(desk: Desk, tool: ToolRule, argument: Argument, category: str) -> Flaw:
    action = desk.policy.actions[Predicate.MINIMISATION]
    why = _OF_EXCESS[action]
    if action is Decision.REDACT and argument.required:
        why = "the tool requires it, so every call is blocked"
    return desk.flaw(
        "argument_never_needed",
        ("tools", tool.name, "schema"),
        f"'{tool.name}' takes '{argument.path}', by its name '{category}', which none of its purposes needs",
        why,
        "bind the tool to a purpose that needs it, add the category to one, or drop the argument",
        key=True,
    )


def _without_data(desk: Desk, tool: ToolRule, rule: PurposeRule) -> Flaw:
    return desk.flaw(
        "purpose_without_data",
        ("tools", tool.name, "purposes"),
        f"'{rule.key}' needs nothing that a call of '{tool.name}' could carry",
        "no call is allowed or refused on its account",
        "bind the tool to the purpose that its arguments serve; if only its results count, allow this",
        key=True,
    )
