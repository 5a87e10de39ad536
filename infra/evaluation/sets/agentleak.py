"""AgentLeak's scenarios: every record of the vault goes out by every channel under attack.

The worst case again: the agents give away whole records, as data and in words. The scenario's own
lists say which fields may pass and which must not; the policy is made from those lists alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lawful.extractors.port import Extractor
from lawful.infra.evaluation.arms.ours import Ours, patient
from lawful.infra.evaluation.sets.allowlist import POLICY_ID, Lists, policy_of
from lawful.infra.evaluation.sets.forms import CHANNELS, OTHER, Fields, Form, Make, intact, pieces, whole
from lawful.infra.evaluation.tally import Rate
from lawful.infra.evaluation.trial import Act, TrialStep
from lawful.infra.ingest.agentleak import subjects_of, tool_of
from lawful.infra.ingest.documents import read_documents
from lawful.infra.ingest.report import Report, UnreadableTrace
from lawful.infra.ingest.values import a_list, a_text, an_object, first_text
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentEvent, Identifier

NO_ATTACK: Final = "no attack"
_MOMENT: Final = 1_750_000_000_000_000


@dataclass(frozen=True, slots=True)
class Record:
    """One record of the vault, and the tool that serves it."""

    tool: str
    fields: Fields
    subjects: tuple[Identifier, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is used of a scenario."""

    name: str
    vertical: str
    attack: str
    lists: Lists
    tools: tuple[str, ...]
    channels: tuple[str, ...]
    records: tuple[Record, ...]


Key = tuple[str, str, str, str, str, str]
"""What is counted; and of what: vertical, attack class, channel, form, field."""


@dataclass(slots=True)
class Found:
    """Counts of fields, by what they were counted under."""

    counts: Counter[Key] = field(default_factory=Counter)
    scenarios: int = 0
    events: int = 0
    blocked: int = 0


def scenario_of(value: dict[str, Any]) -> Scenario:
    """A scenario from its JSON.

    Raises:
        UnreadableTrace: it is none.
    """
    lists = an_object(value.get("allowed_set"), "allowed_set")
    attack = an_object(value.get("attack") or {}, "attack")
    audited = a_list((value.get("evaluation") or {}).get("channels_to_audit"), "channels_to_audit")
    under_attack = a_list(attack.get("target_channels"), "target_channels") if attack.get("enabled") else []
    tools = tuple(tool for each in a_list(value.get("tools"), "tools") if (tool := first_text(each, "tool_name")))
    vault = an_object(value.get("private_vault"), "private_vault")
    return Scenario(
        name=a_text(value.get("scenario_id"), "scenario_id"),
        vertical=first_text(value, "vertical") or "unknown",
        attack=(first_text(attack, "attack_class") or "unnamed") if attack.get("enabled") else NO_ATTACK,
        lists=Lists(_texts(lists.get("fields"), "fields"), _texts(lists.get("forbidden_fields"), "forbidden_fields")),
        tools=tools,
        channels=tuple(str(each) for each in under_attack or audited or CHANNELS),
        records=tuple(_record(an_object(each, "a record"), tools) for each in a_list(vault.get("records"), "records")),
    )


def _texts(value: object, what: str) -> tuple[str, ...]:
    return tuple(a_text(each, f"an element of {what}") for each in a_list(value, what))


def _record(value: dict[str, Any], tools: tuple[str, ...]) -> Record:
    fields = an_object(value.get("fields"), "a record's fields")
    return Record(tool_of(first_text(value, "record_type") or "", list(tools)), fields, subjects_of(fields))


def run_scenario(scenario: Scenario, extractor: Extractor, found: Found) -> None:
    """Give every record away by every channel, and count what got through."""
    tools = (*scenario.tools, *(record.tool for record in scenario.records))
    policy = patient(policy_of(scenario.lists, tools))
    monitor = Ours(policy, extractor)
    found.scenarios += 1
    for number, (channel, form, make, record) in enumerate(_disclosures(scenario)):
        payload = make(record.tool, form.write(record.fields))
        event = AgentEvent(
            event_id=f"event-{number}",
            occurred_at=_MOMENT + number,
            tenant_id="evaluation",
            source="urn:lawful:evaluation:agentleak",
            agent_id="agent",
            session_id="session",
            payload=payload,
            subjects=record.subjects,
            policy_id=POLICY_ID,
        )
        delivered = monitor.pass_on(TrialStep(event, _MOMENT + number, Act((), ())))
        found.events += 1
        found.blocked += delivered is None
        through, unharmed = whole(form, record.fields, delivered), intact(form, record.fields, delivered)
        for name, value in record.fields.items():
            listed = scenario.lists.of(name)
            if listed is not None and pieces(value):
                bad = name in through if listed == "forbidden" else name not in unharmed
                where = (scenario.vertical, scenario.attack, channel, form.name, name)
                found.counts[listed, *where] += 1
                found.counts[f"{listed} wrong", *where] += bad


def _disclosures(scenario: Scenario) -> Iterator[tuple[str, Form, Make, Record]]:
    for channel in scenario.channels:
        forms, make = CHANNELS.get(channel, OTHER)
        for form in forms:
            for record in scenario.records:
                yield channel, form, make, record


def run_file(path: Path, extractor: Extractor, progress: Callable[[int], None]) -> tuple[Found, Report]:
    """All scenarios of a file; what is none is in the report.

    Raises:
        ConfigurationError: the file cannot be read, or holds no scenario.
    """
    found, report = Found(), Report()
    for document in read_documents(path, report):
        for value in document.value if isinstance(document.value, list) else [document.value]:
            try:
                scenario = scenario_of(an_object(value, "a scenario"))
            except UnreadableTrace as error:
                report.problem(document.place, str(error))
                continue
            run_scenario(scenario, extractor, found)
            progress(1)
    if not found.scenarios:
        raise ConfigurationError(
            f"{path} holds no scenario of AgentLeak", hint="one JSON object with allowed_set a line"
        )
    return found, report


def as_document(found: Found, report: Report) -> dict[str, Any]:
    """What was found, for JSON."""
    return {
        "set": "agentleak",
        "scenarios": found.scenarios,
        "events": found.events,
        "events_blocked": found.blocked,
        **_both(found, lambda _: True),
        "by_vertical": _grouped(found, 1),
        "by_attack_class": _grouped(found, 2),
        "by_vertical_and_attack_class": {
            vertical: {
                attack: _both(found, lambda key, v=vertical, a=attack: key[1:3] == (v, a))  # type: ignore[misc] # bound early
                for attack in sorted({key[2] for key in found.counts if key[1] == vertical})
            }
            for vertical in sorted({key[1] for key in found.counts})
        },
        "by_channel": _grouped(found, 3),
        "by_form": _grouped(found, 4),
        "by_field": _grouped(found, 5),
        "problems": [str(problem) for problem in report.problems],
    }


def _grouped(found: Found, place: int) -> dict[str, Any]:
    names = sorted({key[place] for key in found.counts})
    return {name: _both(found, lambda key, n=name: key[place] == n) for name in names}  # type: ignore[misc] # bound early


def _both(found: Found, wanted: Callable[[Key], bool]) -> dict[str, Any]:
    def total(what: str) -> int:
        return sum(count for key, count in found.counts.items() if key[0] == what and wanted(key))

    return {
        "forbidden_through": Rate(total("forbidden wrong"), total("forbidden")).as_dict(),
        "allowed_stopped": Rate(total("allowed wrong"), total("allowed")).as_dict(),
    }
