"""Recall and precision of hits against labels. Pure.

A value counts as found when a hit of the right kind covers at least half of it (of a term such as
`a registered Democrat`: when either covers half of the other). A hit counts as right when values of
its kind cover at least half of it. A whole-container finding of a personal key is left out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lawful.infra.corpus.kinds import KINDS
from lawful.infra.corpus.template import Label, Sample
from lawful.infra.scoring.readers import Found

ALL: Final = "all"
_HALF: Final = 0.5


@dataclass(slots=True)
class Tally:
    """How many values there are and were found, and how many hits there are and were right."""

    values: int = 0
    found: int = 0
    hits: int = 0
    right: int = 0

    @property
    def recall(self) -> float | None:
        """Of the values, the share that was found."""
        return round(self.found / self.values, 4) if self.values else None

    @property
    def precision(self) -> float | None:
        """Of the hits, the share that was right."""
        return round(self.right / self.hits, 4) if self.hits else None

    def as_dict(self) -> dict[str, Any]:
        """The counts and both shares."""
        counts = {"values": self.values, "found": self.found, "hits": self.hits, "right": self.right}
        return {**counts, "recall": self.recall, "precision": self.precision}


@dataclass(slots=True)
class Score:
    """One reader over many samples, in all ways that are reported.

    Attributes:
        by: tallies by view (`type`, `language`, `form`, `evasion`, `type and language`) and name. A hit that is
            wrong has no type; it counts against the first type that its claim could have meant.
        alarms: hits in samples that hold no personal value, by what they claim.
        flagged: samples without a personal value in which something was found.
        clean: samples without a personal value.
    """

    overall: Tally = field(default_factory=Tally)
    by: dict[str, dict[str, Tally]] = field(default_factory=dict)
    alarms: Counter[str] = field(default_factory=Counter)
    flagged: int = 0
    clean: int = 0

    def add(self, sample: Sample, hits: Sequence[Found]) -> None:
        """Count one sample."""
        if not sample.labels:
            self.clean += 1
            self.flagged += bool(hits)
            self.alarms.update(hit.what for hit in hits)
        views = [("language", sample.language), ("form", sample.form), ("evasion", sample.evasion or "none")]
        for label in sample.labels:
            is_found = any(finds(hit, label) for hit in hits)
            for tally in self._tallies(
                [*views, ("type", label.kind), ("type and language", f"{label.kind} {sample.language}")]
            ):
                tally.values += 1
                tally.found += is_found
        for hit in hits:
            is_right = right(hit, sample.labels)
            names = {("type", kind) for kind in _claimed(hit, sample.labels)}
            names |= {("type and language", f"{kind} {sample.language}") for _, kind in names}
            for tally in self._tallies([*views, *sorted(names)]):
                tally.hits += 1
                tally.right += is_right

    def _tallies(self, names: Iterable[tuple[str, str]]) -> list[Tally]:
        return [self.overall, *(self.by.setdefault(view, {}).setdefault(name, Tally()) for view, name in names)]

    def as_dict(self) -> dict[str, Any]:
        """Everything, as plain data."""
        views = {
            view: {name: tally.as_dict() for name, tally in sorted(tallies.items())}
            for view, tallies in sorted(self.by.items())
        }
        clean = {"samples": self.clean, "flagged": self.flagged, "alarms": dict(self.alarms.most_common())}
        return {ALL: self.overall.as_dict(), "by": views, "without_personal_data": clean}


def finds(hit: Found, label: Label) -> bool:
    """Whether a hit finds a value: its kind, and at least half of it."""
    kind = KINDS[label.kind]
    if hit.path != label.path or not kind.is_named_by(hit.what):
        return False
    whole = label.end - label.start
    if kind.is_phrase:
        whole = min(whole, hit.end - hit.start)
    return _overlap(hit, label) >= _HALF * max(whole, 1)


def right(hit: Found, labels: Iterable[Label]) -> bool:
    """Whether at least half of a hit is covered by values of the kind that it claims, or it finds one."""
    fitting = [one for one in labels if one.path == hit.path and KINDS[one.kind].is_named_by(hit.what)]
    covered = sum(_overlap(hit, label) for label in fitting)
    return covered > 0 and (covered >= _HALF * (hit.end - hit.start) or any(finds(hit, one) for one in fitting))


def _claimed(hit: Found, labels: Iterable[Label]) -> set[str]:
    """The kinds that a hit is counted for: the ones it fits here, else every one that it could have meant."""
    fitting = {one.kind for one in labels if finds(hit, one)}
    return fitting or {min((name for name, kind in KINDS.items() if kind.is_named_by(hit.what)), default="other")}


def _overlap(hit: Found, label: Label) -> int:
    return max(0, min(hit.end, label.end) - max(hit.start, label.start))


def better(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Whether recall and precision are both above the other's; where there is nothing to find, precision is all."""
    return all(
        (mine[key] or 0) > (theirs[key] or 0) or mine[key] == theirs[key] == 1 for key in ("recall", "precision")
    )
