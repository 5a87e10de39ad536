"""Doing what a verdict demands: the payload that may pass, made from the payload that was judged.

What is delivered is what this returns, on every channel. Where the demands cannot be met without
breaking the payload, it may not pass at all.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from jsonschema import FormatChecker
from jsonschema.validators import validator_for

from lawful.client.blocked import Blocked, Unredactable
from lawful.client.leaves import GONE, Means, redact_text, redact_whole
from lawful.client.tags import Tags
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
from lawful.schemas.strict_json import Unreadable, nested, plain, rewrapped
from lawful.schemas.verdict import Action, Decision, Obligation, Verdict

P = TypeVar("P", bound=Payload)

FORMATS: Final = FormatChecker()
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


def apply(payload: P, verdict: Verdict, schema: Mapping[str, Any] | None = None, tags: Tags | None = None) -> P:
    """The payload that may be delivered. Costs time linear in the payload.

    Args:
        payload: the payload that the verdict is about.
        verdict: the answer.
        schema: the tool's JSON Schema for its arguments, where the payload is a call of it.
        tags: the session's; without them, what is to be hashed or get a placeholder is replaced.

    Raises:
        Blocked: the verdict is a block.
        Unredactable: an obligation does not fit the payload, or meeting it breaks the schema.
    """
    if verdict.decision is Decision.BLOCK:
        raise Blocked(verdict)
    if verdict.decision is not Decision.REDACT:
        return payload
    by_field = _by_field(verdict.obligations, _FIELDS.get(type(payload), ()))
    after: Any = _redacted(payload, by_field, Means(tags))
    if not isinstance(after, ToolCall) or not by_field:
        return cast("P", after)
    if _generalises(verdict.obligations) and not _is_valid(after.arguments, schema, FORMATS):
        # A schema may ask for a date where a reader would be given `1985`.
        typed = _redacted(payload, by_field, Means(tags, typed=True))
        after = typed if isinstance(typed, ToolCall) and _is_valid(typed.arguments, schema, FORMATS) else after
    if not _is_valid(after.arguments, schema):
        raise Unredactable("redaction_would_break_arguments")
    return cast("P", after)


def _redacted(payload: P, by_field: Mapping[str, tuple[Obligation, ...]], means: Means) -> P:
    changed: dict[str, Any] = {
        name: _redact_field(getattr(payload, name), name, wanted, means) for name, wanted in by_field.items()
    }
    return replace(payload, **changed)


def _generalises(obligations: Sequence[Obligation]) -> bool:
    return any(each.action is Action.GENERALISE for each in obligations)


def _by_field(obligations: Sequence[Obligation], fields: Sequence[str]) -> dict[str, tuple[Obligation, ...]]:
    """The obligations of each field of the payload; one that belongs to none means: block."""
    sorted_in: dict[str, tuple[Obligation, ...]] = {}
    for obligation in obligations:
        name = obligation.path.split("/")[1] if obligation.path.startswith("/") else ""
        if name not in fields:
            raise Unredactable("obligation_misses_payload")
        sorted_in[name] = (*sorted_in.get(name, ()), obligation)
    return sorted_in


def _redact_field(text: str, name: str, obligations: tuple[Obligation, ...], means: Means) -> str:
    if isinstance(text, Redacted) and text.met == obligations:
        return text
    whole = [obligation for obligation in obligations if obligation.path == f"/{name}"]
    if len(whole) == len(obligations) and (any(one.end for one in whole) or _held(text) is None):
        after = Redacted(redact_text(text, obligations, means))
    else:
        after = Redacted(_redact_json(text, name, obligations, means))
    after.met = obligations
    return after


def _redact_json(text: str, name: str, obligations: Sequence[Obligation], means: Means) -> str:
    wanted: dict[str, list[Obligation]] = {}
    for obligation in obligations:
        wanted.setdefault(obligation.path, []).append(obligation)
    after = _redact_held(text, f"/{name}", wanted, means)
    if wanted:
        raise Unredactable("obligation_misses_payload")
    return after


def _redact_held(text: str, path: str, wanted: dict[str, list[Obligation]], means: Means) -> str:
    """A text that holds JSON, which may hold strings that do: redacted there, and put back as it was wrapped."""
    held = _held(text)
    if held is None:
        raise Unredactable("obligation_misses_payload")
    document, layers = held
    after = _walk(document, path, wanted, means)
    return rewrapped(_dump(type(document)() if after is GONE else after), layers)


def _held(text: str) -> tuple[Any, int] | None:
    """The object or array in a text, as whoever judged it has read it, and how often it is wrapped."""
    try:
        held = nested(text)
        return None if held is None else (plain(held[0]), held[1])
    except Unreadable as error:
        raise Unredactable(error.reason) from None


def _walk(value: Any, path: str, wanted: dict[str, list[Obligation]], means: Means) -> Any:
    """The value after its obligations, which are taken out of `wanted` as they are met."""
    here = wanted.pop(path, [])
    if any(not one.end for one in here) or (here and not isinstance(value, str)):
        for below in [other for other in wanted if other.startswith(f"{path}/")]:
            del wanted[below]
        return redact_whole(value, here, means)
    match value:
        case str() if not here and _holds_more(value, path, wanted):
            return _redact_held(value, path, wanted, means)
        case str():
            return redact_text(value, here, means) if here else value
        case dict():
            members = {key: _walk(item, f"{path}/{_token(key)}", wanted, means) for key, item in value.items()}
            return {key: item for key, item in members.items() if item is not GONE}
        case list():
            items = [_walk(item, f"{path}/{place}", wanted, means) for place, item in enumerate(value)]
            return [None if item is GONE else item for item in items]
        case _:
            return value


def _holds_more(text: str, path: str, wanted: dict[str, list[Obligation]]) -> bool:
    """Whether something is to be done within the JSON that a string holds."""
    return text.lstrip()[:1] in {"{", "[", '"'} and any(other.startswith(f"{path}/") for other in wanted)


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


def _is_valid(arguments: str, schema: Mapping[str, Any] | None, formats: FormatChecker | None = None) -> bool:
    """Whether a redacted call is still one that its tool takes."""
    document = _parse(arguments)
    if not isinstance(document, dict) or schema is None:
        return isinstance(document, dict)
    try:
        return bool(validator_for(schema)(schema, format_checker=formats).is_valid(document))
    except Exception:  # noqa: BLE001 - a schema that cannot be used vouches for nothing
        raise Unredactable("schema_unusable") from None
