"""Writes what was learned in the firewalls' own format, each line with its evidence, for somebody to review.

Evidence is counts. No value of a record stands in it, unless enough people share it to be a word.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lawful.firewalls.learning.contrast import Granted
from lawful.firewalls.learning.telling import EXACT
from lawful.firewalls.learning.vocabulary import LearnedField, LearnedRecord

_REVIEW = (
    "# Learned from demonstrations; a draft. Read each line before you use it: behind it stands how it came about."
)


def protocol_yaml(name: str, records: Sequence[LearnedRecord]) -> str:
    """A protocol of what was learned."""
    lines = [_REVIEW, f"protocol: {name}", 'version: "1"', "description: Learned from benign conversations."]
    own = [record for record in records if not record.kind]
    several = [record for record in records if record.kind]
    if own:
        lines += ["fields:", *(line for record in own for line in _fields(record.fields, "  "))]
    if several:
        lines.append("records:")
    for record in several:
        lines.append(f"  {record.kind}:")
        if record.labels:
            lines.append(f"    labels: {_flow(list(record.labels))}")
        lines += ["    fields:", *_fields(record.fields, "      ")]
    return "\n".join(lines) + "\n"


def abstraction_yaml(name: str, rules: Sequence[Granted]) -> str:
    """An abstraction of what was learned."""
    lines = [
        _REVIEW,
        f"abstraction: {name}",
        'version: "1"',
        "description: Learned from benign conversations and attacks.",
    ]
    lines.append("fields:")
    lines += [f"  {rule.path}: {_flow(written(rule))}  # {_why(rule)}" for rule in rules]
    return "\n".join(lines) + "\n"


def written(rule: Granted) -> str | dict[str, Any]:
    """A rule as an abstraction has it."""
    if rule.way is None:
        return "block"
    if rule.way != EXACT:
        return {"generalise": rule.way}
    return "allow" if rule.values is None else {"allow": list(rule.values)}


def _fields(fields: Sequence[LearnedField], indent: str) -> Iterator[str]:
    for each in fields:
        spec = dict(each.guess.spec) | ({"labels": list(each.labels)} if each.labels else {})
        spread = each.guess.of - each.guess.fits
        odd = f", {spread} of {each.guess.of} values not" if spread else ""
        yield f"{indent}{each.key}: {_flow(spec)}  # in {each.support} of {each.of} benign conversations{odd}"


def _why(rule: Granted) -> str:
    told = f"told in {rule.benign} of {rule.of} benign conversations"
    return f"{told}, as it is in {rule.exact}; as it is in {rule.attacks} attacks"


def _flow(value: Any) -> str:
    """A value in YAML's flow style; texts that YAML would take for something else are quoted."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(inner) for inner in value) + "]"
    if isinstance(value, str) and not _is_plain(value):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _is_plain(text: str) -> bool:
    words_of_yaml = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}
    return text.isascii() and text.replace("_", "a").replace(" ", "a").isalpha() and text.lower() not in words_of_yaml
