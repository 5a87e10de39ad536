"""From a checked document to the frozen policy that the judge reads, and its digest."""

import json
from collections.abc import Iterable
from hashlib import sha256

from lawful.policies.channels.build import channels_of
from lawful.policies.document import (
    ActionWord,
    LabelsDocument,
    PolicyDocument,
    PurposeDocument,
    ToolDocument,
    as_treatment,
)
from lawful.policies.durations import micros
from lawful.policies.labels.model import Declassification, Labels, WithoutPlace
from lawful.policies.model import (
    Controller,
    Extraction,
    IdentifierRule,
    KeyHint,
    Limits,
    NotPersonal,
    Policy,
    PurposeRule,
    Redaction,
    RegoRules,
    ToolRule,
    Treatment,
)
from lawful.policies.rules.build import read_rules
from lawful.schemas.event import PayloadKind
from lawful.schemas.verdict import Decision, Predicate

_DECISIONS = {
    ActionWord.WARN: Decision.WARN,
    ActionWord.REDACT: Decision.REDACT,
    ActionWord.BLOCK: Decision.BLOCK,
}


def compile_policy(document: PolicyDocument, rego: RegoRules | None = None) -> Policy:
    """The policy that a checked document describes, with its Rego rules as read."""
    actions = document.actions
    return Policy(
        id=document.id,
        version=document.version,
        digest=digest_of(document, rego),
        description=document.description,
        controller=Controller(document.controller.name, document.controller.contact),
        purposes={key: _purpose(key, purpose) for key, purpose in document.purposes.items()},
        tools={name: _tool(name, tool) for name, tool in document.tools.items()},
        message_purposes=_sorted(document.messages.purposes),
        actions={
            Predicate.CONSENT: _DECISIONS[actions.P1],
            Predicate.PURPOSE: _DECISIONS[actions.P2],
            Predicate.MINIMISATION: _DECISIONS[actions.P3],
            Predicate.ERASURE: _DECISIONS[actions.P4],
            Predicate.ERROR: _DECISIONS[ActionWord(document.on_extraction_failure)],
        },
        undeclared_tool=_DECISIONS[actions.undeclared_tool or actions.P2],
        redaction=_redaction(document),
        limits=Limits(
            document.limits.max_bytes,
            document.limits.max_depth,
            document.limits.extraction_ms,
            document.limits.extraction_steps,
        ),
        extraction=_extraction(document),
        rules=read_rules(document).rules,
        rego=rego,
        channels=channels_of(document),
        labels=_labels(document.labels),
    )


def digest_of(document: PolicyDocument, rego: RegoRules | None = None) -> str:
    """SHA-256 (hex) of what the document says, whatever its comments, order and layout."""
    said = document.model_dump(mode="json", by_alias=True, exclude={"draft"})
    for purpose in said["purposes"].values():
        purpose["necessary"] = sorted(set(purpose["necessary"]))
    for tool in said["tools"].values():
        tool["purposes"] = sorted(set(tool["purposes"]))
    if rego is not None:
        said["rego"]["modules"] = dict(rego.modules)
    for predicate in said["predicates"].values():
        if predicate["action"] is None:
            del predicate["action"]
    for part in (
        "predicates",
        "rules",
        "rego",
        "structured",
        "roles",
        "regions",
        "recipients",
        "labels",
        "combinations",
    ):
        # What is not there says nothing: a policy without rules keeps its digest.
        said = said if said[part] else {key: value for key, value in said.items() if key != part}
    if said["limits"]["extraction_steps"] == Limits().extraction_steps:
        del said["limits"]["extraction_steps"]
    said["messages"]["purposes"] = sorted(set(said["messages"]["purposes"]))
    canonical = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(b"lawful policy 1\n" + canonical.encode()).hexdigest()


_GIVERS = {
    "user": (PayloadKind.USER_MESSAGE,),
    "assistant": (PayloadKind.ASSISTANT_MESSAGE,),
    "agent": (PayloadKind.AGENT_MESSAGE,),
    "call": (PayloadKind.TOOL_CALL,),
    "result": (PayloadKind.TOOL_RESULT,),
    "memory": (PayloadKind.MEMORY_WRITE, PayloadKind.MEMORY_READ),
}


def _labels(document: LabelsDocument | None) -> Labels:
    if document is None:
        return Labels()
    givers = frozenset(kind for word in document.givers for kind in _GIVERS[word])
    rules = {
        each.name: Declassification(
            each.name, each.why, frozenset(each.agents), _sorted(each.purposes), _sorted(each.categories)
        )
        for each in document.declassify
    }
    return Labels(givers, micros(document.keep), WithoutPlace(document.without_place), rules)


def _purpose(key: str, document: PurposeDocument) -> PurposeRule:
    return PurposeRule(
        key=key,
        legal_basis=document.legal_basis,
        necessary=frozenset(document.necessary),
        article9=document.article9,
        article10=document.article10,
        retention=micros(document.retention) if document.retention else None,
        survives_erasure=document.survives_erasure,
        description=document.description,
    )


def _tool(name: str, document: ToolDocument) -> ToolRule:
    return ToolRule(name, _sorted(document.purposes), document.recipient, document.arguments, document.description)


def _extraction(document: PolicyDocument) -> Extraction:
    said = document.extraction
    return Extraction(
        tuple(IdentifierRule(i.scheme, i.category, i.pattern, tuple(i.keys), i.identifies) for i in said.identifiers),
        tuple(KeyHint(tuple(hint.keys), hint.category, hint.scheme) for hint in said.hints),
        tuple(NotPersonal(tuple(harmless.keys), harmless.pattern) for harmless in said.not_personal),
    )


def _redaction(document: PolicyDocument) -> Redaction:
    said = document.redaction
    return Redaction(Treatment(said.default), {name: as_treatment(each) for name, each in said.by_category.items()})


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
