"""Public traces of agents: false alarms where nearly nothing is personal, and misses where it is known what is.

tau2's tool calls name their arguments, so that what is personal is known by name; MAGPIE's messages
speak of the people of their scenario only; AgentLeak lists the values that were exposed and the
fields of its vaults.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lawful.extractors.fields import read
from lawful.infra.corpus.kinds import names_any
from lawful.infra.scoring.readers import SPEC, Found, Reader
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentMessage, MemoryWrite, Payload, ToolCall, ToolResult

# What each personal argument of tau2's tools is; every other one is about nobody.
_TAU2: Final[Mapping[str, str]] = {
    "user_id": "user.unique_id",
    "first_name": "user.name",
    "last_name": "user.name",
    "zip": "user.contact.address",
    "address1": "user.contact.address",
    "address2": "user.contact.address",
    "city": "user.contact.address",
    "state": "user.contact.address",
    "country": "user.contact.address",
    "email": "user.contact.email",
    "dob": "user.demographic.date_of_birth",
}
_VAULT: Final[Mapping[str, tuple[str, ...]]] = {
    "ssn": ("user.government_id",),
    "email": ("user.contact.email",),
    "phone": ("user.contact.phone_number",),
    "dob": ("user.demographic.date_of_birth",),
    "name": ("user.name",),
    "patient_name": ("user.name",),
    "provider": ("user.name",),
    "address": ("user.contact.address",),
    "diagnosis": ("user.health_and_medical",),
    "medications": ("user.health_and_medical",),
    "allergies": ("user.health_and_medical",),
    "chief_complaint": ("user.health_and_medical",),
    "insurance_id": ("user.health_and_medical",),
    "patient_id": ("user.health_and_medical", "user.unique_id"),
    "salary": ("user.financial",),
    "credit_score": ("user.financial",),
    "account_number": ("user.financial",),
    "balance": ("user.financial",),
    "criminal_history": ("user.criminal_history",),
}
_EMPTY: Final = frozenset({"", "none", "n/a"})


@dataclass(slots=True)
class SetScore:
    """What a reader did on one public set.

    Attributes:
        payloads: how many were read.
        due: personal values by name, and of them `found`.
        alarms: hits on what is not personal, by what they claim and where.
        tells_alarms: the set says of everything whether it is personal; otherwise false alarms cannot be told.
    """

    payloads: int = 0
    due: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    alarms: Counter[str] = field(default_factory=Counter)
    tells_alarms: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Counts, recall, and false alarms per 1,000 payloads, each kind listed."""
        due, alarms = self.due.total(), self.alarms.total()
        return {
            "payloads": self.payloads,
            "values": due,
            "found": self.found.total(),
            "recall": round(self.found.total() / due, 4) if due else None,
            "missed": dict((self.due - self.found).most_common()),
            "false_alarms": alarms if self.tells_alarms else None,
            "false_alarms_per_1000": round(1_000 * alarms / self.payloads, 2) if self.tells_alarms else None,
            "alarms": dict(self.alarms.most_common()),
        }


def tau2(folder: Path, reader: Reader) -> SetScore:
    """The tool calls that solve tau2's tasks, of every domain in a folder."""
    score = SetScore()
    for path in _files(folder, "*/tasks.json"):
        for task in _json(path):
            for action in (task["evaluation_criteria"] or {}).get("actions") or []:
                _count_call(
                    score, ToolCall(action["name"], action["action_id"], json.dumps(action["arguments"])), reader
                )
    return score


def magpie(folder: Path, reader: Reader) -> SetScore:
    """MAGPIE's messages between agents: names of the scenario's people are right, all else is an alarm."""
    score = SetScore()
    for path in _files(folder, "*.json"):
        log = _json(path)
        people = json.dumps(log["scenario_data"], ensure_ascii=False)
        for message in log["conversation_log"]:
            content = message["content"]
            payload = AgentMessage(content if isinstance(content, str) else json.dumps(content))
            score.payloads += 1
            for hit in reader(payload):
                if not names_any(hit.what, ("user.name",)) or not _names(hit, payload, people):
                    score.alarms[hit.what] += 1
    return score


def agentleak(folder: Path, reader: Reader) -> SetScore:
    """Every exposed value of AgentLeak's channels by its text, and the fields of its vaults by their name."""
    score = SetScore(tells_alarms=False)
    for path in _files(folder, "traces_internal_channels.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            trace = json.loads(line)
            for name in ("channel_c2", "channel_c5"):
                _count_exposed(score, trace[name], reader)
    for path in _files(folder, "scenarios_*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            for record in json.loads(line)["private_vault"]["records"]:
                _count_record(score, record["fields"], reader)
    return score


SETS: Final = {"tau2": tau2, "magpie": magpie, "agentleak": agentleak}


def _count_call(score: SetScore, payload: ToolCall, reader: Reader) -> None:
    hits = reader(payload)
    score.payloads += 1
    for path, key in _leaves(json.loads(payload.arguments), "/arguments", ""):
        here = {hit.what for hit in hits if hit.path == path}
        category = _TAU2.get(key)
        if category:
            score.due[key] += 1
            score.found[key] += any(names_any(what, (category,)) for what in here)
        else:
            score.alarms.update(f"{what} in {key}" for what in here)


def _count_exposed(score: SetScore, channel: Mapping[str, Any], reader: Reader) -> None:
    is_memory = "memory_value" in channel
    text = str(channel["memory_value"] if is_memory else channel["message"])
    payload: Payload = MemoryWrite(str(channel.get("memory_key", "")), text) if is_memory else AgentMessage(text)
    hits = [hit for hit in reader(payload) if hit.path == ("/content" if is_memory else "/text")]
    score.payloads += 1
    for exposed in channel["pii_exposed"]:
        start = text.find(exposed)
        score.due["pii_exposed"] += 1
        score.found["pii_exposed"] += any(hit.start <= start and start + len(exposed) <= hit.end for hit in hits)


def _count_record(score: SetScore, fields: Mapping[str, Any], reader: Reader) -> None:
    hits = reader(ToolResult("vault", "call-1", json.dumps(fields)))
    score.payloads += 1
    for path, key in _leaves(fields, "/content", ""):
        wanted = _VAULT.get(key)
        if wanted and str(_at(fields, path)).strip().lower() not in _EMPTY:
            score.due[key] += 1
            score.found[key] += any(hit.path == path and names_any(hit.what, wanted) for hit in hits)


def _names(hit: Found, payload: Payload, people: str) -> bool:
    """Whether a hit's text is in the scenario, which speaks of its own people only."""
    texts = {one.path: one.text for one in read(payload, SPEC.limits).fields if not one.is_key}
    said = texts.get(hit.path, "")[hit.start : hit.end].strip()
    return bool(said) and said in people


def _leaves(value: Any, path: str, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, f"{path}/{name}", name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}/{index}", key)
    elif value not in {None, ""}:
        yield path, key


def _at(value: Any, path: str) -> Any:
    for token in path.split("/")[2:]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def _files(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    if not found:
        raise ConfigurationError(f"{folder} holds no {pattern}", hint="give the folder that holds the set's files")
    return found


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
