"""What changes about temporal rules: which there are, what they say, and what breaking them leads to."""

from collections.abc import Iterator

from lawful.policies.change import Change, either, looser, neutral, stricter
from lawful.policies.explain_rules import rules_of
from lawful.policies.mfotl.parser import parse
from lawful.policies.mfotl.syntax import show
from lawful.policies.model import Policy
from lawful.policies.rules.model import Predicate, Rule


def rule_changes(old: Policy, new: Policy) -> Iterator[Change]:
    """The changes of `rules` and `predicates`."""
    before, after = rules_of(old), rules_of(new)
    for name in dict.fromkeys((*before, *after)):
        what = f"rule {name}"
        was, now = before.get(name), after.get(name)
        if was is not None and now is not None:
            yield from _changed(what, was, now)
        elif now is not None:
            yield stricter(what, f"is new: {_formula(now)}, else {now.decision.word}")
        else:
            yield looser(what, "is gone")
    yield from _predicates(old, new)


def _changed(what: str, was: Rule, now: Rule) -> Iterator[Change]:
    if was.decision is not now.decision:
        message = f"leads to {now.decision.word} instead of {was.decision.word}"
        yield either(what, message, more_passes=now.decision < was.decision)
    # Which of two formulas is stricter cannot be decided in general.
    if _formula(was) != _formula(now):
        yield neutral(what, f"says {_formula(now)} instead of {_formula(was)}")
    if was.slice is not now.slice:
        yield neutral(what, f"is about one {now.slice.value} instead of one {was.slice.value}")
    if was.masks != now.masks:
        yield neutral(what, "masks other arguments")
    if (was.message, was.article) != (now.message, now.article):
        yield neutral(what, "is explained in other words")


def _formula(rule: Rule) -> str:
    return show(parse(rule.formula, always=True))


def _predicates(old: Policy, new: Policy) -> Iterator[Change]:
    """Predicates that stay and are read off events in another way; others come and go with their rules."""
    was, now = _own(old), _own(new)
    for name in sorted(was.keys() & now.keys()):
        if was[name] != now[name]:
            yield neutral(f"predicate {name}", "is read off events in another way")


def _own(policy: Policy) -> dict[str, Predicate]:
    return {} if policy.rules is None else dict(policy.rules.predicates)
