"""Rules at an event: peek, decide, then remember what really passed.

A monitor is asked what would be violated if the event happened as it is. Only what then passes,
as it passes, becomes part of the past: a blocked event leaves nothing, a masked one has no values
where it was masked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lawful.policies.answering import At, Judgement
from lawful.policies.lattice import in_order, obligations_in_order, strictest
from lawful.policies.mfotl.monitor import Monitor
from lawful.policies.mfotl.nodes import Row
from lawful.policies.model import Policy, Treatment
from lawful.policies.obligations import owed
from lawful.policies.rules import unreadable
from lawful.policies.rules.memory import Entries, Key, RuleMemory, Running
from lawful.policies.rules.model import NONE, Rule, SliceRules
from lawful.policies.rules.remembering import Acts, acts_before, learn
from lawful.policies.rules.trace import Facts, happened, now, points, rows_of, to_remember
from lawful.policies.rules.vocabulary import FACTS
from lawful.schemas.event import Micros
from lawful.schemas.history import Act, ActedEntry, ActedFact, History
from lawful.schemas.verdict import Action, Decision, Obligation, Verdict, Violation
from lawful.schemas.view import View

REASON = "rule_violated"
MASKED = "system.rule"
"""What stands for a category where a rule, and no finding, has an argument masked."""

_MOST_WITNESSES = 3


def judge_rules(  # noqa: PLR0913, PLR0917 - what an event is judged by
    view: View, at: At, history: History, policy: Policy, base: Judgement, memory: RuleMemory | None
) -> Judgement:
    """The judgement with what the policy's rules have to say added to that of the four predicates.

    Args:
        view: the event as it concerns the subject, session, agent or tenant.
        at: its place; only facts from before count.
        history: what is known there, possibly including later facts.
        policy: with rules.
        base: what the four predicates say.
        memory: monitors kept from earlier events; changes no verdict.
    """
    rules = policy.rules.over(view) if policy.rules else NONE
    acts = now(view, policy, rules)
    case = _Case(view, at, history, policy, acts, memory)
    try:
        return _judged(case, rules, base)
    except Exception:
        case.forget(rules)
        raise


def _judged(case: "_Case", rules: SliceRules, base: Judgement) -> Judgement:
    view, at, history = case.view, case.at, case.history
    broken = [(rule, each) for rule in rules.rules if (each := _violation(rule, case)) is not None]
    verdict = _with(base.verdict, case, broken)
    if verdict.decision is Decision.BLOCK:
        case.nothing_happened(rules)
        return Judgement(verdict, history)
    fact = to_remember(view, case.acts, rules, case.policy)
    if fact is None or view.fact is not None:
        return Judgement(verdict, base.history)
    if view.shared:
        # Whether all of the event passes is known when all its shares are: see `learn_later`.
        case.nothing_happened(rules)
        return Judgement(verdict, base.history, fact)
    passed = happened(fact, verdict.obligations)
    after = learn(base.history, at.offset, at.recorded_at, passed)
    case.follow(rules, passed, after)
    return Judgement(verdict, after)


class _Case:
    """One event before the rules."""

    def __init__(  # noqa: PLR0913, PLR0917 - what an event is judged by
        self, view: View, at: At, history: History, policy: Policy, acts: Sequence[Act], memory: RuleMemory | None
    ) -> None:
        self.view = view
        self.at = at
        self.history = history
        self.policy = policy
        self.acts = acts
        self._memory = memory
        self.predicates = policy.rules.predicates if policy.rules else {}
        self._facts = rows_of(acts, self.predicates, view.event_id)
        self._past: Acts = acts_before(history, at.offset)
        entries = history.entries
        late = entries and entries[-1].offset >= at.offset
        self._entries: Entries = tuple(e for e in entries if e.offset < at.offset) if late else entries
        self._up_to_date = self._past is history.acts and not late
        self._asked: dict[str, int] = {}

    def witnesses(self, rule: Rule) -> set[Row]:
        """The values with which the event breaks a rule."""
        if rule.causes is not None and not any(name in self._facts for name in rule.causes):
            return set()
        if self.view.fact is not None and not (rule.causes is None or rule.causes & FACTS):
            return set()
        running = self._running(rule)
        stamp = max(self.at.recorded_at, running.latest)
        if stamp < running.stamp:
            # It was asked about a later time already; a new one has not been.
            running = self._keep(rule, self._replayed(rule))
        running.stamp = self._asked[rule.name] = stamp
        return running.monitor.step(stamp, self._facts)

    def _key(self, rule: Rule) -> Key:
        return (self.policy.digest, rule.name, self.view.key)

    def _running(self, rule: Rule) -> Running:
        """A monitor that knows just the facts from before the event."""
        kept = self._memory.get(self._key(rule)) if self._memory and self._up_to_date else None
        if kept is not None and kept.entries is self._of_subject(rule) and self.view.event_id not in kept.events:
            if kept.acts is self._past:
                return kept
            known = len(kept.acts)
            if self._past[:known] == kept.acts and self._caught_up(kept, self._past[known:]):
                kept.stands_at(self._past)
                if self.view.event_id not in kept.events:
                    return kept
        return self._keep(rule, self._replayed(rule))

    def _of_subject(self, rule: Rule) -> Entries:
        return self._entries if FACTS & rule.looks_at else ()

    def _caught_up(self, running: Running, news: Iterable[ActedEntry]) -> bool:
        for entry in news:
            if entry.recorded_at < running.stamp:
                return False
            if entry.fact.policy_id == self.policy.id:
                self._learn(running, entry.recorded_at, entry.fact)
        return True

    def _learn(self, running: Running, stamp: Micros, fact: ActedFact) -> None:
        running.monitor.learn(stamp, rows_of(fact.acts, self.predicates, fact.event_id))
        running.latest = running.stamp = stamp
        running.events.add(fact.event_id)

    def _replayed(self, rule: Rule) -> Running:
        entries = self._of_subject(rule)
        running = Running(Monitor(rule.program), self._past, entries)
        running.events.update(each.fact.event_id for each in self._past)
        for stamp, facts in points(self._past, entries, self.policy, rule.looks_at, self.view.event_id):
            running.monitor.learn(stamp, facts)
            running.latest = running.stamp = stamp
        return running

    def _keep(self, rule: Rule, running: Running) -> Running:
        if self._memory is not None and self._up_to_date and self.view.event_id not in running.events:
            self._memory.keep(self._key(rule), running)
        return running

    def nothing_happened(self, rules: SliceRules) -> None:
        """Forgets the monitors that have taken in what did not happen (yet)."""
        for rule in rules.rules:
            if self._memory is not None and rule.name in self._asked and self._leaves(rule):
                self._memory.drop(self._key(rule))

    def forget(self, rules: SliceRules) -> None:
        """Forgets every monitor of this slice."""
        for rule in rules.rules:
            if self._memory is not None:
                self._memory.drop(self._key(rule))

    def _leaves(self, rule: Rule) -> bool:
        return rule.every is not None or any(name in rule.remembers for name in self._facts)

    def follow(self, rules: SliceRules, passed: ActedFact, after: History) -> None:
        """Has the kept monitors know what passed."""
        if self._memory is None or not self._up_to_date or after.acts is self._past:
            return
        masked = rows_of(passed.acts, self.predicates, passed.event_id)
        for rule in rules.rules:
            running = self._memory.get(self._key(rule))
            if running is None or running.acts is not self._past:
                continue
            if self._took_in(rule, running, passed, masked):
                running.stands_at(after.acts)
            else:
                self._memory.drop(self._key(rule))

    def _took_in(self, rule: Rule, running: Running, passed: ActedFact, facts: Facts) -> bool:
        """Has one monitor know it, if it does not already and still can."""
        stamp, asked = self.at.recorded_at, self._asked.get(rule.name)
        if asked is not None:
            same = all(facts.get(name) == self._facts.get(name) for name in rule.remembers if name not in FACTS)
            running.latest = max(running.latest, stamp)
            running.events.add(passed.event_id)
            return not self._leaves(rule) or (same and asked == stamp)
        if stamp < running.stamp:
            return False
        self._learn(running, stamp, passed)
        return True


def learn_later(history: History, at: At, fact: ActedFact) -> History:
    """The history with what an event of several shares did, once all of it has passed."""
    return learn(history, at.offset, at.recorded_at, fact)


def _with(verdict: Verdict, case: _Case, broken: Sequence[tuple[Rule, Violation]]) -> Verdict:
    """The verdict with the violations of the broken rules, and what they demand."""
    if not broken:
        return verdict
    violations = in_order([*verdict.violations, *(violation for _, violation in broken)])
    decision = strictest(violations)
    demanded = [each for rule, _ in broken for each in _masks(rule, case)]
    obligations = obligations_in_order([*verdict.obligations, *demanded])
    return replace(
        verdict,
        decision=decision,
        violations=violations,
        obligations=obligations if decision is Decision.REDACT else (),
        outcome=None if decision is Decision.BLOCK else verdict.outcome,
        exceptions=() if decision is Decision.BLOCK else verdict.exceptions,
    )


def _violation(rule: Rule, case: _Case) -> Violation | None:
    """How the event breaks a rule; `None` if it does not."""
    rows = case.witnesses(rule)
    blanks = unreadable.unreadable(rule, case.acts, case.predicates)
    if not rows and not blanks:
        return None
    if rows:
        said = "; ".join(_said(rule, row) for row in sorted(rows, key=repr)[:_MOST_WITNESSES])
    else:
        said = ", ".join(f"{name} of {predicate} cannot be read" for predicate, name in sorted(set(blanks)))
    decision = unreadable.consequence(rule, case.acts, case.predicates)
    return _broken(rule, case.view, REASON if rows else unreadable.REASON, decision, said)


def _broken(rule: Rule, view: View, reason: str, decision: Decision, said: str) -> Violation:
    return Violation(
        rule=rule.name,
        reason=reason,
        # What happens to a subject's standing cannot be stopped any more.
        decision=Decision.WARN if view.fact is not None else decision,
        message=f"{rule.message} ({said})" if said else rule.message,
        subject=view.subject,
        article=rule.article,
        evidence=(view.event_id,),
    )


def _said(rule: Rule, row: Row) -> str:
    """A witness: numbers and words of the policy in clear, digests by their beginning."""
    return ", ".join(f"{name}={_short(value)}" for name, value in zip(rule.program.vars, row, strict=True))


def _short(value: object) -> str:
    if not isinstance(value, str):
        return str(value)
    if value.startswith("?"):
        return "?"
    return f"{value[:8]}..." if len(value) == _DIGEST and set(value) <= _HEX else value


_DIGEST = 32
_HEX = frozenset("0123456789abcdef")


def _masks(rule: Rule, case: _Case) -> Iterable[Obligation]:
    """One obligation for each argument that the rule wants masked."""
    for act in case.acts:
        fields = rule.masks.get(act.name, frozenset())
        if fields and case.policy.rules:
            parameters = case.policy.rules.predicates[act.name].parameters
            for parameter, argument in zip(parameters, act.arguments, strict=True):
                if parameter.name in fields:
                    yield _obligation(case, argument.path)


def _obligation(case: _Case, path: str) -> Obligation:
    category = next((each.category for each in case.view.findings if each.path == path), MASKED)
    treatment = case.policy.redaction.of(category) if category != MASKED else Treatment(Action.REPLACE)
    return owed(path, 0, 0, treatment, category)
