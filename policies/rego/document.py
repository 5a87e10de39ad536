"""What the Rego judge is given: {view, at, history, policy} as plain JSON values.

Every field that a rule reads is always there, `null` where there is nothing: in Rego a missing
field silently makes a rule not apply, so none may be missing (invalid input is an error here).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any, Final

from lawful.policies.answering import At
from lawful.policies.history import as_of
from lawful.policies.model import Policy
from lawful.schemas.history import (
    ConsentFact,
    Entry,
    Fact,
    History,
    LinkFact,
    MergeFact,
    RequestFact,
    SeenFact,
    WithdrawalFact,
)
from lawful.schemas.taxonomy import categories
from lawful.schemas.view import View

_TYPES: Mapping[type[Fact], str] = {
    ConsentFact: "consent",
    WithdrawalFact: "withdrawal",
    RequestFact: "request",
    SeenFact: "seen",
    LinkFact: "link",
    MergeFact: "merge",
}

MOST_POLICIES: Final = 64
MOST_FACTS: Final = 16_384


def document(view: View, at: At, history: History, policy: Policy) -> dict[str, Any]:
    """The input document for one decision. Facts from `at` on are left out."""
    return {
        "view": _view(view),
        "at": {"offset": at.offset, "recorded_at": at.recorded_at},
        "history": _history(as_of(history, at.offset)),
        "policy": policy_document(policy),
    }


def document_text(view: View, at: At, history: History, policy: Policy) -> str:
    """The input document as JSON. What comes again (facts, policies) is written out once."""
    facts = ",".join(
        f'{{"offset":{entry.offset},"recorded_at":{entry.recorded_at},"fact":{_fact_text(entry.fact)}}}'
        for entry in as_of(history, at.offset)
    )
    place = f'{{"offset":{at.offset},"recorded_at":{at.recorded_at}}}'
    return f'{{"view":{json.dumps(_view(view))},"at":{place},"history":[{facts}],"policy":{_POLICIES.of(policy)}}}'


class _PolicyTexts:
    """Policies' documents as JSON, by the policy itself: two policies may carry the same digest in a test."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Policy, str]] = {}

    def of(self, policy: Policy) -> str:
        found = self._known.get(id(policy))
        if found is None or found[0] is not policy:
            if len(self._known) >= MOST_POLICIES:
                self._known.clear()
            found = self._known[id(policy)] = (policy, json.dumps(policy_document(policy)))
        return found[1]


_POLICIES: Final = _PolicyTexts()


def _view(view: View) -> dict[str, Any]:
    return {
        "subject": view.subject,
        "role": view.role.value,
        "kind": view.kind.value,
        "tool": view.tool,
        "status": view.status.value,
        "purposes": [{"purpose": claim.purpose, "provenance": claim.provenance.value} for claim in view.purposes],
        "findings": [{"category": each.category, "essential": each.essential} for each in view.findings],
        "fact": None if view.fact is None else _fact(view.fact),
    }


def _history(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [{"offset": entry.offset, "recorded_at": entry.recorded_at, "fact": _fact(entry.fact)} for entry in entries]


def _fact(fact: Fact) -> dict[str, Any]:
    if isinstance(fact, MergeFact):  # its entries stand in the history by themselves
        return {"type": "merge", "event_id": fact.event_id, "alias": fact.alias}
    return {"type": _TYPES[type(fact)], **asdict(fact)}


@lru_cache(maxsize=MOST_FACTS)
def _fact_text(fact: Fact) -> str:
    return json.dumps(_fact(fact))


def policy_document(policy: Policy) -> dict[str, Any]:
    """What the rules need of a policy."""
    return {
        "id": policy.id,
        "version": policy.version,
        "purposes": {
            key: {
                "legal_basis": rule.legal_basis.value,
                "article9": rule.article9.value if rule.article9 else None,
                "article10": rule.article10.value if rule.article10 else None,
                "necessary": sorted(rule.necessary),
                "survives_erasure": rule.survives_erasure,
            }
            for key, rule in policy.purposes.items()
        },
        "tools": sorted(policy.tools),
        "actions": {predicate.value: decision.word for predicate, decision in policy.actions.items()},
        "undeclared_tool": policy.undeclared_tool.word,
    }


@cache
def taxonomy_document() -> dict[str, Any]:
    """The base document `data.taxonomy`: which categories are special, and why."""
    special = {key: each.special.value for key, each in categories().items() if each.special}
    return {"taxonomy": {"special": special}}
