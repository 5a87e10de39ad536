"""Doing what a verdict demands: the payload that may pass, made from the payload that was judged.

What is delivered is what this returns, on every channel. Where the demands cannot be met without
breaking the payload, it may not pass at all.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from jsonschema.validators import validator_for

from lawful.client.blocked import Blocked, Unredactable
from lawful.client.leaves import GONE, redact_text, redact_whole, strongest
from lawful.schemas.event import (
    AgentMessage,
    AssistantMessage,
    MemoryRead,
    MemoryWrite,
    Payload,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.verdict import Decision, Obligation, Verdict

P = TypeVar("P", bound=Payload)

_FIELDS: Final[dict[type, tuple[str, ...]]] = {
    UserMessage: ("text",),
    AssistantMessage: ("text",),
    AgentMessage: ("text",),
    ToolCall: ("arguments",),
    ToolResult: ("content",),
    MemoryWrite: ("key", "content"),
    MemoryRead: ("key", "content"),
}


class Redacted(str):
    """A text to which obligations have been applied; applying the same ones again changes nothing."""

    __slots__ = ("met",)
    met: tuple[Obligation, ...]


def apply(payload: P, verdict: Verdict, schema: Mapping[str, Any] | None = None) -> P:
    """The payload that may be delivered. Costs time linear in the payload.

    Args:
        payload: the payload that the verdict is about.
        verdict: the answer.
        schema: the tool's JSON Schema for its arguments, where the payload is a call of it.

    Raises:
        Blocked: the verdict is a block.
        Unredactable: an obligation does not fit the payload, or meeting it breaks the schema.
    """
    if verdict.decision is Decision.BLOCK:
        raise Blocked(verdict)
    if verdict.decision is not Decision.REDACT:
        return payload
    fields = _FIELDS.get(type(payload), ())
    by_field = _by_field(verdict.obligations, fields)
    changed: dict[str, Any] = {
        name: _redact_field(getattr(payload, name), name, wanted) for name, wanted in by_field.items()
    }
    after = replace(payload, **changed)
    if isinstance(after, ToolCall) and changed:
        _validate(after.arguments, schema)
    return after


def _by_field(obligations: Sequence[Obligation], fields: Sequence[str]) -> dict[str, tuple[Obligation, ...]]:
    """The obligations of each field of the payload; one that belongs to none means: block."""
    sorted_in: dict[str, tuple[Obligation, ...]] = {}
    for obligation in obligations:
        name = obligation.path.split("/")[1] if obligation.path.startswith("/") else ""
        if name not in fields:
            raise Unredactable("obligation_misses_payload")
        sorted_in[name] = (*sorted_in.get(name, ()), obligation)
    return sorted_in


def _redact_field(text: str, name: str, obligations: tuple[Obligation, ...]) -> str:
    if isinstance(text, Redacted) and text.met == obligations:
        return text
    whole = [obligation for obligation in obligations if obligation.path == f"/{name}"]
    if len(whole) == len(obligations) and (any(one.end for one in whole) or not _is_container(text)):
        after = Redacted(redact_text(text, obligations))
    else:
        after = Redacted(_redact_json(text, name, obligations))
    after.met = obligations
    return after


def _is_container(text: str) -> bool:
    return isinstance(_parse(text), dict | list)


def _redact_json(text: str, name: str, obligations: Sequence[Obligation]) -> str:
    document = _parse(text)
    if not isinstance(document, dict | list):
        raise Unredactable("obligation_misses_payload")
    wanted: dict[str, list[Obligation]] = {}
    for obligation in obligations:
        wanted.setdefault(obligation.path, []).append(obligation)
    after = _walk(document, f"/{name}", wanted)
    if wanted:
        raise Unredactable("obligation_misses_payload")
    after = type(document)() if after is GONE else after
    return _dump(after)


def _walk(value: Any, path: str, wanted: dict[str, list[Obligation]]) -> Any:
    """The value after its obligations, which are taken out of `wanted` as they are met."""
    here = wanted.pop(path, [])
    if here and not isinstance(value, str):
        for below in [other for other in wanted if other.startswith(f"{path}/")]:
            del wanted[below]
        return redact_whole(value, strongest(here), [one.category for one in here])
    match value:
        case str():
            return redact_text(value, here) if here else value
        case dict():
            members = {key: _walk(item, f"{path}/{_token(key)}", wanted) for key, item in value.items()}
            return {key: item for key, item in members.items() if item is not GONE}
        case list():
            items = [_walk(item, f"{path}/{place}", wanted) for place, item in enumerate(value)]
            return [None if item is GONE else item for item in items]
        case _:
            return value


def _token(key: str) -> str:
    """A key as a reference token of RFC 6901."""
    return key.replace("~", "~0").replace("/", "~1")


def _parse(text: str) -> Any:
    """The text as JSON; `None` if it is none."""
    try:
        return json.loads(text)
    except RecursionError:
        raise Unredactable("too_deep") from None
    except ValueError:
        return None


def _dump(document: Any) -> str:
    try:
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        raise Unredactable("not_representable") from None


def _validate(arguments: str, schema: Mapping[str, Any] | None) -> None:
    """A redacted call must still be one that its tool takes."""
    document = _parse(arguments)
    if not isinstance(document, dict):
        raise Unredactable("redaction_would_break_arguments")
    if schema is None:
        return
    try:
        valid = validator_for(schema)(schema).is_valid(document)
    except Exception:  # noqa: BLE001 - a schema that cannot be used vouches for nothing
        raise Unredactable("schema_unusable") from None
    if not valid:
        raise Unredactable("redaction_would_break_arguments")
