"""Auditors in a worker: asked beside the loop, within a time, and what they said first stands."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import pytest

from lawful.policies.auditing import Brief, Opinion, draw
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentEvent, AgentMessage, Recipient, RecipientKind
from lawful.schemas.topics import TOPICS
from lawful.schemas.verdict import Decision, Partial, Verdict
from lawful.schemas.view import View
from lawful.streams.auditing import Panel, PanelOptions
from lawful.streams.effects import Effects, Record, Send
from lawful.streams.steps import AnnotateStep, CombineStep, JudgeStep, StepDeps
from lawful.streams.tiers import EveryEvent, Scrutiny
from tests.streams.kit import ADA, KERNEL, make_event

KEY = b"k" * 32


@dataclass
class Juror:
    """Says what it is told to say, and counts how often it was asked."""

    name: str
    say: Callable[[Brief], object] = lambda brief: Opinion(brief.verdict.decision)
    version: str = "1"
    asked: list[str] = field(default_factory=list)

    def ask(self, brief: Brief) -> Opinion:
        """Its answer."""
        self.asked.append(brief.view.event_id)
        return cast("Opinion", self.say(brief))  # some answer what they may not


def blocks(_: Brief) -> Opinion:
    """Always."""
    return Opinion(Decision.BLOCK)


def fails(_: Brief) -> Opinion:
    """Never answers."""
    raise RuntimeError("ada@example.com")


def panel(*jurors: Juror, sentries: int = 1, timeout: float = 5.0) -> Panel:
    """These auditors."""
    return Panel(jurors, PanelOptions(sentries=sentries, key=KEY, timeout=timeout))


def deps(panel_: Panel | None) -> StepDeps:
    """Every event is of the heavy tier."""
    return StepDeps(replace(KERNEL, scrutiny=Scrutiny(EveryEvent())), TOPICS, TOPICS.reply_prefix, panel=panel_)


def event(number: int = 0) -> AgentEvent:
    """One agent tells another something."""
    made = make_event(AgentMessage("hello"), ADA)
    return replace(made, event_id=f"event-{number}", recipient=Recipient(RecipientKind.AGENT, "other"))


def record(topic: str, value: object, offset: int = 0) -> Record:
    """A record."""
    return Record(topic, 0, offset, 1_700_000_000_000_000, b"k", encode(value))


def sent(effects: Effects) -> Sequence[Send]:
    """All that is sent, now and later."""
    return [*effects.sends, *(send for later in effects.later for send in later.result(10))]


def judged(step: JudgeStep, value: AgentEvent, offset: int = 0) -> Partial:
    """What goes to the combine stage of an event."""
    annotated = AnnotateStep(deps(None))(record(TOPICS.events, value, offset), {})
    view = decode(annotated.sends[0].value, View)
    (send,) = sent(step(record(TOPICS.annotated, view, offset), {}))
    assert send.topic == TOPICS.partials
    return decode(send.value, Partial)


def test_agreeing_sentries_cost_nobody_elses_time() -> None:
    """The others are not asked; the vote stands in the verdict."""
    jurors = [Juror("a"), Juror("b"), Juror("c")]
    share = judged(JudgeStep(deps(panel(*jurors))), event())
    drawn = draw(KEY, share.view.tenant_id, "event-0", ["a", "b", "c"], 1)
    assert [each.name for each in jurors if each.asked] == list(drawn)
    assert [(vote.auditor, vote.reason) for vote in share.verdict.votes] == [(drawn[0], "agrees")]
    assert share.verdict.decision is Decision.FORWARD


@pytest.mark.parametrize("say", [blocks, fails, lambda _: "block"])
def test_doubt_asks_everybody_and_the_majority_decides(say: Callable[[Brief], object]) -> None:
    """Whatever the doubt is: an objection, a failure, an answer that is none."""
    jurors = [Juror("a", say), Juror("b"), Juror("c")]
    shares = [judged(JudgeStep(deps(panel(*jurors))), event(number)) for number in range(8)]
    doubted = [share for share in shares if any(vote.auditor == "a" for vote in share.verdict.votes)]
    assert doubted
    assert all(len(share.verdict.votes) == 3 for share in doubted)
    assert {share.verdict.decision for share in shares} == {Decision.FORWARD}


def test_a_late_auditor_is_a_doubt_and_keeps_nobody_waiting() -> None:
    """Both hang: no majority, so the event is blocked, and the next one is not slower for it."""
    hold = threading.Event()
    jurors = [Juror("a", lambda _: hold.wait(30)), Juror("b", lambda _: hold.wait(30)), Juror("c")]
    share = judged(JudgeStep(deps(panel(*jurors, sentries=2, timeout=0.05))), event())
    hold.set()
    assert share.verdict.decision is Decision.BLOCK
    assert {vote.reason for vote in share.verdict.votes if vote.auditor != "c"} == {"late"}
    assert [each.reason for each in share.verdict.violations] == ["auditors_no_majority"]
    assert b"ada@" not in encode(share)


def test_what_the_auditors_said_first_stands() -> None:
    """A worker that starts again asks again; the combine stage answers once, as it did."""
    fickle = Juror("a", blocks)
    first = judged(JudgeStep(deps(panel(fickle))), event())
    fickle.say = lambda brief: Opinion(brief.verdict.decision)
    second = judged(JudgeStep(deps(panel(fickle))), event())
    assert (first.verdict.decision, second.verdict.decision) == (Decision.BLOCK, Decision.FORWARD)
    rows: dict[bytes, bytes] = {}
    combine = CombineStep(deps(None))
    answers = list(_answers(combine, rows, [first, second, first]))
    assert [each.decision for each in answers] == [Decision.BLOCK]
    # The same record again gives the same answer again.
    again = combine(record(TOPICS.partials, first, 0), rows)
    assert decode(next(s for s in again.sends if s.topic == TOPICS.verdicts).value, Verdict) == answers[0]


def _answers(step: CombineStep, rows: dict[bytes, bytes], shares: Sequence[Partial]) -> Iterator[Verdict]:
    for offset, share in enumerate(shares):
        effects = step(record(TOPICS.partials, share, offset), rows)
        rows.update({put.key: put.value for put in effects.puts if put.value is not None})
        yield from (decode(send.value, Verdict) for send in effects.sends if send.topic == TOPICS.verdicts)


def test_an_event_that_comes_again_is_of_the_tier_that_it_was_of() -> None:
    """Light when it came first: the duplicate is answered at once, as then, whatever is critical by now."""
    annotate = [AnnotateStep(replace(deps(None), kernel=kernel)) for kernel in (KERNEL, deps(None).kernel)]
    views = [decode(step(record(TOPICS.events, event()), {}).sends[0].value, View) for step in annotate]
    assert [view.heavy for view in views] == [False, True]
    step = JudgeStep(deps(panel(Juror("a", blocks))))
    first, again = [sent(step(record(TOPICS.annotated, view, offset), {})) for offset, view in enumerate(views)]
    assert {send.topic for send in first} >= {TOPICS.verdicts, TOPICS.audit}
    assert [send.value for send in again] == [send.value for send in first]


def test_nobody_votes_on_what_is_blocked_already() -> None:
    """Nothing could be made stricter."""
    juror = Juror("a")
    unknown = replace(event(), policy_id="nobody has loaded this one")
    annotated = AnnotateStep(deps(None))(record(TOPICS.events, unknown), {})
    sends = sent(JudgeStep(deps(panel(juror)))(record(TOPICS.annotated, decode(annotated.sends[0].value, View)), {}))
    assert sends
    assert not juror.asked


def test_a_pool_that_cannot_be_drawn_from_is_refused() -> None:
    """Two of one name, more sentries than auditors, a short key."""
    with pytest.raises(ConfigurationError, match="one name"):
        panel(Juror("a"), Juror("a"))
    with pytest.raises(ConfigurationError, match="2 sentries"):
        panel(Juror("a"), sentries=2)
    with pytest.raises(ConfigurationError, match="fewer than 32"):
        Panel([Juror("a")], PanelOptions(sentries=1, key=b"short"))
