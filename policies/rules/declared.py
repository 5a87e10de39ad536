"""The predicates that a policy declares: whether they can be read off its tools, and as look-ups."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lawful.policies.problems import did_you_mean
from lawful.policies.rules.acts import EACH
from lawful.policies.rules.model import Kind, Parameter, Predicate
from lawful.policies.rules.vocabulary import BUILT_IN
from lawful.schemas.event import PayloadKind

if TYPE_CHECKING:
    from lawful.policies.document import ParameterDocument, PolicyDocument, PredicateDocument

_MESSAGES: Final = {
    "user": PayloadKind.USER_MESSAGE,
    "assistant": PayloadKind.ASSISTANT_MESSAGE,
    "agent": PayloadKind.AGENT_MESSAGE,
}
_FIELD: Final = {PayloadKind.TOOL_CALL: "arguments", PayloadKind.TOOL_RESULT: "content"}


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something that is wrong, and the path to it in the policy file."""

    path: tuple[str | int, ...]
    message: str
    hint: str = ""


def predicates_of(document: "PolicyDocument") -> dict[str, Predicate]:
    """The policy's own predicates, as far as they can be read."""
    return {
        name: Predicate(
            name,
            tuple(_parameter(key, each) for key, each in one.args.items()),
            payload_of(one),
            one.tool or one.action,
        )
        for name, one in document.predicates.items()
    }


def payload_of(document: "PredicateDocument") -> PayloadKind:
    """The kind of event that does it."""
    if document.message is not None:
        return _MESSAGES[document.message]
    return PayloadKind.TOOL_RESULT if document.on == "result" else PayloadKind.TOOL_CALL


def _parameter(name: str, document: "ParameterDocument") -> Parameter:
    path = tuple(each.replace("~1", "/").replace("~0", "~") for each in document.path.split("/")[1:])
    return Parameter(name, Kind(document.type), path, document.scheme, tuple(document.values))


def flaws_in_predicates(document: "PolicyDocument") -> Iterator[Flaw]:
    """Everything that would make a predicate hold never, or not as its author thinks."""
    for name, each in document.predicates.items():
        path = ("predicates", name)
        if name in BUILT_IN:
            yield Flaw(path, f"'{name}' has a meaning of its own", "call the predicate something else")
        if (each.tool is None) == (each.message is None):
            yield Flaw(path, f"'{name}' must say what it is: a 'tool' or a 'message'", "write one of the two")
        elif each.tool is not None and each.tool not in document.tools:
            hint = did_you_mean(each.tool, document.tools) or "declare it under 'tools'"
            yield Flaw((*path, "tool"), f"the tool '{each.tool}' is not one of this policy's", hint)
        if each.action is not None:
            yield from _in_action(path, each, document)
        for key, parameter in each.args.items():
            yield from _in_parameter((*path, "args", key), key, parameter, payload_of(each))
        if each.tool in document.tools and each.on == "call":
            yield from _in_schema(path, each, document.tools[each.tool].arguments)
        if each.action in document.structured:
            yield from _in_schema(path, each, document.structured[each.action].members)
        if sum(EACH in parameter.path.split("/") for parameter in each.args.values()) > 1:
            yield Flaw((*path, "args"), "only one argument may go through an array with '*'", "make it two predicates")


def _in_action(path: tuple[str | int, ...], each: "PredicateDocument", document: "PolicyDocument") -> Iterator[Flaw]:
    if each.message != "agent":
        yield Flaw((*path, "action"), "a structured action is a message between agents", "write 'message: agent'")
    if each.action not in document.structured:
        hint = did_you_mean(str(each.action), document.structured) or "declare it under 'structured'"
        yield Flaw((*path, "action"), f"'{each.action}' is no structured action of this policy", hint)


def _in_parameter(
    path: tuple[str | int, ...], name: str, document: "ParameterDocument", kind: PayloadKind
) -> Iterator[Flaw]:
    if not name.isidentifier() or name.startswith("_"):
        yield Flaw(path, f"'{name}' is no name of an argument", "letters, digits and '_', beginning with a letter")
    field = _FIELD.get(kind, "text")
    if document.path.split("/")[1] != field:
        yield Flaw((*path, "path"), f"the path must begin with /{field}", "it points into the event's payload")
    if (document.type == Kind.SYMBOL.value) != bool(document.values):
        yield Flaw(path, "a symbol, and only a symbol, has 'values'", "list the words, or drop 'values'")


def _in_schema(
    path: tuple[str | int, ...], document: "PredicateDocument", schema: Mapping[str, Any] | None
) -> Iterator[Flaw]:
    """Arguments that the schema does not have: every such event would be one that cannot be read."""
    members = (schema or {}).get("properties")
    if not isinstance(members, dict):
        return
    for key, parameter in document.args.items():
        steps = parameter.path.split("/")[2:]
        if steps and steps[0] not in members:
            hint = did_you_mean(steps[0], members) or f"it has {', '.join(members)}"
            what = f"the tool '{document.tool}'" if document.tool else f"the action '{document.action}'"
            message = f"{what} has no argument {json.dumps(steps[0])}"
            yield Flaw((*path, "args", key, "path"), message, hint)
