"""Two more judges watch a share of events, and say so when they differ."""

from dataclasses import replace

import pytest

from lawful.policies import crosscheck
from lawful.policies.crosscheck import Agreement, Fault, Judge
from lawful.policies.judge import At
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.codec import decode_either, encode
from lawful.schemas.event import UserMessage
from lawful.schemas.topics import Topics
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import SourcePosition, View
from lawful.streams.effects import Record
from lawful.streams.kernel import SourceRecord, annotate
from lawful.streams.second_opinion import SecondOpinion
from lawful.streams.steps import JudgeStep, StepDeps
from tests.streams.kit import ADA, KERNEL, make_event

SOURCE = SourceRecord(SourcePosition("lawful.events", 0, 0), 1_000)


def view() -> View:
    """A message's view."""
    (found,) = annotate(make_event(UserMessage("hello"), ADA), SOURCE, KERNEL)
    return found


def record(value: View) -> Record:
    """The view as it stands in `lawful.annotated`."""
    return Record("lawful.annotated", 0, 3, 1_000, value.key.encode(), encode(value))


def audited(step: JudgeStep) -> list[AuditRecord]:
    """What the step publishes on the audit topic for one view."""
    sends = step(record(view()), {}).sends
    found = [decode_either(send.value, AuditRecord, GuardReport) for send in sends if send.topic == "lawful.audit"]
    return [each for each in found if isinstance(each, AuditRecord)]


def test_agreeing_judges_leave_no_trace() -> None:
    """With every event in the sample and nothing wrong, the audit has the verdict and no more."""
    deps = StepDeps(KERNEL, Topics(), "lawful.replies.", second_opinion=SecondOpinion(1.0))
    assert [each.kind for each in audited(JudgeStep(deps))] == [AuditKind.VERDICT]


def test_a_disagreement_raises_the_alarm_and_is_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that differs is named in a row of its own; the verdict stands."""
    fault = Fault(Judge.REGO, ("decision forward",), ("decision block",))

    def differ(*args: object) -> Agreement:
        return Agreement(_verdict(), (fault,))

    alarms: list[int] = []
    monkeypatch.setattr(crosscheck, "compare", differ)
    second = SecondOpinion(1.0, lambda: alarms.append(1))
    deps = StepDeps(KERNEL, Topics(), "lawful.replies.", second_opinion=second)
    verdict, disagreement = audited(JudgeStep(deps))
    assert (verdict.kind, disagreement.kind) == (AuditKind.VERDICT, AuditKind.DISAGREEMENT)
    assert disagreement.verdict.decision == verdict.verdict.decision
    (told,) = (each for each in disagreement.verdict.violations if each.rule == "crosscheck")
    assert (told.reason, told.message) == ("rego_disagrees", "lacks: decision forward. adds: decision block")
    assert alarms == [1]


def _verdict() -> Verdict:
    from lawful.policies.judge import judge  # noqa: PLC0415 - beside the policy it is asked with
    from lawful.schemas.history import EMPTY  # noqa: PLC0415

    policy = KERNEL.policies.get(None)
    assert policy is not None
    return judge(view(), At("lawful.annotated", 0, 3, 1_000), EMPTY, policy).verdict


def test_the_sample_is_a_share_and_always_the_same() -> None:
    """About the asked share of event ids is in, and which ones does not change."""
    second = SecondOpinion(0.2)
    views = [replace(view(), event_id=f"event-{number}") for number in range(2_000)]
    chosen = [each.event_id for each in views if second.wants(each)]
    assert 300 < len(chosen) < 500
    assert chosen == [each.event_id for each in views if second.wants(each)]
    assert not any(SecondOpinion(0.0).wants(each) for each in views)
