"""Whether an agent's message is a structured action of the policy's: JSON, of a known name, as its schema has it.

Checked before anything is looked for in it, so that a message in prose is not mistaken for what it imitates.
"""

from functools import lru_cache
from typing import Any, Final

from jsonschema import Draft202012Validator
from referencing import Registry

from lawful.policies.channels.model import ACTION, UNSTRUCTURED, ActionRule
from lawful.policies.model import Policy
from lawful.schemas.event import AgentEvent, AgentMessage
from lawful.schemas.strict_json import Unreadable, parse_container, plain
from lawful.schemas.taxonomy import covers
from lawful.schemas.view import Finding

NAME: Final = "action"
_DETECTOR: Final = "policy.structured"
_VERSION: Final = "1"


def structure_of(event: AgentEvent, policy: Policy) -> Finding | None:
    """Which structured action a message is, or why it is none, as a mark; nothing if the policy has none."""
    known = policy.channels
    if known is None or not known.actions or not isinstance(event.payload, AgentMessage):
        return None
    text = event.payload.text
    wrong = "too_large" if len(text) > policy.limits.max_bytes else ""
    return Finding("/text", 0, 0, f"{UNSTRUCTURED}.{wrong}" if wrong else _read(text, known.actions), *_TOLD)


_TOLD: Final = (_DETECTOR, _VERSION, 1.0)


def is_refused(found: Finding, policy: Policy, channels: tuple[str, ...]) -> bool:
    """Whether one of the event's channels wants a structured action, and this is none."""
    known = policy.channels.rules if policy.channels else {}
    rules = (known[name] for name in channels if name in known)
    return covers(UNSTRUCTURED, found.category) and any(rule.actions is not None for rule in rules)


def action_in(text: Any) -> str | None:
    """The name of the action that a message says it is."""
    name = text.get(NAME) if isinstance(text, dict) else None
    return name if isinstance(name, str) else None


def _read(text: str, actions: Any) -> str:
    try:
        is_json, value = parse_container(text)
        value = plain(value)
    except Unreadable as error:
        return f"{UNSTRUCTURED}.{error.reason}"
    if not is_json or not isinstance(value, dict):
        return f"{UNSTRUCTURED}.not_json"
    action = actions.get(action_in(value))
    if action is None:
        return f"{UNSTRUCTURED}.unknown_action"
    members = {key: each for key, each in value.items() if key != NAME}
    return f"{ACTION}.{action.name}" if _is_valid(members, action) else f"{UNSTRUCTURED}.invalid"


def _is_valid(members: dict[str, Any], action: ActionRule) -> bool:
    try:
        return _validator(_Schema(action)).is_valid(members)
    except Exception:  # noqa: BLE001 - a schema that cannot be used vouches for nothing
        return False


class _Schema:
    """A schema as a cache key: by the action that holds it, which the key keeps alive."""

    def __init__(self, action: ActionRule) -> None:
        self.action = action

    def __hash__(self) -> int:
        return id(self.action)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Schema) and other.action is self.action


@lru_cache(maxsize=256)
def _validator(schema: _Schema) -> Draft202012Validator:
    return Draft202012Validator(
        schema.action.schema, registry=Registry(), format_checker=Draft202012Validator.FORMAT_CHECKER
    )
