from lawful.schemas.event import IdentityLinked
from lawful.schemas.view import View
from lawful.streams.kernel import Partial, Redirect, annotate
from lawful.streams.replay import Annotated, Replayed, Shared, replay, replay_partials, replay_views
from tests.streams.kit import ADA, ADA_ID, BOB, KERNEL, Log


def busy_log() -> Log:
    """Consents, a link, several people, a withdrawal, an erasure."""
    log = Log()
    log.consent(ADA)
    log.mail(ADA, BOB)
    log.add(IdentityLinked((ADA_ID,)), ADA)
    log.mail(ADA_ID)
    log.withdraw(ADA_ID)
    log.mail(ADA)
    log.erase(BOB)
    log.mail(BOB, ADA)
    return log


def stage_by_stage(log: Log) -> tuple[list[Annotated], list[Partial]]:
    """What the topics between the stages hold, if each stage reads its topic to the end in turn."""
    waiting: list[View] = [view for event, record in log.entries for view in annotate(event, record, KERNEL)]
    annotated: list[Annotated] = []
    judged = Replayed()
    while waiting:
        fresh = [Annotated(view, 0, len(annotated) + n) for n, view in enumerate(waiting)]
        annotated += fresh
        before = len(judged.emitted)
        replay_views(fresh, "lawful.annotated", KERNEL.policies, judged)
        waiting = [each.view for each in judged.emitted[before:] if isinstance(each, Redirect)]
    return annotated, [each for each in judged.emitted if isinstance(each, Partial)]


def test_a_replay_of_the_events_gives_the_verdicts_that_were_given() -> None:
    """The log alone is enough to know every verdict, row and audit record."""
    log = busy_log()
    again = replay(log.entries, KERNEL)
    assert again.verdicts == log.replayed.verdicts
    assert again.audit == log.replayed.audit
    assert again.rows == log.replayed.rows
    assert again.pending == log.replayed.pending


def test_every_event_has_exactly_one_answer() -> None:
    """No event is left out, and none is answered twice differently."""
    log = busy_log()
    again = replay([*log.entries, *log.entries], KERNEL)
    assert set(again.answers) == {event.event_id for event, _ in log.entries}
    assert not again.contradictions


def test_the_topics_between_the_stages_lead_to_the_same_kind_of_rows() -> None:
    """Replaying `lawful.annotated` and `lawful.partials` answers every event, redirects included."""
    log = busy_log()
    annotated, partials = stage_by_stage(log)
    judged = replay_views(annotated, "lawful.annotated", KERNEL.policies)
    both = replay_partials([Shared(partial, n) for n, partial in enumerate(partials)], judged)
    assert set(both.answers) == {event.event_id for event, _ in log.entries}
    assert set(both.rows) == set(log.replayed.rows)


def test_records_that_stand_in_the_log_twice_change_no_row() -> None:
    """A restarted stage publishes again; the rows are those of the first copies."""
    annotated, _ = stage_by_stage(busy_log())
    copies = [Annotated(each.view, 0, len(annotated) + n) for n, each in enumerate(annotated)]
    once = replay_views(annotated, "lawful.annotated", KERNEL.policies)
    twice = replay_views([*annotated, *copies], "lawful.annotated", KERNEL.policies)
    assert twice.rows == once.rows
    assert not twice.contradictions
