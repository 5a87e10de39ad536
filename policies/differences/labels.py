"""What changes about labels: who gives them, for how long, and who may lift which."""

from collections.abc import Collection, Iterator

from lawful.policies.change import Change, either, looser, neutral, stricter
from lawful.policies.explain import span
from lawful.policies.labels.model import Declassification, WithoutPlace
from lawful.policies.model import Policy
from lawful.schemas.taxonomy import covered_by


def label_changes(old: Policy, new: Policy) -> Iterator[Change]:
    """Everything about `labels`."""
    was, now = old.labels, new.labels
    for kind in sorted(now.givers - was.givers):
        yield stricter("labels", f"events of the kind {kind.value} give labels from now on")
    for kind in sorted(was.givers - now.givers):
        yield looser("labels", f"events of the kind {kind.value} give no labels any more")
    if was.keep != now.keep:
        yield either(
            "labels", f"are kept {span(now.keep)} instead of {span(was.keep)}", more_passes=now.keep < was.keep
        )
    if was.without_place is not now.without_place:
        withheld = now.without_place is WithoutPlace.WITHHOLD
        does = "its content is withheld" if withheld else "the event is blocked"
        yield either("labels", f"where nobody knows a place to redact, {does}", more_passes=withheld)
    for name in sorted({*was.declassify, *now.declassify}):
        what = f"declassification {name}"
        if name not in now.declassify:
            yield stricter(what, "is gone")
        elif name not in was.declassify:
            yield looser(what, "is new")
        else:
            yield from _declassification(what, was.declassify[name], now.declassify[name])


def _declassification(what: str, was: Declassification, now: Declassification) -> Iterator[Change]:
    for agent in sorted(now.agents - was.agents):
        yield looser(what, f"the agent '{agent}' may use it, too")
    for agent in sorted(was.agents - now.agents):
        yield stricter(what, f"the agent '{agent}' may no longer use it")
    yield from _names(what, "events for", was.purposes, now.purposes)
    yield from _names(what, "labels of", was.categories, now.categories)
    if was.why != now.why:
        yield neutral(what, "is in other words")


def _names(what: str, of: str, was: Collection[str], now: Collection[str]) -> Iterator[Change]:
    """Dotted names that cover what lies below them."""
    for name in sorted(now):
        if not covered_by(name, tuple(was)):
            yield looser(what, f"lifts {of} '{name}', too")
    for name in sorted(was):
        if not covered_by(name, tuple(now)):
            yield stricter(what, f"no longer lifts {of} '{name}'")
