"""Texts that patterns match, or nearly: what the fast way and Presidio's are held against each other with.

Strings are drawn from the pattern itself, so that even patterns that hardly any text meets are
met; look-around is left out, so that many of them are near misses. Everything comes from a seed.
"""

import random
import re
import string
from collections.abc import Iterator, Sequence
from re import _constants as codes  # type: ignore[attr-defined] # the grammar of `re`, which has no public name
from re import _parser as grammar  # type: ignore[attr-defined]
from typing import Any, Final

_WORDS: Final = [
    "please",
    "find",
    "the",
    "number",
    "below",
    "and",
    "call",
    "me",
    "order",
    "invoice",
    "reference",
    "is",
    "was",
    "my",
    "our",
    "id",
    "ref",
    "total",
    "2024-05-26",
    "v1.2.3",
    "10:30",
    "#W2378156",
    "item",
    "42",
    "of",
    "Müller",
    "straße",
    "naïve",
    "東京",
    "jane@example.com",
    "https://example.com/a?b=c",
    "192.168.0.1",
    "&",
]
_JOINTS: Final = (" ", " ", " ", "", ", ", ": ", "\n", "-", ".", "(", ") ", "\u00a0", "é")
_CATEGORIES: Final = {
    codes.CATEGORY_DIGIT: string.digits,
    codes.CATEGORY_SPACE: " \t",
    codes.CATEGORY_WORD: string.ascii_letters + string.digits + "_é",
    codes.CATEGORY_NOT_WORD: " .-/:",
    codes.CATEGORY_NOT_DIGIT: "ab -",
    codes.CATEGORY_NOT_SPACE: "ab1-",
}
_MOST: Final = 4  # repetitions beyond the least


def texts(patterns: Sequence[str], contexts: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Texts in which some of the patterns occur.

    Args:
        patterns: regular expressions; those that `re` cannot read are left out.
        contexts: words that recognisers look for beside them.
        count: how many texts.
        seed: the same seed, the same texts.
    """
    rng = random.Random(seed)  # noqa: S311 - nothing is kept secret with it
    parsed = [form for pattern in patterns if (form := _parsed(pattern)) is not None]
    for number in range(count):
        parts = [_part(rng, parsed, contexts) for _ in range(rng.randrange(2, 9) * (12 if number % 25 == 0 else 1))]
        yield "".join(part + rng.choice(_JOINTS) for part in parts)


def _parsed(pattern: str) -> Any:
    try:
        return grammar.parse(pattern, re.IGNORECASE | re.DOTALL | re.MULTILINE)
    except re.error:
        return None


def _part(rng: random.Random, parsed: Sequence[Any], contexts: Sequence[str]) -> str:
    kind = rng.random()
    if kind < 0.4:  # noqa: PLR2004 - shares that make for lively texts
        return rng.choice(_WORDS)
    if kind < 0.5 and contexts:  # noqa: PLR2004 - as above
        return rng.choice(contexts)
    drawn = sample(rng, rng.choice(parsed))
    if rng.random() < 0.2 and drawn:  # noqa: PLR2004 - as above
        place = rng.randrange(len(drawn))
        drawn = drawn[:place] + rng.choice("0123456789 -.xX") + drawn[place + 1 :]
    return drawn


def sample(rng: random.Random, items: Any) -> str:
    """A string of the form that a parsed pattern describes."""
    return "".join(_drawn(rng, code, value) for code, value in items)


def _drawn(rng: random.Random, code: Any, value: Any) -> str:
    match code:
        case codes.LITERAL:
            return chr(value)
        case codes.ANY | codes.NOT_LITERAL:
            return rng.choice("ab1 -")
        case codes.IN:
            return _member(rng, value)
        case codes.BRANCH:
            return sample(rng, rng.choice(value[1]))
        case codes.SUBPATTERN:
            return sample(rng, value[3])
        case codes.ATOMIC_GROUP:
            return sample(rng, value)
        case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
            least, most, inner = value
            return "".join(sample(rng, inner) for _ in range(rng.randint(least, min(int(most), least + _MOST))))
        case _:
            return ""


def _member(rng: random.Random, items: Any) -> str:
    if items[0][0] is codes.NEGATE:
        return rng.choice("ab1 -")
    code, value = rng.choice(items)
    match code:
        case codes.LITERAL:
            return chr(value)
        case codes.RANGE:
            return chr(rng.randint(value[0], min(value[1], value[0] + 200)))
        case _:
            return rng.choice(_CATEGORIES.get(value, "a1"))
