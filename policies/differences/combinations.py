"""What changes about combinations: rules that come and go, and how much one recipient may learn."""

from collections.abc import Iterator

from lawful.policies.change import Change, either, looser, neutral, stricter
from lawful.policies.channels.model import Channels
from lawful.policies.combinations.model import Combination
from lawful.policies.explain import span
from lawful.policies.model import Policy


def combination_changes(old: Policy, new: Policy) -> Iterator[Change]:
    """Everything about `combinations`."""
    was, now = ((policy.channels or Channels()).combinations for policy in (old, new))
    for name in sorted({*was, *now}):
        what = f"combination {name}"
        if name not in now:
            yield looser(what, "is gone")
        elif name not in was:
            yield stricter(what, "is new")
        else:
            yield from _combination(what, was[name], now[name])


def _combination(what: str, was: Combination, now: Combination) -> Iterator[Change]:
    if (was.to, was.exempt) != (now.to, now.exempt):
        yield neutral(what, "holds for others than before")
    for name in sorted(set(now.members) - set(was.members)):
        yield stricter(what, f"counts '{name}', too")
    for name in sorted(set(was.members) - set(now.members)):
        yield looser(what, f"no longer counts '{name}'")
    if was.most != now.most:
        yield either(what, f"at most {now.most} instead of {was.most}", more_passes=now.most > was.most)
    if was.keep != now.keep:
        message = f"what was told counts for {span(now.keep)} instead of {span(was.keep)}"
        yield either(what, message, more_passes=now.keep < was.keep)
    if was.handling.decision is not now.handling.decision:
        message = f"what is too much: {now.handling} instead of {was.handling}"
        yield either(what, message, more_passes=now.handling.decision < was.handling.decision)
    elif was.handling != now.handling:
        yield neutral(what, f"what is too much: {now.handling} instead of {was.handling}")
    if (was.message, was.article) != (now.message, now.article):
        yield neutral(what, "is in other words")
