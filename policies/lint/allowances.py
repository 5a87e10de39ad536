"""`# lint: allow <code>: <reason>`: flaws that the author knows of and wants.

The comment stands on the line of the flaw or directly above it. It needs a reason, and one that
accepts nothing is itself a flaw: else it would hide the next one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lawful.policies.lint.flaw import Flaw, Severity
from lawful.schemas.errors import Place

_MARK = re.compile(r"#\s*lint:\s*allow\s+(?P<code>[a-z0-9_]+)\s*(?::\s*(?P<reason>\S.*))?$")


@dataclass(frozen=True, slots=True)
class Allowance:
    """A flaw that is accepted, and why."""

    code: str
    place: Place
    lines: frozenset[int]
    reason: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """A flaw and the reason why it may stay."""

    flaw: Flaw
    reason: str


def sort_out(flaws: Sequence[Flaw], text: str, file: str) -> tuple[tuple[Flaw, ...], tuple[Allowed, ...]]:
    """The flaws that remain, with those of the allowances themselves, and the accepted ones."""
    allowances = tuple(_allowances(text, file))
    remaining: list[Flaw] = []
    accepted: list[Allowed] = []
    used: set[Allowance] = set()
    for flaw in flaws:
        allowance = next((each for each in allowances if _accepts(each, flaw)), None)
        if allowance is None:
            remaining.append(flaw)
        else:
            used.add(allowance)
            accepted.append(Allowed(flaw, allowance.reason))
    remaining += [own for each in allowances if (own := _own(each, idle=each not in used))]
    return tuple(remaining), tuple(accepted)


def _accepts(allowance: Allowance, flaw: Flaw) -> bool:
    right = allowance.code == flaw.code and flaw.place.line in allowance.lines
    return right and bool(allowance.reason) and flaw.severity is Severity.WARNING


def _own(allowance: Allowance, *, idle: bool) -> Flaw | None:
    if not allowance.reason:
        mend = f"write '# lint: allow {allowance.code}: because ...'"
        message = f"'{allowance.code}' is allowed without a reason"
        return Flaw("allowance_without_reason", allowance.place, message, mend=mend)
    if idle:
        message = f"'{allowance.code}' is allowed here, and nothing is wrong"
        return Flaw("allowance_idle", allowance.place, message, "it would hide a later flaw", "delete the comment")
    return None


def _allowances(text: str, file: str) -> Iterator[Allowance]:
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if match := _MARK.search(line):
            meant = number
            while meant <= len(lines) and lines[meant - 1].lstrip().startswith("#"):
                meant += 1
            reason = (match["reason"] or "").strip()
            yield Allowance(match["code"], Place(file, number, match.start() + 1), frozenset({meant}), reason)
