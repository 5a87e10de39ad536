"""What changes about the policy as a whole: its head, actions, limits, redaction and extraction."""

from collections.abc import Iterator, Mapping
from typing import Any

from lawful.policies.change import Change, either, looser, neutral, stricter
from lawful.policies.model import Policy
from lawful.schemas.verdict import Decision, Predicate


def header_changes(old: Policy, new: Policy) -> Iterator[Change]:
    """Name, version, controller and description."""
    for what, was, now in (
        ("id", old.id, new.id),
        ("version", old.version, new.version),
        ("controller", _controller(old), _controller(new)),
    ):
        if was != now:
            yield neutral(what, f"is '{now}' instead of '{was}'")
    if old.description != new.description:
        yield neutral("description", "is in other words")


def _controller(policy: Policy) -> str:
    return " ".join(part for part in (policy.controller.name, policy.controller.contact) if part)


def setting_changes(old: Policy, new: Policy) -> Iterator[Change]:
    """Actions, limits, redaction and extraction."""
    for predicate in Predicate:
        name = "a failed extraction" if predicate is Predicate.ERROR else f"a violation of {predicate.value}"
        yield from _action(name, old.actions[predicate], new.actions[predicate])
    yield from _action("a tool that is not named", old.undeclared_tool, new.undeclared_tool)
    yield from _limits(old, new)
    yield from _redaction(old, new)
    yield from _extraction(old, new)
    yield from _rego(old, new)


def _action(name: str, was: Decision, now: Decision) -> Iterator[Change]:
    if was is not now:
        yield either("actions", f"{name} leads to {now.word} instead of {was.word}", more_passes=now < was)


def _limits(old: Policy, new: Policy) -> Iterator[Change]:
    for name in ("max_bytes", "max_depth", "extraction_ms", "extraction_steps"):
        was, now = getattr(old.limits, name), getattr(new.limits, name)
        if was != now:
            yield either("limits", f"{name} is {now} instead of {was}", more_passes=now > was)


def _rego(old: Policy, new: Policy) -> Iterator[Change]:
    was, now = old.rego, new.rego
    if was is None or now is None:
        if was is not now:
            message = "rules in Rego are new" if was is None else "rules in Rego are gone"
            yield either("rego", message, more_passes=now is None)
        return
    if was.modules != now.modules:
        yield neutral("rego", "says something else; see --golden")
    if was.decision is not now.decision:
        message = f"a denial leads to {now.decision.word} instead of {was.decision.word}"
        yield either("rego", message, more_passes=now.decision < was.decision)
    for name in ("limit_ms", "memory_mb"):
        before, after = getattr(was, name), getattr(now, name)
        if before != after:
            yield either("rego", f"{name} is {after} instead of {before}", more_passes=after > before)


def _redaction(old: Policy, new: Policy) -> Iterator[Change]:
    was, now = old.redaction, new.redaction
    if was.default != now.default:
        yield neutral("redaction", f"text is treated by '{now.default}' instead of '{was.default}'")
    for category in sorted({*was.by_category, *now.by_category}):
        before, after = was.of(category), now.of(category)
        if before != after:
            yield neutral("redaction", f"{category} is treated by '{after}' instead of '{before}'")


def _extraction(old: Policy, new: Policy) -> Iterator[Change]:
    """What is found more is judged more; so knowing more is stricter, and knowing harmless things is looser."""
    was, now = _identifiers(old), _identifiers(new)
    for scheme in dict.fromkeys((*was, *now)):
        what = f"identifier {scheme}"
        if scheme not in was:
            yield stricter(what, "is found from now on")
        elif scheme not in now:
            yield looser(what, "is no longer found")
        elif was[scheme] != now[scheme]:
            yield neutral(what, "is found in another way")
    yield from _hints(old, new)
    yield from _harmless(old, new)


def _identifiers(policy: Policy) -> Mapping[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for rule in policy.extraction.identifiers:
        found.setdefault(rule.scheme, []).append(rule)
    return found


def _hints(old: Policy, new: Policy) -> Iterator[Change]:
    was, now = (
        {key: (hint.category, hint.scheme) for hint in reversed(policy.extraction.hints) for key in hint.keys}
        for policy in (old, new)
    )
    for key in sorted({*was, *now}):
        if key not in was:
            yield stricter(f"hint {key}", f"is {now[key][0]} from now on")
        elif key not in now:
            yield looser(f"hint {key}", f"is no longer known to be {was[key][0]}")
        elif was[key] != now[key]:
            yield neutral(f"hint {key}", f"is {now[key][0]} instead of {was[key][0]}")


def _harmless(old: Policy, new: Policy) -> Iterator[Change]:
    was, now = (
        {(key, rule.pattern) for rule in policy.extraction.not_personal for key in rule.keys} for policy in (old, new)
    )
    for key, pattern in sorted(now - was):
        yield looser(f"not personal {key}", f"values like {pattern} pass unjudged from now on")
    for key, pattern in sorted(was - now):
        yield stricter(f"not personal {key}", f"values like {pattern} are judged from now on")
