"""Rules at events: what breaks them, what that leads to, and what becomes part of the past."""

import pytest

from lawful.policies.judge import At, judge
from lawful.policies.rules.judging import learn_later
from lawful.policies.rules.remembering import AGAIN, MARGIN
from lawful.policies.rules.trace import happened
from lawful.schemas.event import PayloadKind
from lawful.schemas.history import EMPTY
from lawful.schemas.verdict import Action, Decision, Obligation
from tests.policies.rules.samples import HOUR, OUTREACH, SECOND, World, act, clinic, doing, rule, rules_of
from tests.policies.samples import consent, telling, view

QUERY, INVITE = act("query_record", "ada"), act("send_outreach", "ada", "+49")


@pytest.mark.parametrize("remembering", [True, False])
def test_the_outreach_rule(remembering: bool) -> None:  # noqa: FBT001 - both ways
    """Blocked without the query, passed up to an hour after it, blocked from then on."""
    world = World(clinic(), remembering=remembering)
    assert rules_of(world.happens(INVITE)) == ["block", "outreach"]
    assert rules_of(world.happens(QUERY)) == ["forward"]
    assert rules_of(world.happens(INVITE)) == ["forward"]
    assert rules_of(world.happens(act("send_outreach", "bob", "+49"))) == ["block", "outreach"]
    assert rules_of(world.happens(INVITE, after=HOUR - 2 * SECOND)) == ["forward"]
    assert rules_of(world.happens(INVITE, after=1)) == ["block", "outreach"]


def test_a_violation_says_what_and_why() -> None:
    """The rule's name and message, with the witness's digests only by their beginning."""
    digest = "0123456789abcdef" * 2
    policy = clinic(OUTREACH + "    article: GDPR Art. 5\n")
    (violation,) = World(policy).happens(act("send_outreach", digest, None)).verdict.violations
    assert (violation.rule, violation.reason) == ("outreach", "rule_violated")
    assert violation.message == "query the record first (p=01234567..., f=?)"
    assert (violation.article, violation.subject) == ("GDPR Art. 5", "subject")


def test_what_cannot_be_read_equals_nothing() -> None:
    """Leaving an argument out neither escapes a rule nor meets it."""
    world = World(clinic())
    world.happens(act("query_record", None))
    assert rules_of(world.happens(act("send_outreach", None, "+49"))) == ["block", "outreach"]


def test_a_blocked_event_leaves_nothing() -> None:
    """Blocked by P2: the query did not happen, and the history is as it was."""
    world = World(clinic())
    world.happens()
    before = world.history
    assert world.happens(QUERY, tool="unheard").verdict.decision is Decision.BLOCK
    assert world.history == before
    assert rules_of(world.happens(INVITE)) == ["block", "outreach"]


LIMIT = rule("NOT (send_outreach(p, f) AND ONCE(0,1h] EXISTS g. send_outreach(p, g))", name="limit")


@pytest.mark.parametrize("remembering", [True, False])
def test_a_blocked_event_does_not_start_the_clock_anew(remembering: bool) -> None:  # noqa: FBT001 - both ways
    """A limit counts what went out, not what was tried."""
    world = World(clinic(LIMIT), remembering=remembering)
    assert rules_of(world.happens(INVITE)) == ["forward"]
    for _ in range(3):
        assert rules_of(world.happens(INVITE, after=HOUR // 4)) == ["block", "limit"]
    assert rules_of(world.happens(INVITE, after=HOUR // 4 + 1)) == ["forward"]
    assert rules_of(world.happens(INVITE)) == ["block", "limit"]


MASK = rule("send_outreach(p, f) IMPLIES ONCE[0,1h] query_record(p)", name="masked", on_violation="{mask: [phone]}")


def test_masking_is_an_obligation_on_the_argument() -> None:
    """Only where the rule is broken, on the whole value."""
    world = World(clinic(MASK))
    done = world.happens(INVITE)
    assert rules_of(done) == ["redact", "masked"]
    assert done.verdict.obligations == (Obligation("/arguments/1", 0, 0, Action.REPLACE, "system.rule"),)
    world.happens(QUERY)
    assert rules_of(world.happens(INVITE)) == ["forward"]


def test_a_masked_event_happened_as_masked() -> None:
    """What was masked meets no later rule; what was not, does."""
    later = rule("query_record(p) IMPLIES ONCE[0,1h] EXISTS q. send_outreach(q, p)", name="later", on_violation="warn")
    world = World(clinic(MASK + later, **{"scheme: phone": "scheme: text"}))
    world.happens(act("send_outreach", "bob", "+49"))
    assert rules_of(world.happens(act("query_record", "+49"))) == ["warn", "later"]
    world.happens(act("query_record", "bob"))
    world.happens(act("send_outreach", "bob", "+50"))
    assert rules_of(world.happens(act("query_record", "+50"))) == ["forward"]


ONE_CALL = rule("NOT (send_outreach(p, f) AND ONCE(0,1h] EXISTS q. send_outreach(q, f))", name="one_call")


@pytest.mark.parametrize("remembering", [True, False])
def test_what_one_rule_masks_no_rule_remembers(remembering: bool) -> None:  # noqa: FBT001 - both ways
    """The number was not called: it was masked."""
    world = World(clinic(MASK + ONE_CALL), remembering=remembering)
    assert rules_of(world.happens(INVITE)) == ["redact", "masked"]
    world.happens(QUERY)
    assert rules_of(world.happens(INVITE)) == ["forward"]
    assert rules_of(world.happens(INVITE)) == ["block", "one_call"]


def test_consent_is_asked_for_in_formulas() -> None:
    """A consent that reaches the purpose counts from when it is given, until a withdrawal."""
    formula = 'said() IMPLIES ((NOT withdrawn("marketing")) SINCE consent("marketing"))'
    for remembering in (True, False):
        world = World(clinic(rule(formula)), remembering=remembering)
        assert rules_of(world.happens(act("said"))) == ["block", "rule"]
        told = telling(consent("marketing"), recorded_at=world.time)
        place = At("lawful.annotated", 0, 10, world.time)
        world.history = judge(told, place, world.history, world.policy, world.memory).history
        world.offset = 10
        assert rules_of(world.happens(act("said"))) == ["forward"]


def test_what_a_consent_breaks_is_a_warning_at_the_consent() -> None:
    """It is recorded all the same."""
    policy = clinic(rule('consent("marketing") IMPLIES ONCE said()'))
    done = judge(telling(consent("marketing")), At("lawful.annotated", 0, 1, 1), EMPTY, policy)
    assert rules_of(done) == ["warn", "rule"]
    assert done.verdict.outcome is not None
    assert len(done.history.entries) == 1


def test_built_in_predicates_see_ancestors() -> None:
    """A rule about contact data is broken by an e-mail address."""
    policy = clinic(rule('category("user.contact") IMPLIES purpose("marketing")'))
    seen = doing(purposes=(), findings=())
    place = At("lawful.annotated", 0, 1, 1)
    assert rules_of(judge(seen, place, EMPTY, policy)) == ["forward"]
    found = view("user.contact.email", purposes=("care",), kind=PayloadKind.TOOL_CALL, tool="ship")
    assert rules_of(judge(found, place, EMPTY, policy)) == ["block", "rule"]


def test_numbers_add_up() -> None:
    """Sums over a window, of what passed."""
    formula = "paid(a) IMPLIES NOT EXISTS s. (s <- SUM b (ONCE[0,1h] paid(b))) AND s > 100"
    world = World(clinic(rule(formula)))
    answers = [rules_of(world.happens(act("paid", amount)))[0] for amount in (60, 50, 30, 5, 5)]
    assert answers == ["forward", "block", "forward", "forward", "forward"]


def test_an_event_of_several_shares_is_remembered_when_all_of_it_has_passed() -> None:
    """Its own share does not count it, and what combining says is what happened."""
    world = World(clinic())
    done = world.happens(QUERY, parts=2)
    assert not done.history.acts
    assert done.acted is not None
    assert rules_of(world.happens(INVITE)) == ["block", "outreach"]
    masked = happened(done.acted, [Obligation("/arguments", 0, 0, Action.REPLACE, "user")])
    passed = happened(done.acted, [])
    assert masked.acts[0].arguments[0].text is None
    place = At("lawful.annotated", 0, world.offset, world.time)
    world.offset += 1
    world.history = learn_later(world.history, place, passed)
    assert rules_of(world.happens(INVITE)) == ["forward"]


def test_an_event_is_no_past_of_itself() -> None:
    """A later share of the same event, redirected to the same person, is judged as the first was."""
    world = World(clinic(LIMIT))
    first = world.happens(INVITE, event_id="one")
    again = world.happens(INVITE, event_id="one")
    assert rules_of(first) == rules_of(again) == ["forward"]


def test_a_long_past_is_forgotten() -> None:
    """What no rule can see any more does not stay, once no event from then can be judged again."""
    world = World(clinic())
    for _ in range(300):
        world.offset += AGAIN // 10
        world.happens(QUERY, after=HOUR // 10)
    reach = (HOUR + MARGIN) // (HOUR // 10) + 10
    assert reach <= len(world.history.acts) <= reach * 1.3


def test_a_kept_monitor_forgets_the_ids_of_what_is_forgotten() -> None:
    """One whose rule is asked at another kind of act hears of every event, and knows as many ids as there are acts."""
    world = World(clinic())
    world.happens(INVITE)
    for _ in range(300):
        world.offset += AGAIN // 10
        world.happens(QUERY, after=HOUR // 10)
    assert world.memory is not None
    running = world.memory.get((world.policy.digest, "outreach", doing().key))
    assert running is not None
    assert running.acts is world.history.acts
    assert running.events <= {each.fact.event_id for each in world.history.acts}
    assert rules_of(world.happens(INVITE)) == ["forward"]


def test_what_an_event_saw_stays_while_it_may_be_judged_again() -> None:
    """However long ago by the clock: few records may take days."""
    world = World(clinic())
    for _ in range(300):
        world.happens(QUERY, after=HOUR)
    assert len(world.history.acts) == 300


def test_acts_of_an_older_policy_that_do_not_fit_any_more_are_left_out() -> None:
    """A predicate with another number of arguments is another predicate."""
    world = World(clinic())
    world.happens(act("query_record", "ada", "more"))
    assert rules_of(world.happens(INVITE)) == ["block", "outreach"]


def test_another_policys_acts_do_not_count() -> None:
    """Their words are not this policy's."""
    world = World(clinic(**{"id: clinic": "id: other"}))
    world.happens(QUERY)
    world.policy = clinic()
    assert rules_of(world.happens(INVITE)) == ["block", "outreach"]


def test_what_no_rule_speaks_of_costs_nothing() -> None:
    """No monitor is made, and the history learns nothing."""
    world = World(clinic())
    world.happens()
    assert world.memory is not None
    assert len(world.memory) == 0
    assert not world.history.acts


def test_a_failure_within_a_rule_blocks() -> None:
    """Fail closed: an error is a verdict."""
    world = World(clinic(rule("paid(a) IMPLIES NOT 10 / a > 2")))
    assert world.happens(act("paid", 0)).verdict.decision is Decision.BLOCK
    assert rules_of(world.happens(act("paid", 9))) == ["forward"]
