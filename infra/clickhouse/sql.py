"""Splits a migration into statements and refuses what could lose audit rows.

A small scanner, not a parser: it knows strings, quoted names and comments, which is what it takes
to find the semicolons that end statements and to see words that are really commands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<comment>--[^\n]*|\#!?[^\n]*|/\*.*?\*/)
  | (?P<quoted>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.|``)*`)
  | (?P<end>;)
  | (?P<open>['"`]|/\*)
  | (?P<text>[^'"`;\-/\#]+|[-/])
    """,
    re.VERBOSE | re.DOTALL,
)

_ALLOWED = (
    r"CREATE TABLE IF NOT EXISTS \S+",
    r"CREATE OR REPLACE VIEW \S+ AS SELECT ",
    r"ALTER TABLE \S+ ADD (COLUMN|INDEX|PROJECTION) IF NOT EXISTS ",
)
_FORBIDDEN = re.compile(
    r"\b(DROP|TRUNCATE|DELETE|UPDATE|DETACH|RENAME|EXCHANGE|MODIFY|CLEAR|REPLACE PARTITION|MOVE|TTL|SYSTEM|GRANT|"
    r"REVOKE|INTO OUTFILE|CREATE OR REPLACE TABLE|POPULATE|MATERIALIZED VIEW|SQL SECURITY|DEFINER)\b"
)
_TABLE_FUNCTION = re.compile(
    r"\b(FILE|URL|S3|REMOTE|REMOTESECURE|EXECUTABLE|MYSQL|POSTGRESQL|JDBC|ODBC|HDFS|INPUT) ?\("
)


class UnsafeSql(ValueError):
    """The text cannot be split, or holds a statement that a migration may not hold."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: as written, and the line it begins on."""

    text: str
    line: int


def split(text: str) -> list[Statement]:
    """The statements of a migration, without the comments around them.

    Raises:
        UnsafeSql: a quote or comment is not closed.
    """
    return [statement for statement in _statements(text) if bare(statement.text)]


def bare(statement: str) -> str:
    """A statement's commands: no comments, quoted parts as `?`, one space, upper case."""
    stand_ins = {"comment": " ", "quoted": "?"}
    kept = [stand_ins.get(match.lastgroup or "", match[0]) for match in _tokens(statement)]
    return " ".join("".join(kept).split()).upper()


def check(statement: Statement) -> None:
    """Lets through what only ever adds: tables, columns, indexes, projections, views.

    Raises:
        UnsafeSql: anything else; the audit is append-only, also for those who maintain it.
    """
    words = bare(statement.text)
    if not any(re.match(pattern, words) for pattern in _ALLOWED):
        raise UnsafeSql(f"line {statement.line}: a migration may not {' '.join(words.split()[:3])} ...")
    found = _FORBIDDEN.search(words.replace("CREATE OR REPLACE VIEW", "CREATE VIEW")) or _TABLE_FUNCTION.search(words)
    if found:
        raise UnsafeSql(f"line {statement.line}: a migration may not use {found[1]}")


def _statements(text: str) -> Iterator[Statement]:
    begin = position = 0
    for match in _tokens(text):
        position = match.end()
        if match.lastgroup == "end":
            yield _statement(text, begin, match.start())
            begin = position
    yield _statement(text, begin, len(text))


def _statement(text: str, begin: int, end: int) -> Statement:
    # Comments before a statement belong to the file, those inside stay where they are.
    for match in _tokens(text[begin:end]):
        if match.lastgroup != "comment" and match[0].strip():
            skipped = len(match[0]) - len(match[0].lstrip())
            begin += match.start() + skipped
            break
    return Statement(text[begin:end].strip(), text.count("\n", 0, begin) + 1)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "open":
            raise UnsafeSql(f"line {text.count(chr(10), 0, match.start()) + 1}: {match[0]} is not closed")
        yield match
