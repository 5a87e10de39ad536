"""What changes about purposes: legal basis, conditions, categories, retention, erasure."""

from collections.abc import Iterator

from lawful.policies.change import Change, either, looser, neutral, stricter
from lawful.policies.explain import span
from lawful.policies.model import Policy, PurposeRule
from lawful.schemas.taxonomy import covered_by


def purpose_changes(old: Policy, new: Policy) -> Iterator[Change]:
    """The changes of `purposes`, each held against the rule that held for it before."""
    for key in dict.fromkeys((*old.purposes, *new.purposes)):
        what = f"purpose {key}"
        was, now = old.rule(key), new.rule(key)
        if was is None and now is not None:
            yield looser(what, f"is new, on the legal basis {now.legal_basis.value}")
        elif was is not None and now is None:
            yield stricter(what, "is gone: events that claim it violate P2")
        elif was is not None and now is not None:
            yield from _moved(what, key, was, now)
            yield from _rule_changes(what, was, now)


def _moved(what: str, key: str, was: PurposeRule, now: PurposeRule) -> Iterator[Change]:
    if was.key != key:
        yield neutral(what, f"has a rule of its own; until now that of '{was.key}' held")
    if now.key != key:
        yield neutral(what, f"has no rule of its own any more; that of '{now.key}' holds")


def _rule_changes(what: str, was: PurposeRule, now: PurposeRule) -> Iterator[Change]:
    yield from _basis(what, was, now)
    yield from _conditions(what, was, now)
    gone = sorted(each for each in was.necessary if not covered_by(each, now.necessary))
    more = sorted(each for each in now.necessary if not covered_by(each, was.necessary))
    if gone:
        kept = sorted(each for each in now.necessary if covered_by(each, gone))
        narrowed = f" (of it only {', '.join(kept)})" if kept else ""
        yield stricter(what, f"no longer needs {', '.join(gone)}{narrowed}")
    if more:
        yield looser(what, f"now needs {', '.join(more)}")
    if was.survives_erasure != now.survives_erasure:
        message = "now survives an erasure" if now.survives_erasure else "no longer survives an erasure"
        yield either(what, message, more_passes=now.survives_erasure)
    yield from _retention(what, was, now)
    if was.description != now.description:
        yield neutral(what, "is described in other words")


def _basis(what: str, was: PurposeRule, now: PurposeRule) -> Iterator[Change]:
    if was.legal_basis is now.legal_basis:
        return
    message = f"rests on {now.legal_basis.value} instead of {was.legal_basis.value}"
    if was.by_consent or now.by_consent:
        after = "personal data needs no consent any more" if was.by_consent else "personal data now needs consent"
        yield either(what, f"{message}: {after}", more_passes=was.by_consent)
    else:
        yield neutral(what, message)


def _conditions(what: str, was: PurposeRule, now: PurposeRule) -> Iterator[Change]:
    """Special data is barred without a condition, needs a consent that names it, or is free under another one."""
    if was.article9 is not now.article9:
        before, after = _word(was.article9), _word(now.article9)
        message = f"Art. 9(2) condition is {after} instead of {before}"
        if _freedom(was) == _freedom(now):
            yield neutral(what, message)
        else:
            yield either(what, message, more_passes=_freedom(now) > _freedom(was))
    if was.article10 is not now.article10:
        message = f"Art. 10 authorisation is {_word(now.article10)} instead of {_word(was.article10)}"
        if was.article10 is None or now.article10 is None:
            yield either(what, message, more_passes=was.article10 is None)
        else:
            yield neutral(what, message)


def _freedom(rule: PurposeRule) -> int:
    if rule.by_explicit_consent:
        return 1
    return 0 if rule.article9 is None else 2


def _word(condition: str | None) -> str:
    return "none" if condition is None else str(condition)


def _retention(what: str, was: PurposeRule, now: PurposeRule) -> Iterator[Change]:
    if was.retention != now.retention:
        longer = now.retention is None or (was.retention is not None and now.retention > was.retention)
        yield either(what, f"retention is {span(now.retention)} instead of {span(was.retention)}", more_passes=longer)
