"""What changes about recipients: channels that come and go, and what becomes of each kind of data on them."""

from collections.abc import Iterator, Mapping

from lawful.policies.change import Change, either, looser, neutral, stricter
from lawful.policies.channels.model import PASS, Channel, Channels, Handling
from lawful.policies.model import Policy
from lawful.schemas.verdict import Action

# The one that leaves most first; of two forms, the later one leaves less.
_FORMS = (Action.GENERALISE, Action.HASH, Action.PLACEHOLDER, Action.REPLACE, Action.MASK, Action.REMOVE)


def channel_changes(old: Policy, new: Policy) -> Iterator[Change]:
    """Everything about `recipients`, `roles`, `regions` and `structured`."""
    was, now = old.channels or Channels(), new.channels or Channels()
    for name in sorted({*was.rules, *now.rules}):
        what = f"channel {name}"
        if name not in now.rules:
            yield looser(what, "is gone")
        elif name not in was.rules:
            yield stricter(what, "is new")
        else:
            yield from _channel(what, was.rules[name], now.rules[name])
    yield from _people("role", was.roles, now.roles)
    yield from _people("region", was.regions, now.regions)
    for name in sorted({*was.actions, *now.actions}):
        if was.actions.get(name) != now.actions.get(name):
            word = "is gone" if name not in now.actions else "is new" if name not in was.actions else "is another one"
            yield neutral(f"structured action {name}", word)
    before, after = ({(each.category, each.pattern) for each in one.marks if each.pattern} for one in (was, now))
    for category in sorted({name for name, _ in before} & {name for name, _ in after - before}):
        yield neutral(f"pattern {category}", "is another one")


def _channel(what: str, was: Channel, now: Channel) -> Iterator[Change]:
    if (was.to, was.exempt, was.sender) != (now.to, now.exempt, now.sender):
        yield neutral(what, "holds for others than before")
    for category in sorted({*was.categories, *now.categories}):
        yield from _handling(what, category, was.of(category), now.of(category))
    for mark in sorted({*was.marks, *now.marks}):
        yield from _handling(what, mark, was.marks.get(mark, PASS), now.marks.get(mark, PASS))
    yield from _handling(what, "everything else", was.otherwise, now.otherwise)
    if was.actions != now.actions:
        yield from _agreed(what, was.actions, now.actions)
    if (was.message, was.article) != (now.message, now.article):
        yield neutral(what, "is in other words")


def _handling(what: str, of: str, was: Handling, now: Handling) -> Iterator[Change]:
    if was == now:
        return
    message = f"{of}: {now} instead of {was}"
    if _rank(was) == _rank(now):
        yield neutral(what, message)
    else:
        yield either(what, message, more_passes=_rank(now) < _rank(was))


def _rank(handling: Handling) -> tuple[int, int]:
    form = _FORMS.index(handling.treatment.action) if handling.treatment else 0
    return (int(handling.decision), form)


def _agreed(what: str, was: frozenset[str] | None, now: frozenset[str] | None) -> Iterator[Change]:
    if was is None:
        yield stricter(what, f"messages must be {', '.join(sorted(now or ())) or 'nothing'}")
    elif now is None:
        yield looser(what, "messages may be anything")
    else:
        for name in sorted(now - was):
            yield looser(what, f"messages may also be '{name}'")
        for name in sorted(was - now):
            yield stricter(what, f"messages may no longer be '{name}'")


def _people(kind: str, was: Mapping[str, tuple[str, ...]], now: Mapping[str, tuple[str, ...]]) -> Iterator[Change]:
    for name in sorted({*was, *now}):
        before, after = was.get(name, ()), now.get(name, ())
        if set(before) != set(after):
            yield neutral(
                f"{kind} {name}", f"is {', '.join(after) or 'nobody'} instead of {', '.join(before) or 'nobody'}"
            )
