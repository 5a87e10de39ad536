"""Identifier patterns that shadow each other or run away, and key hints that contradict each other."""

import re
from collections.abc import Iterator
from itertools import combinations, permutations

from lawful.policies.lint.expressions import runs_away, samples
from lawful.policies.lint.flaw import Desk, Flaw
from lawful.policies.model import IdentifierRule
from lawful.schemas.yamltree import Path

_TEXTS = 3  # fewer samples prove too little


def check_extraction(desk: Desk) -> Iterator[Flaw]:
    """The flaws of `extraction`."""
    yield from _runaways(desk)
    yield from _shadowed(desk)
    yield from _contradictions(desk)
    yield from _harmless(desk)


def _runaways(desk: Desk) -> Iterator[Flaw]:
    extraction = desk.policy.extraction
    patterns: list[tuple[Path, str]] = [
        *((("identifiers", index, "pattern"), each.pattern) for index, each in enumerate(extraction.identifiers)),
        *((("not_personal", index, "pattern"), each.pattern) for index, each in enumerate(extraction.not_personal)),
    ]
    for path, pattern in patterns:
        if reason := runs_away(pattern):
            yield desk.flaw(
                "pattern_runs_away",
                ("extraction", *path),
                f"this regular expression can take very long: {reason}",
                "a text made for it uses up the time for extraction, and the event is withheld",
                "let neighbouring repeats match different characters, or give them bounds such as {1,20}",
            )


def _shadowed(desk: Desk) -> Iterator[Flaw]:
    identifiers = desk.policy.extraction.identifiers
    seen: set[frozenset[int]] = set()
    for one, other in permutations(range(len(identifiers)), 2):
        pair = frozenset((one, other))
        if pair not in seen and _differ(identifiers[one], identifiers[other]):
            texts = samples(identifiers[one].pattern)
            if len(texts) >= _TEXTS and all(re.fullmatch(identifiers[other].pattern, text) for text in texts):
                seen.add(pair)
                yield desk.flaw(
                    "pattern_shadowed",
                    ("extraction", "identifiers", one, "pattern"),
                    f"what '{identifiers[one].scheme}' matches, '{identifiers[other].scheme}' matches too",
                    "the same text then counts as two kinds of identifier, and points to two different subjects",
                    f"make one of them narrower, or give both the scheme '{identifiers[other].scheme}'",
                )


def _differ(one: IdentifierRule, other: IdentifierRule) -> bool:
    return (one.scheme, one.category) != (other.scheme, other.category)


def _contradictions(desk: Desk) -> Iterator[Flaw]:
    """Only the first of several hints for one name is ever asked."""
    said = list(_hints(desk))
    told: set[Path] = set()
    for (name, first, _), (again, second, path) in combinations(said, 2):
        if name != again or path in told:
            continue
        told.add(path)
        yield desk.flaw(
            "hint_contradicts" if first != second else "hint_repeats",
            path,
            f"'{name}' is said to be {_what(second)} here and {_what(first)} elsewhere"
            if first != second
            else f"'{name}' is listed twice",
            "the hint that extraction meets first wins, and the other never applies",
            "keep the one that is meant",
        )


def _hints(desk: Desk) -> Iterator[tuple[str, tuple[str, str | None], Path]]:
    """Every name with what it is said to be and where, in the order in which extraction asks."""
    extraction = desk.policy.extraction
    for index, hint in enumerate(extraction.hints):
        for place, key in enumerate(hint.keys):
            yield desk.names.spell(key), (hint.category, hint.scheme), ("extraction", "hints", index, "keys", place)
    for index, rule in enumerate(extraction.identifiers):
        said = (rule.category, rule.scheme if rule.identifies else None)
        for place, key in enumerate(rule.keys):
            yield desk.names.spell(key), said, ("extraction", "identifiers", index, "keys", place)


def _what(said: tuple[str, str | None]) -> str:
    category, scheme = said
    return f"'{category}'" + (f" (scheme '{scheme}')" if scheme else "")


def _harmless(desk: Desk) -> Iterator[Flaw]:
    """Values that are said to be an identifier and to be nobody's."""
    for index, rule in enumerate(desk.policy.extraction.not_personal):
        names = {desk.names.spell(key) for key in rule.keys}
        for identifier in desk.policy.extraction.identifiers:
            shared = names & {desk.names.spell(key) for key in identifier.keys}
            if shared and any(re.fullmatch(rule.pattern, text) for text in samples(identifier.pattern)):
                yield desk.flaw(
                    "harmless_identifier",
                    ("extraction", "not_personal", index),
                    f"under '{min(shared)}', values of '{identifier.scheme}' are said not to be personal data",
                    "they are then not found at all",
                    "make the pattern narrower, or leave the name out",
                )
