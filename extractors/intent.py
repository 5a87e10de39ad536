"""What an event is for, as far as it shows by itself, and sentences that look like a consent and are none.

Rules look at a tool's name, at whom it addresses, at the hosts it sends to and at what it says. What
they conclude is an inferred purpose, which justifies nothing and can only make a verdict stricter; the
evidence is a finding of the kind `system.operations` with the rule's name and its confidence.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import ahocorasick_rs

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import Field
from lawful.extractors.folding import folded
from lawful.extractors.keynames import normalise_key
from lawful.extractors.search import Finder, Together
from lawful.extractors.sentences import sentences
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    MemoryWrite,
    RecipientKind,
    ToolCall,
    UserMessage,
)

EVIDENCE: Final = "system.operations"
"""The category of evidence: it is about the system and nobody's personal data, so no verdict rests on it."""
_OUTWARD: Final = frozenset({RecipientKind.USER, RecipientKind.THIRD_PARTY})
_SENDS: Final = frozenset({"send", "email", "mail", "sms", "message", "notify", "post", "publish", "broadcast"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to see a purpose.

    Attributes:
        tools: words of a tool's name, written together.
        recipients: kinds of recipients of which one must be addressed.
        words_needed: how many different words of the rule a text must hold.
        sends: counts only in what goes out to people.
    """

    name: str
    purpose: str
    confidence: float
    tools: frozenset[str] = frozenset()
    recipients: frozenset[str] = frozenset()
    words_needed: int = 1
    sends: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """`data/purposes.yaml`, compiled.

    Attributes:
        telling: rule of each of the automaton's words; a word with a dot is a host.
        consent: folded words of agreement, and what they are about.
    """

    version: str
    rules: tuple[Rule, ...]
    automaton: Any = field(repr=False)
    telling: tuple[tuple[str, Rule], ...] = field(repr=False)
    agreeing: re.Pattern[str]
    about: re.Pattern[str]
    about_anywhere: Finder
    consent_confidence: float


@lru_cache(maxsize=1)
def intent_rules() -> Rules:
    """The shipped rules, read once; those below the least confidence are left out."""
    data = load_yaml(DATA / "purposes.yaml")
    entries = [entry for entry in data["rules"] if entry["confidence"] >= data["least"]]
    rules = [_rule(entry) for entry in entries]
    telling = [
        (folded(str(word)), rule)
        for entry, rule in zip(entries, rules, strict=True)
        for word in (*entry.get("words", ()), *entry.get("hosts", ()))
    ]
    consent = data["consent_like"]
    return Rules(
        str(data["version"]),
        tuple(rules),
        ahocorasick_rs.AhoCorasick([word for word, _ in telling]),
        tuple(telling),
        _any_of(consent["agreeing"]),
        _any_of(consent["about"]),
        Finder(_any_of(consent["about"]).pattern, beside=Together()),
        float(consent["confidence"]),
    )


def inferred(event: AgentEvent, *, bound: bool) -> dict[str, Rule]:
    """Purposes that show in an event, with the surest of the rules that saw each.

    Args:
        event: what agents or their tools do; what a person writes shows no purpose of the agent's.
        bound: the policy says what the tool is for, so that its name says nothing more.
    """
    saw = [] if bound else list(_by_tool_of(event))
    saw += _by_words(intent_rules(), folded(_text_of(event)), sends=_sends(event))
    return {rule.purpose: rule for rule in sorted(saw, key=lambda rule: rule.confidence)}


def _by_tool_of(event: AgentEvent) -> Iterator[Rule]:
    """Rules that know the called tool's name, and whom it addresses."""
    if isinstance(event.payload, ToolCall):
        to = event.recipient.kind.value if event.recipient else None
        yield from (rule for rule in _by_tool(event.payload.tool) if not rule.recipients or to in rule.recipients)


class Intent:
    """Finds the evidence of inferred purposes in texts, and sentences that look like a consent."""

    name = "purposes"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Findings of the kind `system.operations`, for the officer; no verdict rests on them."""
        if field.is_key or not field.is_string:
            return []
        rules, text = intent_rules(), folded(field.text)
        payload = around.event.payload
        if isinstance(payload, UserMessage):
            return [
                _evidence(rules, span, "consent_like", rules.consent_confidence)
                for span in _consents(rules, field.text, text)
            ]
        if not isinstance(payload, ToolCall | AssistantMessage | AgentMessage | MemoryWrite):
            return []
        seen = set(_by_words(rules, text, sends=_sends(around.event)))
        places = _places(rules, text) if seen else iter(())
        return [_evidence(rules, span, rule.name, rule.confidence) for *span, rule in places if rule in seen]


def _evidence(rules: Rules, span: Any, name: str, confidence: float) -> Candidate:
    start, end = span
    return Candidate(start, end, EVIDENCE, f"purposes.{name}", rules.version, confidence, Strength.GUESS)


def _rule(entry: Mapping[str, Any]) -> Rule:
    return Rule(
        entry["name"],
        entry["purpose"],
        float(entry["confidence"]),
        frozenset(entry.get("tools", ())),
        frozenset(entry.get("recipients", ())),
        int(entry.get("words_needed", 1)),
        bool(entry.get("sends", False)),
    )


@lru_cache(maxsize=4_096)
def _by_tool(tool: str) -> tuple[Rule, ...]:
    words = normalise_key(tool).split("_")
    said = {
        "".join(words[first:last])
        for first in range(len(words))
        for last in range(first + 1, min(first + 4, len(words) + 1))
    }
    return tuple(rule for rule in intent_rules().rules if rule.tools & said)


def _by_words(rules: Rules, text: str, *, sends: bool) -> Iterator[Rule]:
    """The rules of which a folded text holds enough different words."""
    said: dict[Rule, set[int]] = {}
    for start, _, word, rule in _words(rules, text):
        del start
        said.setdefault(rule, set()).add(word)
    yield from (rule for rule, words in said.items() if len(words) >= rule.words_needed and (sends or not rule.sends))


def _places(rules: Rules, text: str) -> Iterator[tuple[int, int, Rule]]:
    return ((start, end, rule) for start, end, _, rule in _words(rules, text))


def _words(rules: Rules, text: str) -> Iterator[tuple[int, int, int, Rule]]:
    for index, start, end in rules.automaton.find_matches_as_indexes(text):
        before, behind = text[start - 1 : start], text[end : end + 1]
        if not (before.isalpha() or behind.isalnum()):
            yield start, end, index, rules.telling[index][1]


def _consents(rules: Rules, text: str, near: str) -> Iterator[tuple[int, int]]:
    if rules.about_anywhere.search(near) is None:
        return
    for start, end in sentences(text):
        about, agreeing = rules.about.search(near, start, end), rules.agreeing.search(near, start, end)
        if about is not None and agreeing is not None:
            yield about.span()


def _sends(event: AgentEvent) -> bool:
    if event.recipient is not None and event.recipient.kind in _OUTWARD:
        return True
    if isinstance(event.payload, AssistantMessage):
        return True
    return isinstance(event.payload, ToolCall) and bool(_SENDS & set(normalise_key(event.payload.tool).split("_")))


def _text_of(event: AgentEvent) -> str:
    match event.payload:
        case ToolCall(arguments=text) | AssistantMessage(text) | AgentMessage(text) | MemoryWrite(content=text):
            return text
        case _:
            return ""


def _any_of(words: list[str]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(folded(str(word))) for word in sorted(map(str, words), key=len, reverse=True))
    return re.compile(rf"(?<![\w\-])(?:{alternatives})(?!\w)")
