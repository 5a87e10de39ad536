"""Guesses at what a tool is for: by the words of its name, then by those of its description.

Nothing here is more than a guess. Each comes with the word that it came about by; where no word
tells, nothing is guessed, and personal data in such a tool is blocked until somebody says what it
is for.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lawful.extractors.config import load_yaml
from lawful.infra.drafting.toolfile import Tool
from lawful.schemas.event import RecipientKind

_WORD = re.compile(r"[a-z]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SENTENCE = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, slots=True)
class Guess:
    """Something that may be so, and why that is thought.

    Attributes:
        value: empty where nothing tells.
    """

    value: str
    why: str


def guess_purpose(tool: Tool) -> Guess:
    """What the tool is probably for. Words of marketing and sharing outweigh others: they need consent."""
    first_sentence = _SENTENCE.split(tool.description, maxsplit=1)[0]
    for source, words in (("name", _words(tool.name)), ("description", _words(first_sentence))):
        for line in _table()["lines"]:
            if (source == "name" or not line.get("name_only")) and (found := _fits(words, line)):
                return Guess(line["purpose"], f"guessed from {' and '.join(found)} in its {source}")
    return Guess("", "no word of its name or description tells what it is for")


def guess_recipient(tool: Tool) -> Guess:
    """Who gets what the tool is given."""
    words = _words(tool.name)
    for kind, wanted in _table()["recipients"].items():
        if word := _hit(words, wanted):
            return Guess(RecipientKind(kind).value, f"guessed from '{word}' in its name")
    return Guess(RecipientKind.TOOL.value, "")


def described_purpose(key: str) -> Mapping[str, str]:
    """What is usual for a purpose of the table: `legal_basis`, `description`, perhaps `article9`."""
    found: Mapping[str, str] = _table()["purposes"][key]
    return found


@cache
def _table() -> Any:
    return load_yaml(Path(__file__).parent / "guesses.yaml")


def _fits(words: list[str], line: Mapping[str, Any]) -> list[str]:
    """The words by which a line fits, in quotes; none if it does not."""
    found = [_hit(words, line["any"])]
    if "with" in line:
        found.append(_hit(words, line["with"]))
    return [f"'{word}'" for word in dict.fromkeys(found)] if all(found) else []


def _hit(words: list[str], wanted: Collection[str]) -> str:
    return next((word for word in words if word in wanted), "")


def _words(text: str) -> list[str]:
    return _WORD.findall(_CAMEL.sub(" ", text).lower())
