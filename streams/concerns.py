"""Whom an event concerns, and how: one concern becomes one view.

Nobody is looked up here: every identifier stands under its own pseudonym, and the judge stage,
which knows the links, sends a view on to where its subject's history is.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from lawful.schemas.envelope import PURPOSE_KEY
from lawful.schemas.event import (
    AgentEvent,
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
)
from lawful.schemas.history import ConsentFact, Fact, LinkFact, RequestFact, WithdrawalFact
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.view import Finding, SubjectRole
from lawful.streams.scrubbing import Scrubber

SubjectPayload = ConsentGiven | ConsentWithdrawn | DataSubjectRequest | IdentityLinked
"""Payloads about a person's standing: they hold no free text, and change a history."""


@dataclass(frozen=True, slots=True)
class Concern:
    """One person (or nobody) in an event."""

    key: str
    subject: str | None
    role: SubjectRole
    findings: tuple[Finding, ...] = ()
    fact: Fact | None = None
    parted: bool = False


def concerns(
    event: AgentEvent,
    names: tuple[str, ...],
    findings: tuple[Finding, ...],
    scrub: Scrubber,
    addressed: tuple[Identifier, ...] = (),
) -> tuple[Concern, ...]:
    """Everyone the event concerns: the principal first, then declared, then mentioned people.

    Whom the envelope addresses is mentioned too, with no findings unless the content names them as well.

    Args:
        event: what happened.
        names: whom it names as its subjects (`named`).
        findings: what its content holds.
        scrub: cleans its strings.
        addressed: whom its envelope addresses.
    """
    tenant, pseudonymiser = event.tenant_id, scrub.pseudonymiser
    payload = event.payload
    if isinstance(payload, SubjectPayload):
        others = _pseudonyms(pseudonymiser, tenant, payload.identifiers)
        parted = _pseudonyms(pseudonymiser, tenant, _unlinked(payload))
        return _standing(names[0] if names else None, others, parted, payload, scrub)
    told = [f.subject for f in findings if f.subject is not None]
    told += _pseudonyms(pseudonymiser, tenant, addressed)
    mentioned = _distinct(name for name in told if name not in names)
    first = tuple(Concern(name, name, _role(i), findings) for i, name in enumerate(names))
    further = tuple(
        Concern(name, name, SubjectRole.MENTIONED, tuple(f for f in findings if f.subject == name))
        for name in mentioned
    )
    return (first or (replace(_nobody(event, pseudonymiser), findings=findings),)) + further


def _pseudonyms(
    pseudonymiser: Pseudonymiser, tenant: str, named: Iterable[Identifier], most: int | None = None
) -> tuple[str, ...]:
    """Whom these point to. A blank one would make one person of all who left theirs out."""
    found = (pseudonymiser.someone(tenant, each) for each in named)
    return _distinct(islice((name for name in found if name is not None), most))


def named(event: AgentEvent, pseudonymiser: Pseudonymiser, most: int | None = None) -> tuple[str, ...]:
    """Pseudonyms of the people whom the event names as its subjects, by its first `most` that are not blank."""
    return _pseudonyms(pseudonymiser, event.tenant_id, event.subjects, most)


def identifiers(event: AgentEvent) -> tuple[Identifier, ...]:
    """Every identifier that the event names outside its content."""
    payload = event.payload
    return event.subjects + (payload.identifiers + _unlinked(payload) if isinstance(payload, SubjectPayload) else ())


def _unlinked(payload: SubjectPayload) -> tuple[Identifier, ...]:
    return payload.unlinked if isinstance(payload, IdentityLinked) else ()


def _standing(
    principal: str | None, others: tuple[str, ...], parted: tuple[str, ...], payload: SubjectPayload, scrub: Scrubber
) -> tuple[Concern, ...]:
    """A consent, request or link is its principal's alone: the fact, and a link per further identifier.

    Whoever is set apart is so behind all links of the same event.
    """
    first = principal or next(iter(others + parted), None)
    fact = _fact(payload, scrub)
    if first is None:
        return (replace(_nobody(scrub.event, scrub.pseudonymiser), fact=fact),)
    links = tuple(_link(first, alias, scrub.event_id) for alias in others if alias != first)
    away = tuple(Concern(each, each, SubjectRole.DECLARED, parted=True) for each in parted if each != first)
    return (Concern(first, first, SubjectRole.PRINCIPAL, fact=fact, parted=first in parted), *links, *away)


def _link(principal: str, alias: str, event_id: str) -> Concern:
    """An edge from the higher pseudonym to the lower one: links cannot form a cycle."""
    high, low = max(principal, alias), min(principal, alias)
    return Concern(high, high, SubjectRole.DECLARED, fact=LinkFact(event_id, high, low))


def _fact(payload: SubjectPayload, scrub: Scrubber) -> Fact | None:
    """What the principal's history learns, free of identifiers."""
    match payload:
        case ConsentGiven():
            return ConsentFact(
                scrub.event_id,
                scrub.keys(payload.purposes),
                None if payload.categories is None else scrub.keys(payload.categories),
                payload.expires_at,
                payload.re_enrols,
            )
        case ConsentWithdrawn():
            return WithdrawalFact(scrub.event_id, _withdrawn(payload.purposes, scrub))
        case DataSubjectRequest():
            return RequestFact(scrub.event_id, payload.kind, scrub.text(payload.request_id))
        case IdentityLinked():
            return None


def _withdrawn(purposes: tuple[str, ...] | None, scrub: Scrubber) -> tuple[str, ...] | None:
    """What is withdrawn: everything (`None`), unless each purpose is named as purposes are.

    Whoever withdraws `Marketing` is told that it is recorded, so it must not come to nothing.
    """
    if not purposes or not all(PURPOSE_KEY.fullmatch(purpose) for purpose in purposes):
        return None
    return scrub.keys(purposes)


def _nobody(event: AgentEvent, pseudonymiser: Pseudonymiser) -> Concern:
    """An event that names no one: its session keeps its order."""
    return Concern(pseudonymiser.of_session(event.tenant_id, event.session_id), None, SubjectRole.NOBODY)


def _role(place: int) -> SubjectRole:
    return SubjectRole.DECLARED if place else SubjectRole.PRINCIPAL


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Without repetitions, in order of first appearance."""
    return tuple(dict.fromkeys(names))
