"""AG2's safeguard policies as a draft of ours: each regular expression on an edge becomes a channel with a pattern.

What a language model would have been asked has no equivalent. It is told, never left out in silence.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lawful.schemas.errors import ConfigurationError

_HANDLINGS: Final = {"block": "block", "mask": "mask", "warning": "warn"}
_PLACES: Final = (
    ("inter_agent_safeguards", "agent_transitions"),
    ("agent_environment_safeguards", "tool_interaction"),
    ("agent_environment_safeguards", "llm_interaction"),
    ("agent_environment_safeguards", "user_interaction"),
)
_KNOWN: Final = {
    "inter_agent_safeguards": {"agent_transitions", "groupchat_message_check"},
    "agent_environment_safeguards": {"tool_interaction", "llm_interaction", "user_interaction"},
}


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a safeguard policy.

    Attributes:
        text: the draft, as YAML.
        channels: how many rules it holds.
        without: what has no equivalent: where it stands, and why.
    """

    text: str
    channels: int
    without: tuple[str, ...]


def import_ag2(text: str, file: str, policy_id: str) -> Imported:
    """A draft of a policy from AG2's JSON.

    Raises:
        ConfigurationError: it is no safeguard policy; says where.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ConfigurationError(f"{file}: this is not JSON", hint="AG2's safeguard policies are JSON") from None
    if not isinstance(data, dict) or not data.keys() & _KNOWN.keys():
        hint = f"expected an object with {' or '.join(_KNOWN)}"
        raise ConfigurationError(f"{file} holds no safeguards of AG2's", hint=hint)
    without = list(_unknown(data))
    channels: list[str] = []
    for section, key in _PLACES:
        rules = data[section].get(key, []) if isinstance(data.get(section), dict) else []
        for number, rule in enumerate(rules if isinstance(rules, list) else [rules]):
            where = f"{key}[{number}]"
            why = _lacks(rule)
            if why:
                without.append(f"{where}: {why}")
            else:
                channels += _channel(f"{key}_{number}", rule)
    return Imported(
        "\n".join([*_head(policy_id, channels=bool(channels)), *channels, ""]), len(channels) // 4, tuple(without)
    )


def _unknown(data: Mapping[str, Any]) -> Iterator[str]:
    for section, said in data.items():
        if section not in _KNOWN or not isinstance(said, dict):
            yield f"{section}: not known"
            continue
        if "groupchat_message_check" in said:
            yield "groupchat_message_check: a language model is asked; name the categories in a channel instead"
        yield from (f"{section}.{key}: not known" for key in said if key not in _KNOWN[section])


def _lacks(rule: Any) -> str:
    """Why a rule has no equivalent; nothing if it has one."""
    if not isinstance(rule, dict):
        return "no object"
    if rule.get("check_method") != "regex":
        return "a language model is asked; name the categories in a channel instead"
    if not all(isinstance(rule.get(key), str) for key in ("message_source", "message_destination", "pattern")):
        return "'message_source', 'message_destination' or 'pattern' is missing"
    if rule.get("violation_response", rule.get("action")) not in _HANDLINGS:
        return "its action is none of block, mask, warning"
    try:
        matched = re.compile(rule["pattern"]).fullmatch("")
    except re.error:
        return "its pattern is no regular expression"
    return "its pattern matches nothing at all, and so everything" if matched else ""


def _channel(name: str, rule: Mapping[str, str]) -> list[str]:
    handling = _HANDLINGS[rule.get("violation_response", rule.get("action", ""))]
    # Stricter rather than looser: small letters and capitals are one, wherever the author stood.
    pattern = json.dumps(f"(?i:{rule['pattern']})")
    return [
        f"  - name: {name}",
        f"    from: {_party(rule['message_source'])}",
        f"    to: {_party(rule['message_destination'])}",
        f"    patterns: {{safeguard: {{match: {pattern}, do: {handling}}}}}",
    ]


def _party(name: str) -> str:
    """An agent, a tool or anybody; `llm` and `user` are kinds there."""
    if name == "*":
        return "{}"
    if name.casefold() in {"llm", "user"}:
        return f"{{kind: {name.casefold()}}}"
    return f"{{id: {json.dumps(name)}}}"


def _head(policy_id: str, *, channels: bool) -> Iterator[str]:
    yield "# From AG2's safeguards: no purposes are said there. Settle every '# review:' line, then delete 'draft'."
    yield "draft: true"
    yield f"id: {policy_id}"
    yield 'version: "1"'
    yield "controller: {name: Somebody}  # review: who answers for it"
    yield "purposes:"
    yield "  essential.service: {legal_basis: contract, necessary: [user]}  # review: a guess: what it is all for"
    yield "messages: {purposes: [essential.service]}"
    yield "recipients:" if channels else "recipients: []"
