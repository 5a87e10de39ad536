"""What changes about tools and messages: which there are, and what binding them anew leads to."""

from collections.abc import Iterator, Sequence

from lawful.policies.change import Change, either, looser, neutral, stricter
from lawful.policies.model import Policy, PurposeRule, ToolRule
from lawful.schemas.taxonomy import covered_by
from lawful.schemas.verdict import Decision


def tool_changes(old: Policy, new: Policy) -> Iterator[Change]:
    """The changes of `tools` and `messages`."""
    for name in dict.fromkeys((*old.tools, *new.tools)):
        was, now = old.tools.get(name), new.tools.get(name)
        if was is not None and now is not None:
            yield from _changed(old, new, was, now)
        elif now is not None:
            yield looser(f"tool {name}", f"is new, for {_list(now.purposes)}; until now it was {_outcome(old)}")
        else:
            yield stricter(f"tool {name}", f"is gone: a call of it is {_outcome(new)}")
    yield from _rebound(old, new, "messages", old.message_purposes, new.message_purposes)


def _outcome(policy: Policy) -> str:
    return {
        Decision.FORWARD: "let through",
        Decision.WARN: "warned about",
        Decision.REDACT: "redacted",
        Decision.BLOCK: "blocked",
    }[policy.undeclared_tool]


def _changed(old: Policy, new: Policy, was: ToolRule, now: ToolRule) -> Iterator[Change]:
    what = f"tool {now.name}"
    yield from _rebound(old, new, what, was.purposes, now.purposes)
    if was.recipient is not now.recipient:
        yield neutral(what, f"goes to {now.recipient.value} instead of {was.recipient.value}")
    if was.schema != now.schema:
        yield neutral(what, "its arguments have another schema")
    if was.description != now.description:
        yield neutral(what, "is described in other words")


def _rebound(old: Policy, new: Policy, what: str, was: Sequence[str], now: Sequence[str]) -> Iterator[Change]:
    """A binding is neutral by itself; each of its consequences has a direction.

    What changes because a purpose's own rule changed is said at the purpose, not here.
    """
    if tuple(was) == tuple(now):
        return
    yield neutral(what, f"is for {_list(now)} instead of {_list(was)}")
    # Both bindings are looked at through one set of rules, so that only the rebinding counts.
    before, after = (_rules(old, new, names) for names in (was, now))
    yield from _carries(what, before, after)
    yield from _consents(what, before, after)
    if bool(was) != bool(now):
        message = (
            "is for something: personal data in it may pass" if now else "is for nothing: personal data violates P2"
        )
        yield either(what, message, more_passes=bool(now))
    survived, survives = (bool(rules) and all(rule.survives_erasure for rule in rules) for rules in (before, after))
    if survived != survives:
        yield either(what, f"{'goes on' if survives else 'stops'} after an erasure", more_passes=survives)


def _rules(old: Policy, new: Policy, names: Sequence[str]) -> list[PurposeRule]:
    return [rule for name in names if (rule := new.rule(name) or old.rule(name)) is not None]


def _carries(what: str, before: Sequence[PurposeRule], after: Sequence[PurposeRule]) -> Iterator[Change]:
    could, can = ({name for rule in rules for name in rule.necessary} for rules in (before, after))
    if more := sorted(name for name in can if not covered_by(name, could)):
        yield looser(what, f"may now carry {', '.join(more)}")
    if less := sorted(name for name in could if not covered_by(name, can)):
        yield stricter(what, f"may no longer carry {', '.join(less)}")


def _consents(what: str, before: Sequence[PurposeRule], after: Sequence[PurposeRule]) -> Iterator[Change]:
    had, has = ({rule.key for rule in rules if rule.by_consent} for rules in (before, after))
    if more := sorted(has - had):
        yield stricter(what, f"now needs consent to {', '.join(more)}")
    if less := sorted(had - has):
        yield looser(what, f"no longer needs consent to {', '.join(less)}")


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"
