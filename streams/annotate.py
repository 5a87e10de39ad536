"""From an event to its views: what was found, whom it concerns, what it is for.

Pure and stateless: the same event at the same place in the log gives the same views, so a record
that is read again is published again byte for byte. Total: whatever goes wrong becomes a view
that the judge stage refuses.
"""

from dataclasses import dataclass
from typing import Protocol

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor
from lawful.extractors.purposes import claims
from lawful.policies.channels.matching import channels_of
from lawful.policies.model import Policy
from lawful.policies.rego.denying import Denier
from lawful.schemas.changing import changed
from lawful.schemas.digest import digest_of
from lawful.schemas.envelope import holds_identifier
from lawful.schemas.event import AgentEvent, Micros, ToolCall, ToolResult
from lawful.schemas.flowing import MOST_CAUSES, Said, memory_of, said
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.sealed import Erased, SealedEvent
from lawful.schemas.view import (
    ExtractionStatus,
    Flow,
    Provenance,
    PurposeClaim,
    ReplyTo,
    SourcePosition,
    SubjectRole,
    View,
)
from lawful.streams.acting import acts_in, slice_views
from lawful.streams.addressing import addressed
from lawful.streams.concerns import SubjectPayload, concerns, identifiers, named
from lawful.streams.judging import Policies
from lawful.streams.refusing import NOT_ANNOTATED, PAYLOAD_ERASED, TOO_MANY_CAUSES, TOO_MANY_SUBJECTS, UNKNOWN_POLICY
from lawful.streams.scrubbing import Scrubber
from lawful.streams.specs import identifier_patterns, spec_of
from lawful.streams.structure import is_refused, structure_of
from lawful.streams.tiers import Scrutiny, scrutinised

SKEW_BOUND: Micros = 5 * 60 * 1_000_000


class Opens(Protocol):
    """Reads what guards have sealed (`lawful.streams.opening.Opener`)."""

    def open(self, sealed: SealedEvent, recorded_at: Micros, /) -> AgentEvent | Erased:
        """The event; `Erased` if its key is destroyed."""
        ...

    def close(self) -> None:
        """Lets go of the keys."""
        ...


@dataclass(frozen=True, slots=True)
class Kernel:
    """What the stages need from outside.

    Attributes:
        policies: the loaded policies.
        extractor: finds data categories in content.
        pseudonymiser: the tenants' keys.
        skew_bound: by how much a producer's clock may differ before its views are flagged.
        max_subjects: how many people one verdict may cover, and how many subjects an event may name,
            each spelling of one counted.
        denier: runs policies' own Rego rules; without it, a policy that has some blocks every ordinary event.
        opener: opens sealed events; without it, they are blocked.
        scrutiny: which events are looked at more closely; `None`: none.
    """

    policies: Policies
    extractor: Extractor
    pseudonymiser: Pseudonymiser
    skew_bound: Micros = SKEW_BOUND
    max_subjects: int = 16
    denier: Denier | None = None
    opener: Opens | None = None
    scrutiny: Scrutiny | None = None


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """Where an event stands in `lawful.events`, the broker's time of it, and who waits.

    Attributes:
        key_id: the key that it was sealed with, if it was.
    """

    position: SourcePosition
    recorded_at: Micros
    reply_to: ReplyTo | None = None
    key_id: str | None = None


def annotate(event: AgentEvent, record: SourceRecord, kernel: Kernel) -> tuple[View, ...]:
    """One view per person whom the event concerns; one for nobody if there is none.

    Never raises. Costs what extraction costs; consents and requests are not extracted from.
    """
    try:
        return _views(event, record, kernel)
    except Exception as error:  # noqa: BLE001 - fail closed: a failure becomes a view that is refused
        return (unannotated(event, record, type(error).__name__),)


def _views(event: AgentEvent, record: SourceRecord, kernel: Kernel) -> tuple[View, ...]:
    policy = kernel.policies.get(event.policy_id)
    channels = channels_of(event, policy) if policy else ()
    names = named(event, kernel.pseudonymiser, kernel.max_subjects)
    extraction = _read(event, policy, channels, kernel)
    scrub = Scrubber(event, kernel.pseudonymiser, identifiers(event), identifier_patterns(policy))
    people = concerns(event, names, extraction.findings, scrub, addressed(event, policy))
    base = _envelope(record, kernel, scrub, policy, extraction, channels)
    if policy is not None and not isinstance(event.payload, SubjectPayload):
        base = scrutinised(base, event, spec_of(policy), kernel.scrutiny)
    if len(people) > kernel.max_subjects or _is_crowd(event, kernel):
        base = changed(base, status=ExtractionStatus.FAILED, status_reason=TOO_MANY_SUBJECTS)
        people = (changed(people[0], fact=None, parted=False),)
    if len(said(event).causes) > MOST_CAUSES:
        base = changed(base, status=ExtractionStatus.FAILED, status_reason=TOO_MANY_CAUSES)
    acts = acts_in(event, policy, kernel.pseudonymiser)
    views = [
        changed(
            base,
            part=place,
            parts=len(people),
            key=one.key,
            subject=one.subject,
            role=one.role,
            findings=one.findings,
            fact=one.fact,
            parted=one.parted,
            key_id=record.key_id if one.role is SubjectRole.PRINCIPAL else None,
            # The principal's view tells the subject's rules what happened.
            acts=() if place else acts,
        )
        for place, one in enumerate(people)
    ]
    further = list(slice_views(event, views[0], policy, kernel.pseudonymiser))
    if not further:
        return tuple(views)
    views += further
    return tuple(changed(view, part=part, parts=len(views)) for part, view in enumerate(views))


def _read(event: AgentEvent, policy: Policy | None, channels: tuple[str, ...], kernel: Kernel) -> Extraction:
    """What is found; first of all whether an agent's message is the structured action that it should be."""
    found = structure_of(event, policy) if policy else None
    if policy is None or found is None:
        return _extract(event, policy, kernel)
    if is_refused(found, policy, channels):  # it will be blocked, whatever else it holds
        return Extraction((found,), claims(event, spec_of(policy)))
    extraction = _extract(event, policy, kernel)
    return changed(extraction, findings=(found, *extraction.findings))


def _extract(event: AgentEvent, policy: Policy | None, kernel: Kernel) -> Extraction:
    """Findings and purposes; a failure is a status, so that the event's people are still known."""
    if policy is None:
        return _failed(UNKNOWN_POLICY)
    if isinstance(event.payload, SubjectPayload):
        return Extraction()
    if _is_crowd(event, kernel):  # whatever is found, it will be refused
        return _failed(TOO_MANY_SUBJECTS)
    try:
        return kernel.extractor.extract(event, spec_of(policy))
    except Exception as error:  # noqa: BLE001 - fail closed: the policy decides, by default block
        return _failed(type(error).__name__)


def asked(event: AgentEvent, kernel: Kernel) -> ExtractionSpec | None:
    """By what an event will be read when its turn comes, if it will be."""
    policy = kernel.policies.get(event.policy_id)
    if policy is None or isinstance(event.payload, SubjectPayload):
        return None
    return None if _is_crowd(event, kernel) else spec_of(policy)


def _is_crowd(event: AgentEvent, kernel: Kernel) -> bool:
    """Whether an event names more subjects than may be searched for. Who changes a history is searched for nowhere."""
    return len(event.subjects) > kernel.max_subjects and not isinstance(event.payload, SubjectPayload)


def _failed(reason: str) -> Extraction:
    return Extraction(status=ExtractionStatus.FAILED, status_reason=reason)


def _envelope(  # noqa: PLR0913, PLR0917 - what is known of an event
    record: SourceRecord,
    kernel: Kernel,
    scrub: Scrubber,
    policy: Policy | None,
    extraction: Extraction,
    channels: tuple[str, ...],
) -> View:
    """What all views of the event share; key, subject and part are still to be filled in."""
    event = scrub.event
    return View(
        event_id=scrub.event_id,
        tenant_id=event.tenant_id,
        key="",
        subject=None,
        role=SubjectRole.NOBODY,
        part=0,
        parts=1,
        kind=event.kind,
        source=scrub.text(event.source),
        agent_id=scrub.text(event.agent_id),
        session_id=scrub.text(event.session_id),
        recorded_at=record.recorded_at,
        occurred_at=event.occurred_at,
        position=record.position,
        digest=digest_of(event, kernel.pseudonymiser),
        agent_version=scrub.optional(event.agent_version),
        task_id=scrub.optional(event.task_id),
        causation_id=scrub.optional(event.causation_id),
        flow=_flow(scrub, kernel),
        traceparent=scrub.traceparent(),
        tool=_tool(scrub),
        recipient=scrub.recipient(),
        policy_id=policy.id if policy else scrub.optional(event.policy_id),
        purposes=_claims(scrub, extraction),
        status=extraction.status,
        status_reason=extraction.status_reason,
        skewed=abs(event.occurred_at - record.recorded_at) > kernel.skew_bound,
        deadline_ms=event.deadline_ms,
        reply_to=record.reply_to,
        channels=channels,
    )


def _flow(scrub: Scrubber, kernel: Kernel) -> Flow | None:
    """Along what labels come in beside the event's cause; `None` for nearly every event."""
    event = scrub.event
    memory = memory_of(event, kernel.pseudonymiser)
    told = said(event)
    if memory is None and told == Said():
        return None
    causes = tuple(scrub.text(each) for each in told.causes[:MOST_CAUSES])
    return Flow(causes, memory, scrub.optional(told.lifts), scrub.optional(told.lifted_by))


def _tool(scrub: Scrubber) -> str | None:
    payload = scrub.event.payload
    return scrub.text(payload.tool) if isinstance(payload, ToolCall | ToolResult) else None


def _claims(scrub: Scrubber, extraction: Extraction) -> tuple[PurposeClaim, ...]:
    """Purposes the agent declares and those the extraction adds. A consent or request claims none."""
    if isinstance(scrub.event.payload, SubjectPayload):
        return ()
    declared = tuple(PurposeClaim(key, Provenance.DECLARED) for key in scrub.keys(scrub.event.purposes))
    added = (claim for claim in extraction.purposes if claim.provenance is not Provenance.DECLARED)
    return tuple(dict.fromkeys((*declared, *added)))


def erased(event: Erased, record: SourceRecord) -> View:
    """The view of an event that nobody can read any more. It changes nothing that is known of anybody."""
    sealed = event.sealed
    whose = sealed.subject or sealed.key_id.partition("/")[0]
    return changed(
        unannotated(sealed, record, ""),
        key=whose,
        subject=sealed.subject,
        role=SubjectRole.NOBODY if sealed.subject is None else SubjectRole.PRINCIPAL,
        digest=sealed.digest,
        status_reason=PAYLOAD_ERASED,
    )


def unannotated(event: AgentEvent | SealedEvent, record: SourceRecord, reason: str) -> View:
    """A view of an event of which nothing may be said: it can only be refused."""
    event_id = "withheld" if holds_identifier(event.event_id) else event.event_id
    return View(
        event_id=event_id,
        tenant_id=event.tenant_id,
        key=event_id,
        subject=None,
        role=SubjectRole.NOBODY,
        part=0,
        parts=1,
        kind=event.kind,
        source="",
        agent_id="",
        session_id="",
        recorded_at=record.recorded_at,
        occurred_at=event.occurred_at,
        position=record.position,
        digest="",
        status=ExtractionStatus.FAILED,
        status_reason=f"{NOT_ANNOTATED}:{reason}",
        reply_to=record.reply_to,
    )


def failure(view: View) -> str:
    """Which exception kept a view's event from being annotated; empty if none did."""
    marked, _, name = view.status_reason.partition(":")
    return name if marked == NOT_ANNOTATED else ""
