"""Regular expressions taken apart: texts that match them, and places where matching may run away.

Works on the tree that Python's own parser makes. Characters are looked at over a small alphabet
(ASCII and two others), which is enough to see whether two classes meet.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

# The parser has no public name in Python 3.11 to 3.13; `sre_parse` is the same module, deprecated.
from re import _constants as sre, _parser as parser  # type: ignore[attr-defined] # isort: skip

Nodes = Sequence[tuple[Any, Any]]

ALPHABET = frozenset(map(chr, range(128))) | {"é", "中"}
MANY = 16
"""A repeat that may go on this long counts as endless."""

_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT)
_SAMPLES = 12
_CLASSES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
}
_OPPOSITES = {
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
    sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
    sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
}
_PREFERRED = "a0A5zZ9_-.#:/ @"


def samples(pattern: str) -> tuple[str, ...]:
    """Some texts that the expression matches whole; none where it asks for more than this can make up."""
    compiled = re.compile(pattern)
    made = (_made(_tree(pattern), seed) for seed in range(_SAMPLES))
    return tuple(dict.fromkeys(text for text in made if text and compiled.fullmatch(text)))


def runs_away(pattern: str) -> str | None:
    """The reason why a search may take very long, if one is seen."""
    return _trouble(_tree(pattern), endless=False)


@lru_cache(maxsize=256)
def _tree(pattern: str) -> Nodes:
    return tuple(parser.parse(pattern))


def _made(nodes: Nodes, seed: int) -> str:
    text = ""
    for position, (kind, value) in enumerate(nodes):
        turn = seed * 7 + position + len(text)
        if kind in _REPEATS or kind is sre.POSSESSIVE_REPEAT:
            low, high, body = value
            times = low if seed % 2 == 0 else min(int(high), low + seed % 4)
            text += "".join(_made(tuple(body), turn + time) for time in range(times))
        elif kind is sre.BRANCH:
            branches = value[1]
            text += _made(tuple(branches[seed % len(branches)]), seed)
        elif (body := _body(kind, value)) is not None:
            text += _made(body, seed)
        elif chars := _chars(kind, value):
            ordered = sorted(chars, key=lambda char: (_PREFERRED.find(char) % 99, char))
            text += ordered[turn % min(len(ordered), 8)]
    return text


def _body(kind: Any, value: Any) -> Nodes | None:
    """What a group holds."""
    if kind is sre.SUBPATTERN:
        return tuple(value[3])
    return tuple(value) if kind is sre.ATOMIC_GROUP else None


def _chars(kind: Any, value: Any) -> frozenset[str]:
    """The characters that a node for one character matches; nothing for nodes of other kinds."""
    if kind is sre.LITERAL:
        return frozenset({chr(value)})
    if kind is sre.NOT_LITERAL:
        return ALPHABET - {chr(value)}
    if kind is sre.ANY:
        return ALPHABET - {"\n"}
    if kind is sre.RANGE:
        return frozenset(char for char in ALPHABET if value[0] <= ord(char) <= value[1]) or frozenset({chr(value[0])})
    if kind is sre.CATEGORY:
        return _category(value)
    if kind is sre.IN:
        negated = bool(value) and value[0][0] is sre.NEGATE
        inside = frozenset().union(*(_chars(*each) for each in value[negated:])) if value else frozenset()
        return ALPHABET - inside if negated else inside
    return frozenset()


def _category(value: Any) -> frozenset[str]:
    test = _CLASSES[_OPPOSITES.get(value, value)]
    inside = frozenset(char for char in ALPHABET if test(char))
    return ALPHABET - inside if value in _OPPOSITES else inside


def _firsts(nodes: Nodes) -> tuple[frozenset[str], bool]:
    """The characters that a match may begin with, and whether it may be empty."""
    found: frozenset[str] = frozenset()
    for kind, value in nodes:
        chars, empty = _first(kind, value)
        found |= chars
        if not empty:
            return found, False
    return found, True


def _first(kind: Any, value: Any) -> tuple[frozenset[str], bool]:
    if kind in _REPEATS or kind is sre.POSSESSIVE_REPEAT:
        chars, empty = _firsts(tuple(value[2]))
        return chars, empty or value[0] == 0
    if kind is sre.BRANCH:
        each = [_firsts(tuple(branch)) for branch in value[1]]
        return frozenset().union(*(chars for chars, _ in each)), any(empty for _, empty in each)
    if (body := _body(kind, value)) is not None:
        return _firsts(body)
    chars = _chars(kind, value)
    return chars, not chars


def _trouble(nodes: Nodes, *, endless: bool) -> str | None:
    """What is wrong in a sequence; `endless` if the sequence itself repeats without end."""
    for index, (kind, value) in enumerate(nodes):
        if _varies(kind, value, endless=endless):
            rest = (*nodes[index + 1 :], *(nodes[: index + 1] if endless else ()))
            if reason := _meets(kind, value, rest, endless=endless):
                return reason
        for body, again in _below(kind, value, endless=endless):
            if reason := _trouble(body, endless=again):
                return reason
    return None


def _varies(kind: Any, value: Any, *, endless: bool) -> bool:
    """Whether the node may match more or less of the same text: endlessly, or at all within an endless repeat."""
    if kind in _REPEATS:
        low, high, _ = value
        return bool(high >= MANY and high > low) or (endless and bool(high > low))
    return endless and kind is sre.BRANCH and any(not branch for branch in value[1])


def _meets(kind: Any, value: Any, rest: Iterable[tuple[Any, Any]], *, endless: bool) -> str | None:
    """Whether what varies can trade characters with what follows it."""
    mine, _ = _first(kind, value)
    for other, inner in rest:
        chars, empty = _first(other, inner)
        if endless and chars & mine:
            return "a repeat within a repeat can share the same text in very many ways"
        if _varies(other, inner, endless=False) and chars & mine and _fits(kind, value, chars):
            return "two repeats beside each other can share the same text in many ways"
        if not empty and not chars <= mine:
            return None
    return None


def _fits(kind: Any, value: Any, chars: frozenset[str]) -> bool:
    """Whether a whole round of a repeat could be made of these characters."""
    body = tuple(value[2]) if kind in _REPEATS else ()
    return all(empty or first & chars for first, empty in (_first(*each) for each in body))


def _below(kind: Any, value: Any, *, endless: bool) -> Iterator[tuple[Nodes, bool]]:
    """The sequences within a node, and whether they repeat without end."""
    if kind in _REPEATS:
        yield tuple(value[2]), endless or bool(value[1] >= MANY)
    elif kind is sre.BRANCH:
        yield from ((tuple(branch), endless) for branch in value[1])
    elif kind in (sre.ASSERT, sre.ASSERT_NOT):
        yield tuple(value[1]), False
    elif (body := _body(kind, value)) is not None:
        # What an atomic group has matched is never tried again in another way.
        yield body, endless and kind is not sre.ATOMIC_GROUP
