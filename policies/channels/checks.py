"""Whether what a policy says about recipients means something: names lead somewhere, patterns can be read."""

import re
from collections.abc import Iterable, Iterator

from lawful.policies.document import PolicyDocument, RecipientDocument, WhoDocument
from lawful.policies.problems import Problem, did_you_mean
from lawful.policies.toolschemas import check_tool_schema
from lawful.schemas.legible import plain_id
from lawful.schemas.taxonomy import categories, covers
from lawful.schemas.yamltree import Path, Tree

ROOTS = ("text", "arguments", "content")
_MEMBER = re.compile(r"[^./*~]+")
NAME_OF_ACTION = "action"


def check_channels(tree: Tree, document: PolicyDocument) -> Iterator[Problem]:
    """Everything that is wrong with `recipients`, and with `structured`."""
    for name, each in document.structured.items():
        path = ("structured", name, "schema")
        yield from check_tool_schema(tree, path, each.members)
        if NAME_OF_ACTION in (each.members.get("properties") or {}):
            place = tree.place((*path, "properties", NAME_OF_ACTION), key=True)
            yield Problem(place, "a message's 'action' is the name of its structured action", "leave it out here")
    for key, listed in (("roles", document.roles), ("regions", document.regions)):
        for name, ids in listed.items():
            yield from _ids(tree, (key, name), (name, *ids))
    yield from _combinations(tree, document)
    seen: set[str] = set()
    for index, channel in enumerate(document.recipients):
        here: Path = ("recipients", index)
        if channel.name in seen:
            yield Problem(tree.place((*here, "name")), f"the name '{channel.name}' is taken", "give it another one")
        seen.add(channel.name)
        yield from _channel(tree, document, here, channel)


def _combinations(tree: Tree, document: PolicyDocument) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, rule in enumerate(document.combinations):
        here: Path = ("combinations", index)
        if rule.name in seen:
            yield Problem(tree.place((*here, "name")), f"the name '{rule.name}' is taken", "give it another one")
        seen.add(rule.name)
        for key, who in (("to", rule.to), ("except", rule.exempt)):
            if who is not None:
                yield from _who(tree, document, (*here, key), who)
        for place, category in enumerate(rule.categories):
            at = tree.place((*here, "categories", place))
            if category not in categories():
                yield Problem(at, f"'{category}' is no data category", did_you_mean(category, categories()))
            elif any(covers(each, category) for each in rule.categories if each != category) or (
                category in rule.categories[:place]
            ):
                yield Problem(at, f"'{category}' is among the others already, and would count twice", "delete it")
        if rule.most is not None and rule.most >= len(rule.categories):
            hint = f"say at most {len(rule.categories) - 1}"
            yield Problem(tree.place((*here, "most")), "as many as there are: nothing would ever be too much", hint)
        if rule.do == "pass":
            yield Problem(tree.place((*here, "do")), "what is too much would pass", "block it, or say a form")


def _channel(tree: Tree, document: PolicyDocument, here: Path, channel: RecipientDocument) -> Iterator[Problem]:
    for key, who in (("to", channel.to), ("except", channel.exempt), ("from", channel.sender)):
        if who is not None:
            yield from _who(tree, document, (*here, key), who)
    if channel.sender.region or channel.sender.outside:
        yield Problem(tree.place((*here, "from")), "the region of a sender is not known", "say 'kind', 'id' or 'role'")
    for category in channel.categories:
        if category not in categories():
            hint = did_you_mean(category, categories())
            yield Problem(
                tree.place((*here, "categories", category), key=True), f"'{category}' is no data category", hint
            )
    for field in channel.fields:
        yield from _field(tree, (*here, "fields", field), field)
    for name, each in channel.patterns.items():
        yield from _pattern(tree, (*here, "patterns", name, "match"), each.match)
    for place, name in enumerate(channel.structured or ()):
        if name not in document.structured:
            hint = did_you_mean(name, document.structured) or "declare it under 'structured'"
            yield Problem(tree.place((*here, "structured", place)), f"'{name}' is no structured action", hint)


def _who(tree: Tree, document: PolicyDocument, here: Path, who: WhoDocument) -> Iterator[Problem]:
    for role in who.role:
        if role not in document.roles:
            hint = did_you_mean(role, document.roles) or "say under 'roles' who has it: role: [id, 'id-*']"
            yield Problem(tree.place((*here, "role")), f"nobody has the role '{role}'", hint)
    for key, ids in (("id", who.id), ("region", who.region), ("outside", who.outside)):
        yield from _ids(tree, (*here, key), ids)


def _ids(tree: Tree, here: Path, ids: Iterable[str]) -> Iterator[Problem]:
    if not all(map(plain_id, ids)):
        yield Problem(tree.place(here), "nothing can be seen in this name", "write one, with '*' for any characters")


def _field(tree: Tree, here: Path, field: str) -> Iterator[Problem]:
    place = tree.place(here, key=True)
    if field.startswith("/"):
        if field.split("/")[1] not in ROOTS:
            hint = f"begin with {', '.join(f'/{root}' for root in ROOTS)}"
            yield Problem(place, f"'{field}' does not point into a payload", hint)
    elif not _MEMBER.fullmatch(field):
        yield Problem(place, f"'{field}' is no member's name", "for a place in a document write a pointer: /text/a/b")


def _pattern(tree: Tree, here: Path, pattern: str) -> Iterator[Problem]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        yield Problem(tree.place(here), f"this is no regular expression: {error.msg}")
        return
    if compiled.fullmatch(""):
        yield Problem(tree.place(here), "this regular expression matches nothing at all, and so everything")
