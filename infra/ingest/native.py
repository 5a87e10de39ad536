"""Our own JSON Lines: every field of an agent event under its own name.

`payload` names its kind: `{"kind": "ToolCall", "tool": ..., "call_id": ..., "arguments": {...}}`,
or as Avro's JSON does, `{"ToolCall": {...}}`. A request's own kind is `request` beside that:
`{"kind": "DataSubjectRequest", "request": "erasure", "request_id": "r-1"}`. Times are ISO 8601 texts or
microseconds; what is missing of `event_id`, `occurred_at`, `tenant_id`, `source`, `agent_id`,
`session_id` is filled in.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from lawful.infra.ingest.documents import Document
from lawful.infra.ingest.mint import SOURCE, Mint, micros
from lawful.infra.ingest.report import Report, UnreadableTrace
from lawful.infra.ingest.values import an_object, as_json, kind_of
from lawful.schemas import event as vocabulary
from lawful.schemas.event import AgentEvent, Identifier, PayloadKind, Recipient

NAME = "lawful"
T = TypeVar("T")
_LONG = 2**63
_JSON_TEXTS = ("arguments", "content", "text")
_KINDS: Mapping[str, type] = {kind.value: getattr(vocabulary, kind.value) for kind in PayloadKind}


def looks_like(value: object) -> bool:
    """Whether a document is an agent event in our own words."""
    if not isinstance(value, dict) or not isinstance(value.get("payload"), dict):
        return False
    payload = value["payload"]
    return payload.get("kind") in _KINDS or any(name in _KINDS for name in payload)


def parse(documents: Iterable[Document], mint: Mint, report: Report) -> Iterator[AgentEvent]:
    """Events as they are written, one object each."""
    for document in documents:
        for value in document.value if isinstance(document.value, list) else [document.value]:
            try:
                yield _event(an_object(value, "an event"), mint, report)
            except UnreadableTrace as error:
                report.problem(document.place, str(error))


def _event(value: dict[str, Any], mint: Mint, report: Report) -> AgentEvent:
    record: dict[str, Any] = {
        "event_id": mint.new_id(),
        "occurred_at": mint.now(),
        "tenant_id": mint.tenant_id,
        "source": f"{SOURCE}:{NAME}",
        "agent_id": "agent",
        "session_id": "session",
        **{name: member for name, member in value.items() if member is not None},
    }
    record["payload"] = _payload(an_object(record.get("payload"), "payload"), report)
    record["occurred_at"] = _moment(record["occurred_at"], "occurred_at")
    if isinstance(record.get("attributes"), dict):
        record["attributes"] = list(record["attributes"].items())
    if not record.get("subjects") and mint.subject:
        record["subjects"] = [{"scheme": mint.subject.scheme, "value": mint.subject.value}]
    record["purposes"] = record.get("purposes") or mint.purposes
    record["policy_id"] = mint.policy_id or record.get("policy_id")
    _count_below(record, report)
    return _build(AgentEvent, record, "", report)


def _payload(payload: dict[str, Any], report: Report) -> object:
    kind = payload.get("kind")
    if kind is None and len(payload) == 1:
        kind, payload = next(iter(payload.items()))
        record = dict(an_object(payload, f"payload.{kind}"))
    else:
        record = {("kind" if name == "request" else name): value for name, value in payload.items() if name != "kind"}
    if not isinstance(kind, str) or kind not in _KINDS:
        raise UnreadableTrace(f"payload.kind should be one of {', '.join(_KINDS)}, not {kind_of(kind)} of another kind")
    record = {name: member for name, member in record.items() if member is not None}
    for name in _JSON_TEXTS:
        if name in record:
            record[name] = as_json(record[name])
    if "expires_at" in record:
        record["expires_at"] = _moment(record["expires_at"], "payload.expires_at")
    for identifier in record.get("identifiers") or ():
        _count(Identifier, identifier, "payload.identifiers[]", report)
    return _build(_KINDS[kind], record, "payload", report)


def _moment(value: object, what: str) -> int:
    """Our own numbers are microseconds already; texts are ISO 8601."""
    moment = value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LONG else None
    if moment is None and isinstance(value, str):
        moment = micros(value)
    if moment is None:
        raise UnreadableTrace(f"{what} should be an ISO 8601 time or microseconds, not {kind_of(value)}")
    return moment


def _count_below(record: dict[str, Any], report: Report) -> None:
    subjects = record.get("subjects")
    for subject in subjects if isinstance(subjects, list) else ():
        _count(Identifier, subject, "subjects[]", report)
    _count(Recipient, record.get("recipient"), "recipient", report)


def _count(kind: type, value: object, path: str, report: Report) -> None:
    """Count members that the class does not have."""
    if not isinstance(value, dict) or not is_dataclass(kind):
        return
    known = {each.name for each in fields(kind)}
    for name in value:
        if name not in known:
            report.unknown[f"{path}.{name}".lstrip(".")] += 1


def _build(kind: type[T], record: dict[str, Any], path: str, report: Report) -> T:
    _count(kind, record, path, report)
    try:
        return TypeAdapter(kind).validate_python(record)
    except ValidationError as error:
        # Only the first error, only its place and rule: the input may be personal data.
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        where = ".".join(str(part) for part in (*([path] if path else []), *first["loc"]))
        raise UnreadableTrace(f"{where}: {first['msg']}") from None
