"""JSON, alone or within prose: members are candidates, objects are things."""

from collections.abc import Iterator
from typing import Any, Final

from lawful.firewalls.convert.draft import Draft
from lawful.firewalls.convert.port import Candidate
from lawful.firewalls.convert.prose import sentences
from lawful.firewalls.forms import CoordinatesForm, MoneyForm
from lawful.schemas.strict_json import Number, Unreadable, parse_container
from lawful.schemas.view import ExtractionStatus

_DEEPEST: Final = 32
_OPENS: Final = {"}": "{", "]": "["}


def documents(text: str, draft: Draft) -> str:
    """Tells the draft of every document in a text, and gives what is left of the text."""
    rest: list[str] = []
    at = 0
    for start, end in balanced(text):
        try:
            is_json, value = parse_container(text[start:end])
            if is_json:
                draft.next()
                _walk(value, draft, 0)
        except Unreadable:
            is_json, draft.unreadable = True, draft.unreadable + 1
        if is_json:
            rest.append(text[at:start])
            at = end
    draft.next()
    return "\n".join([*rest, text[at:]])


def balanced(text: str) -> Iterator[tuple[int, int]]:
    """The outermost stretches between brackets that match: one pass, whatever does not match."""
    stack: list[tuple[str, int]] = []
    whole: list[tuple[int, int]] = []
    is_quoted = is_escaped = False
    for at, char in enumerate(text):
        if is_escaped:
            is_escaped = False
        elif is_quoted:
            is_escaped = char == "\\"
            is_quoted = char not in {'"', "\n"}
        elif char == '"':
            is_quoted = bool(stack)
        elif char in {"{", "["}:
            stack.append((char, at))
        elif char in _OPENS and stack:
            opened, start = stack.pop()
            if opened != _OPENS[char]:
                stack.clear()
                continue
            while whole and whole[-1][0] > start:
                whole.pop()
            whole.append((start, at + 1))
    return iter(whole)


def _walk(value: Any, draft: Draft, depth: int) -> None:
    if depth > _DEEPEST:
        raise Unreadable(ExtractionStatus.OVERSIZED, "too_deep")
    if isinstance(value, dict):
        for key, member in value.items():
            _member(key, member, draft, depth)
    elif isinstance(value, list):
        _things(value, draft.kind, draft, depth)


def _member(key: str, member: Any, draft: Draft, depth: int) -> None:
    slots = draft.vocabulary.slots(key)
    if isinstance(member, dict) and not any(isinstance(slot.field.form, MoneyForm | CoordinatesForm) for slot in slots):
        if draft.vocabulary.kind(key) is None:
            _walk(member, draft, depth + 1)
        else:
            _things([member], key, draft, depth)
    elif isinstance(member, list) and any(isinstance(each, dict | list) for each in member):
        _things(member, key, draft, depth)
    elif not slots and isinstance(member, str) and not isinstance(member, Number):
        found = [each for sentence in sentences(member) for each in sentence.read(draft.vocabulary)]
        draft.candidates += [Candidate(each.label, each.value, draft.kind, draft.item) for each in found]
        draft.candidates += [] if found else [Candidate(key, None, draft.kind, draft.item)]
    else:
        draft.candidates.append(Candidate(key, member, draft.kind, draft.item))


def _things(members: list[Any], kind: str, draft: Draft, depth: int) -> None:
    """Each of several things, and then back to what held them."""
    outer, outer_kind = draft.item, draft.kind
    for each in members:
        draft.next(kind)
        _walk(each, draft, depth + 1)
    draft.item, draft.kind = outer, outer_kind
