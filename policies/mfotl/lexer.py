"""Formula text into tokens, each with its place. Words and numbers are MonPoly's."""

import re
from dataclasses import dataclass

from lawful.policies.mfotl.errors import FormulaError

KEYWORDS = frozenset(
    {
        "FALSE",
        "TRUE",
        "LET",
        "LETPAST",
        "IN",
        "NOT",
        "AND",
        "OR",
        "IMPLIES",
        "EQUIV",
        "EXISTS",
        "FORALL",
        "PREV",
        "PREVIOUS",
        "NEXT",
        "EVENTUALLY",
        "SOMETIMES",
        "ONCE",
        "ALWAYS",
        "PAST_ALWAYS",
        "HISTORICALLY",
        "SINCE",
        "UNTIL",
        "CNT",
        "MIN",
        "MAX",
        "SUM",
        "AVG",
        "MED",
        "MOD",
        "SUBSTRING",
        "MATCHES",
        "f2i",
        "i2f",
        "FORWARD",
        "MATCHF",
        "BACKWARD",
        "MATCHP",
    }
)
_SYNONYMS = {"PREVIOUS": "PREV", "PAST_ALWAYS": "HISTORICALLY", "SOMETIMES": "EVENTUALLY"}

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|\#[^\n]*|\(\*.*?\*\))
  | (?P<string>"[^"]*"|'[^']*')
  | (?P<float>-?\d+\.\d*(?![\w]))
  | (?P<unit>\d+[A-Za-z](?![\w\-/:'"]))
  | (?P<int>-?\d+(?![\w\-/:'"]))
  | (?P<word>[A-Za-z0-9_][\w\-/:'"]*)
  | (?P<symbol><-|<=|>=|[()\[\],;.*+\-/<>=?|])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind (`word`, `int`, `end`, ...; keywords and symbols are their own kind)."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> list[Token]:
    """Split a formula into tokens, the last one of kind `end`.

    Raises:
        FormulaError: at the first character that starts no token.
    """
    found = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(f"unexpected character {text[at]!r}", text=text, at=at, hint=_hint(text, at))
        if match.lastgroup != "space":
            found.append(_token(match))
        at = match.end()
    found.append(Token("end", "end of formula", len(text)))
    return found


def _token(match: re.Match[str]) -> Token:
    kind, word = str(match.lastgroup), match.group()
    if kind == "word" and word in KEYWORDS:
        word = _SYNONYMS.get(word, word)
        kind = word
    elif kind == "symbol" or word == "_":
        kind = word
    return Token(kind, word, match.start())


def _hint(text: str, at: int) -> str:
    if text[at] in "\"'":
        return "a text constant is not closed"
    if text[at] in "&|!" or not text[at].isascii():
        return "write AND, OR, NOT, IMPLIES in words"
    return ""
