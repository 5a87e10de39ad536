"""What an event inherits from those that caused it, and what it carries on.

What an agent was told it may pass on in other words, which no extractor recognises. So an event has
the categories that were found in it and those of its causes, in every judge's eyes: they are put into
the view before anybody decides. An inherited category has no place in the text, so where it would have
to be redacted the event is blocked, or its whole content withheld. It can only make a verdict stricter.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from lawful.policies.answering import At, Judgement
from lawful.policies.labels.model import Declassification, WithoutPlace
from lawful.policies.labels.remembering import carried_on, found, labels_before, united
from lawful.policies.model import Policy
from lawful.schemas.changing import changed
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import History, Label, LabelFact
from lawful.schemas.taxonomy import is_personal
from lawful.schemas.verdict import Action, Decision, Verdict, Violation
from lawful.schemas.view import Finding, Flow, Provenance, PurposeClaim, View

RULE: Final = "labels"
INHERITED: Final = "inherited"
LIFTED: Final = "declassified"
NOT_ALLOWED: Final = "declassification_not_allowed"
ARTICLE: Final = "GDPR Art. 5(2)"
_NOTHING: Final = Flow()
_FIELDS: Final = {
    PayloadKind.USER_MESSAGE: "/text",
    PayloadKind.ASSISTANT_MESSAGE: "/text",
    PayloadKind.AGENT_MESSAGE: "/text",
    PayloadKind.TOOL_CALL: "/arguments",
    PayloadKind.TOOL_RESULT: "/content",
    PayloadKind.MEMORY_WRITE: "/content",
    PayloadKind.MEMORY_READ: "/content",
}
"""Where an ordinary event's content stands, as a whole."""


@dataclass(frozen=True, slots=True)
class Inherited:
    """An event with what it inherits.

    Attributes:
        view: with inherited findings and purposes among its own.
        violations: what there is to say about a declassification.
        labels, purposes: what came in and was not lifted.
    """

    view: View
    violations: tuple[Violation, ...] = ()
    labels: tuple[Label, ...] = ()
    purposes: tuple[str, ...] = ()


def inherit(view: View, at: At, history: History, policy: Policy) -> Inherited:
    """The event with the labels of its causes.

    Args:
        view: as it was annotated.
        at: where it is judged: only what stands before that counts.
        history: of the subject whose view it is.
        policy: the event's.
    """
    flow = view.flow or _NOTHING
    if (not history.labels and flow.lifts is None) or view.slice is not None or view.kind not in _FIELDS:
        return Inherited(view)
    ids = [*flow.causes, *([] if view.causation_id is None else [view.causation_id])]
    memory = flow.memory if view.kind is PayloadKind.MEMORY_READ else None
    if not ids and memory is None:
        return Inherited(view)
    facts = list(found(labels_before(history, at.offset), ids, memory, at.recorded_at))
    if flow.lifts is None:
        return _with(view, facts, policy)
    kept, said = _lifted(view, flow, facts, policy)
    return changed(_with(view, kept, policy), violations=tuple(said))


def carry_on(done: Judgement, before: History, what: Inherited, at: At, policy: Policy) -> Judgement:
    """The judgement whose history knows what the event carries on. A blocked event carries nothing."""
    view, verdict = what.view, done.verdict
    gives = view.kind in policy.labels.givers or what.labels or what.purposes
    if not gives or verdict.decision is Decision.BLOCK or view.slice is not None or view.kind not in _FIELDS:
        return done
    fact = _fact(view, verdict, what, at, policy)
    if not fact.labels and not _overwrites(before, at, fact):
        return done
    return changed(done, history=carried_on(done.history, at.offset, at.recorded_at, fact))


def _with(view: View, facts: Iterable[LabelFact], policy: Policy) -> Inherited:
    facts = list(facts)
    labels = united(label for fact in facts for label in fact.labels)
    purposes = tuple(sorted({purpose for fact in facts for purpose in fact.purposes}))
    own = {each.category for each in view.findings}
    essential = policy.labels.without_place is WithoutPlace.BLOCK
    place = _FIELDS[view.kind]
    added = tuple(
        Finding(place, 0, 0, each.category, INHERITED, "1", 1.0, essential=essential, source=each.source)
        for each in labels
        if each.category not in own
    )
    claimed = {claim.purpose for claim in view.purposes}
    claims = tuple(PurposeClaim(each, Provenance.INHERITED) for each in purposes if each not in claimed)
    if added or claims:
        view = changed(view, findings=(*view.findings, *added), purposes=(*view.purposes, *claims))
    return Inherited(view, (), labels, purposes)


def _lifted(
    view: View, flow: Flow, facts: Iterable[LabelFact], policy: Policy
) -> tuple[list[LabelFact], list[Violation]]:
    """The facts without what may be lifted, and what is to be said about it."""
    rule = policy.labels.declassify.get(flow.lifted_by or "")
    own = frozenset(each.purpose for each in view.purposes if each.provenance in _RELIED)
    kept: list[LabelFact] = []
    said: list[Violation] = []
    for fact in facts:
        if fact.event_id != flow.lifts:
            kept.append(fact)
            continue
        gone = {each for each in fact.labels if rule and rule.covers(view.agent_id, own, each.category)}
        left = tuple(each for each in fact.labels if each not in gone)
        said += [_said(view, fact, each, rule if each in gone else None) for each in fact.labels]
        if left:
            kept.append(changed(fact, labels=left))
    return kept, said


_RELIED: Final = (Provenance.DECLARED, Provenance.TOOL)


def _said(view: View, fact: LabelFact, label: Label, rule: Declassification | None) -> Violation:
    """The trace that a declassification leaves in verdict and audit, allowed or not."""
    if rule is None:
        message = (
            f"no declassification of the policy lets this agent lift '{label.category}' for what this event is for"
        )
        reason, decision = NOT_ALLOWED, Decision.BLOCK
    else:
        message = f"the label '{label.category}' is lifted under '{rule.name}': {rule.why}"
        reason, decision = LIFTED, Decision.WARN
    evidence = tuple(dict.fromkeys((fact.event_id, label.source)))
    return Violation(RULE, reason, decision, message, view.subject, None, label.category, ARTICLE, evidence)


def _fact(view: View, verdict: Verdict, what: Inherited, at: At, policy: Policy) -> LabelFact:
    gives = view.kind in policy.labels.givers
    own = (Label(each, view.event_id) for each in _left(view, verdict)) if gives else ()
    inherited = set(_left(view, verdict))
    labels = united([*own, *(each for each in what.labels if each.category in inherited)])
    known = {each.category: each.source for each in what.labels}
    labels = tuple(Label(each.category, known.get(each.category, each.source)) for each in labels)
    relied = {each.purpose for each in view.purposes if each.provenance in _RELIED} if gives else set()
    memory = view.flow.memory if view.flow and view.kind is PayloadKind.MEMORY_WRITE else None
    until = None if memory else at.recorded_at + policy.labels.keep
    return LabelFact(view.event_id, labels, tuple(sorted({*what.purposes, *relied})) if labels else (), memory, until)


def _left(view: View, verdict: Verdict) -> Iterator[str]:
    """The personal categories of which something is left once the obligations are met."""
    gone = {(each.path, each.start, each.end) for each in verdict.obligations if each.action is not Action.GENERALISE}
    for category in dict.fromkeys(each.category for each in view.findings if is_personal(each.category)):
        if any((e.path, e.start, e.end) not in gone for e in view.findings if e.category == category):
            yield category


def _overwrites(history: History, at: At, fact: LabelFact) -> bool:
    """Whether nothing personal takes the place of something that went into memory under the same name."""
    return fact.memory is not None and any(
        each.fact.memory == fact.memory for each in labels_before(history, at.offset)
    )
