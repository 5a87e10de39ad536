"""From a template to a sample: a payload, and where in it every personal value stands."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from lawful.infra.corpus.evasions import EVASIONS
from lawful.infra.corpus.values import Pools, filler, value
from lawful.schemas.event import AgentMessage, Payload, ToolCall, ToolResult, UserMessage
from lawful.schemas.strict_json import escape

_SLOT: Final = re.compile(r"\{(?P<filler>#?)(?P<kind>[a-z_]+)(?P<number>!n)?\}")


@dataclass(frozen=True, slots=True)
class Label:
    """Where a personal value stands: a path as findings have it, code points, and the value's kind."""

    path: str
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A payload with all its personal values labelled; none: whatever is found is a false alarm.

    Attributes:
        form: `message`, `call`, `result` or `agent` (an agent's message in JSON).
        evasion: how one of its values is hidden.
    """

    language: str
    form: str
    payload: Payload = field(repr=False)
    labels: tuple[Label, ...] = ()
    evasion: str | None = None


@dataclass(slots=True)
class Filling:
    """What fills the slots of one sample.

    Attributes:
        hide: a kind and an evasion: the first value of that kind is hidden so.
    """

    dice: Random
    pools: Pools
    hide: tuple[str, str] | None = None

    def text(self, template: str, path: str) -> tuple[str, list[Label]]:
        """A template's text and the labels in it."""
        parts, labels, length, position = list[str](), list[Label](), 0, 0
        for slot in _SLOT.finditer(template):
            filled = self._filled(slot)
            parts += [template[position : slot.start()], filled]
            length += slot.start() - position
            if not slot["filler"]:
                labels.append(Label(path, length, length + len(filled), slot["kind"]))
            length += len(filled)
            position = slot.end()
        return "".join((*parts, template[position:])), labels

    def tree(self, template: Any, path: str) -> tuple[Any, list[Label]]:
        """A document's templates filled, leaf by leaf."""
        if isinstance(template, Mapping):
            members = {key: self.tree(item, f"{path}/{escape(key)}") for key, item in template.items()}
            return {key: item for key, (item, _) in members.items()}, [
                one for _, (_, found) in members.items() for one in found
            ]
        if isinstance(template, list):
            items = [self.tree(item, f"{path}/{index}") for index, item in enumerate(template)]
            return [item for item, _ in items], [one for _, found in items for one in found]
        return self._leaf(template, path) if isinstance(template, str) else (template, [])

    def _leaf(self, template: str, path: str) -> tuple[Any, list[Label]]:
        slot = _SLOT.fullmatch(template)
        if slot is None or not slot["number"]:
            return self.text(template, path)
        number = int("".join(char for char in self._filled(slot) if char.isdecimal()))
        return number, [Label(path, 0, len(str(number)), slot["kind"])]

    def _filled(self, slot: re.Match[str]) -> str:
        if slot["filler"]:
            return filler(slot["kind"], self.dice, self.pools)
        made = value(slot["kind"], self.dice, self.pools)
        if self.hide is None or self.hide[0] != slot["kind"]:
            return made
        hidden = EVASIONS[slot["kind"]][self.hide[1]](made)
        self.hide = None
        return hidden


def kinds_of(template: Any) -> Iterator[str]:
    """The labelled kinds in a template."""
    if isinstance(template, Mapping):
        for item in template.values():
            yield from kinds_of(item)
    elif isinstance(template, list):
        for item in template:
            yield from kinds_of(item)
    elif isinstance(template, str):
        yield from (slot["kind"] for slot in _SLOT.finditer(template) if not slot["filler"])


def sample(template: Any, filling: Filling) -> Sample:
    """A filled template: text becomes a message, a mapping a call, a result or an agent's message."""
    evasion = filling.hide[1] if filling.hide else None
    language = filling.pools.language
    if isinstance(template, str):
        text, labels = filling.text(template, "/text")
        return Sample(language, "message", UserMessage(text), tuple(labels), evasion)
    form, root = template["kind"], {"call": "/arguments", "result": "/content", "agent": "/text"}[template["kind"]]
    document, labels = filling.tree(template["doc"], root)
    return Sample(
        language,
        form,
        _payload(form, template.get("tool", ""), json.dumps(document, ensure_ascii=False)),
        tuple(labels),
        evasion,
    )


def _payload(form: str, tool: str, text: str) -> Payload:
    if form == "agent":
        return AgentMessage(text)
    return ToolCall(tool, "call-1", text) if form == "call" else ToolResult(tool, "call-1", text)
