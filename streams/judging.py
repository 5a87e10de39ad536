"""One step of the judge stage: where a view belongs, and what becomes of it there.

Views arrive in one order per subject; that order is the truth. A step looks at the subject's row
as of the view's place in it, so a view that arrives again gets the answer it got before.
"""

from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from lawful.policies.history import prune
from lawful.policies.judge import At, Judgement
from lawful.policies.labels.judging import judge_labelled
from lawful.policies.model import Policy
from lawful.policies.parting import OWN, set_apart
from lawful.policies.rego.denying import Denier, denials
from lawful.policies.rules.judging import learn_later
from lawful.policies.rules.memory import RuleMemory
from lawful.schemas.changing import changed
from lawful.schemas.event import Micros
from lawful.schemas.history import History, LinkFact, MergeFact
from lawful.schemas.verdict import Partial
from lawful.schemas.view import View
from lawful.streams.answering import Answer, single
from lawful.streams.linking import Seat, SubjectRow, merging, onward, seat_of
from lawful.streams.refusing import EVENT_ID_REUSED, PAYLOAD_ERASED, refusal, refused
from lawful.streams.sameness import First, substance
from lawful.streams.shredding import doomed, with_key

FEW_FACTS = 32
"""A history shorter than this is not worth pruning."""

REREAD_MARGIN: Micros = 8 * 24 * 3600 * 1_000_000
"""For longer than this no record stays in a source topic (`lawful.schemas.topics`: a week)."""


class Policies(Protocol):
    """The loaded policies; `None` asks for the default one."""

    def get(self, policy_id: str | None, /) -> Policy | None:
        """The policy of that name, or `None` if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Redirect:
    """The view belongs to another subject's partition: publish it there."""

    view: View

    @property
    def key(self) -> str:
        """The record key in `lawful.annotated`."""
        return self.view.key


@dataclass(frozen=True, slots=True)
class Shred:
    """Keys to destroy: nobody may read any more what was sealed with them."""

    key_ids: tuple[str, ...]


Emit = Redirect | Answer | Partial | Shred


@dataclass(frozen=True, slots=True)
class Step:
    """What one view leads to: records to send, and the subject's row from now on."""

    emit: tuple[Emit, ...]
    row: SubjectRow


NO_ROW: Final = SubjectRow()


def step(  # noqa: PLR0913, PLR0917 - a stage's inputs, by name
    view: View,
    at: At,
    row: SubjectRow,
    policies: Policies,
    first: First | None = None,
    memory: RuleMemory | None = None,
    denier: Denier | None = None,
) -> Step:
    """Takes one view through the judge stage. Total; costs what judging its history costs.

    Args:
        view: the view, from `lawful.annotated`.
        at: where it stands there, and the broker's time of its event (`view.recorded_at`).
        row: what is known under `view.key`.
        policies: the loaded policies.
        first: where a record with the same event id, key and part stood before, if one did. Then
            this one is judged as of there; if it is of another event, it is refused.
        memory: monitors of the policies' own rules, kept from earlier views; changes no answer.
        denier: runs the policies' own Rego rules; without it, a policy that has some blocks.

    Returns:
        An `Answer` if the event has one view, a `Partial` if it has several, a `Redirect` if the
        subject is an alias.
    """
    if first is not None and first.substance != substance(view):
        return _reused(view, at, row)
    place = first.at if first else at
    if view.recorded_at != place.recorded_at:
        view = changed(view, recorded_at=place.recorded_at)
    if first is not None and view.heavy != first.heavy:
        view = changed(view, heavy=first.heavy)
    seat = seat_of(row, view.key, view.origin or view.key, place.offset)
    if seat.root is not None:
        return Step((Redirect(onward(view, seat.root)),), seat.joined_by(view.fact))
    judges = _Judges(policies, memory, denier)
    if isinstance(view.fact, LinkFact):
        return _link(view, view.fact, place, seat, judges)
    if view.acted is not None:
        return Step((), seat.with_history(learn_later(seat.history, place, view.acted)))
    if view.parted:
        return _part(view, place, seat, judges)
    return _decide(view, place, seat, judges)


def _reused(view: View, at: At, row: SubjectRow) -> Step:
    """Refuses another event under a known id; nothing is learnt of it.

    An event that was answered while it could still be read is the same one: nothing is left to say.
    """
    if view.acted is not None or view.status_reason == PAYLOAD_ERASED:
        return Step((), row)
    verdict = refused(view, at, EVENT_ID_REUSED, None)
    return Step((single(view, verdict) if view.parts == 1 else Partial(view=view, verdict=verdict),), row)


def _link(view: View, fact: LinkFact, place: At, seat: Seat, judges: "_Judges") -> Step:
    """Makes this person an alias, and sends what is known about them on to their root."""
    if fact.root != view.key:
        onward_ = merging(view, seat, fact.event_id, fact.root, fact.toward)
        return Step((Redirect(onward_),), seat.linked_to(fact.root))
    # Both ends have their history in this row.
    other = seat_of(seat.row, view.key, fact.toward or fact.root, place.offset)
    if other.name == seat.name:
        return _decide(view, place, seat, judges)
    if other.root is not None:
        onward_ = merging(view, seat, fact.event_id, other.root, other.subject)
        return Step((Redirect(onward_),), seat.linked_to(other.root))
    into, gone = (seat, other) if seat.name == OWN else (other, seat)
    return _decide(changed(view, fact=gone.leaving(fact.event_id)), place, into, judges)


def _part(view: View, place: At, seat: Seat, judges: "_Judges") -> Step:
    """Sets this identifier apart from those it was linked with; what it is then answers."""
    told = (seat.key, seat.subject, place.offset, place.recorded_at, view.event_id)
    row = changed(seat.row, history=set_apart(seat.row.history, *told))
    alone = seat_of(row, seat.key, seat.subject, place.offset + 1)
    return changed(_decide(view, place, alone, judges), row=row)


@dataclass(frozen=True, slots=True)
class _Judges:
    policies: Policies
    memory: RuleMemory | None
    denier: Denier | None


def _decide(view: View, place: At, seat: Seat, judges: _Judges) -> Step:
    seen, before = seat.seen(view), seat.history
    seen, done = _judge(seen, place, before, judges)
    after = with_key(done.history, seen.key_id, place.recorded_at)
    row = seat.row if after is before else seat.with_history(after)
    shred = tuple(Shred(ids) for ids in (doomed(seen, after, place.offset),) if ids)
    row = changed(seat, row=row).joined_by(view.fact) if isinstance(view.fact, MergeFact) else row
    if not seen.shared:
        return Step((*shred, single(seen, done.verdict)), row)
    share = seen if done.acted is None else changed(seen, acted=done.acted)
    return Step((*shred, Partial(view=share, verdict=done.verdict)), row)


def _judge(view: View, place: At, history: History, judges: _Judges) -> tuple[View, Judgement]:
    """What was judged, the verdict and the history after it; whatever goes wrong is a block that changes nothing."""
    try:
        policy = judges.policies.get(view.policy_id)
        reason = refusal(view, policy)
        if policy is None or reason:
            return view, Judgement(refused(view, place, reason, policy), history)
        denied = partial(denials, at=place, history=history, policy=policy, denier=judges.denier)
        view, done = judge_labelled(view, place, history, policy, judges.memory, denied)
        if done.history is not history:
            done = changed(done, history=_trimmed(done.history, place, policy))
    except Exception as error:  # noqa: BLE001 - fail closed: an error is a verdict, never a pass
        return view, Judgement(refused(view, place, type(error).__name__, None), history)
    return view, done


def _trimmed(history: History, place: At, policy: Policy) -> History:
    """The history without what can change no answer any more, once it is long enough to matter.

    INVARIANT: nothing older than the margin can be read from the log again. Rules look back at
    consents by their own horizons, so with rules (in Rego too) everything stays.
    """
    if len(history.entries) <= FEW_FACTS or policy.rules is not None or policy.rego is not None:
        return history
    return prune(history, place.recorded_at, REREAD_MARGIN)
