"""Recorded traffic that is taken to be benign: tau2's reference solutions, logs of messages between agents.

Whatever the monitor stops or changes there is a false alarm, told by kind: which rule, why, which
category, where.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lawful.extractors.port import Extractor
from lawful.infra.evaluation.arms.ours import Ours, patient
from lawful.infra.evaluation.trial import Act, TrialStep
from lawful.infra.ingest import Mint, Report, parse_file
from lawful.policies.load import load_pack, load_policy
from lawful.policies.model import Policy
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentEvent
from lawful.schemas.verdict import Decision, Verdict

Kind = tuple[str, str, str, str, str]
"""What is said, where, by which rule, for which reason, about which category."""


@dataclass(slots=True)
class Heard:
    """Counts of one file.

    Attributes:
        events, alarms: by kind of payload.
        warnings: verdicts that only warned.
        kinds: alarms by what they say; an alarm of two reasons counts for both.
        words: what a verdict of that kind says to people.
    """

    events: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    kinds: Counter[Kind] = field(default_factory=Counter)
    words: dict[Kind, str] = field(default_factory=dict)


def run_file(  # noqa: PLR0913, PLR0917 - a file and all it is put before
    path: Path, format_name: str, mint: Mint, judged_by: str, extractor: Extractor, progress: Callable[[int], None]
) -> tuple[Heard, Report]:
    """All events of a file before the packs that they name, the pack given, or the one policy in a file or folder.

    Raises:
        ConfigurationError: the file cannot be read, holds no event, or names a policy that is no pack.
    """
    heard, report = Heard(), Report()
    monitors: dict[str, Ours] = {}
    given = _given(judged_by)
    for number, event in enumerate(parse_file(path, format_name, mint, report)):
        # A policy that was given is what to judge by; without one, each event's own.
        name = given.id if given else event.policy_id or judged_by
        monitor = monitors.get(name)
        if monitor is None:
            monitor = monitors[name] = Ours(patient(given or load_pack(name)), extractor)
        step = TrialStep(replace(event, policy_id=name), mint.now() + number, Act((), ()))
        _count(event, monitor.verdict(step), heard)
        progress(1)
    if not heard.events:
        raise ConfigurationError(f"{path} holds no {format_name} event", hint="see docs/ingest.md for the formats")
    return heard, report


def _given(judged_by: str) -> Policy | None:
    """The policy in a file or folder, if that is what is named; a pack only stands in where an event names none."""
    return load_policy(judged_by) if Path(judged_by).exists() else None


def _count(event: AgentEvent, verdict: Verdict, heard: Heard) -> None:
    kind = event.kind.value
    heard.events[kind] += 1
    heard.warnings[kind] += verdict.decision is Decision.WARN
    if verdict.decision < Decision.REDACT:
        return
    heard.alarms[kind] += 1
    tool = getattr(event.payload, "tool", None)
    for each in dict.fromkeys(v for v in verdict.violations if v.decision >= Decision.REDACT):
        name: Kind = (kind, tool or "", each.rule, each.reason, each.category or "")
        heard.kinds[name] += 1
        heard.words[name] = each.message


def as_document(heard: Heard, report: Report, name: str) -> dict[str, Any]:
    """What was heard, for JSON."""
    return {
        "set": name,
        "by_payload": {
            kind: {
                "events": count,
                "alarms": heard.alarms[kind],
                "alarms_per_1000": round(1000 * heard.alarms[kind] / count, 2),
                "warnings": heard.warnings[kind],
            }
            for kind, count in sorted(heard.events.items())
        },
        "kinds": [
            {
                "payload": kind[0],
                "tool": kind[1] or None,
                "rule": kind[2],
                "reason": kind[3],
                "category": kind[4] or None,
                "count": count,
                "says": heard.words[kind],
            }
            for kind, count in heard.kinds.most_common()
        ],
        "problems": [str(problem) for problem in report.problems],
    }
