"""Channels and combinations that say nothing, say it twice, or demand what nobody can send."""

from collections.abc import Iterator

from lawful.policies.channels.model import PASS, Channels
from lawful.policies.combinations.model import meets
from lawful.policies.lint.flaw import Desk, Flaw
from lawful.schemas.taxonomy import line
from lawful.schemas.verdict import Decision


def check_channels(desk: Desk) -> Iterator[Flaw]:
    """The flaws of `recipients`, `roles`, `regions` and `structured`."""
    known = desk.policy.channels or Channels()
    document = desk.written.document
    for index, written in enumerate(document.recipients):
        channel = known.rules[written.name]
        if channel.actions is None and all(
            each == PASS for each in (*channel.categories.values(), *channel.marks.values(), channel.otherwise)
        ):
            yield desk.flaw(
                "channel_says_nothing",
                ("recipients", index),
                f"the channel '{channel.name}' lets everything pass",
                "a channel can only make a verdict stricter, so it changes nothing",
                "say what must not pass as it is, or delete it",
            )
        for category, handling in channel.categories.items():
            above = next((name for name in line(category)[1:] if name in channel.categories), None)
            if handling == (channel.categories[above] if above else channel.otherwise):
                yield desk.flaw(
                    "channel_repeats",
                    ("recipients", index, "categories", category),
                    f"'{category}' is handled as {f'{above!r} is' if above else 'everything else is'}",
                    "the line changes nothing",
                    "delete it",
                    key=True,
                )
    yield from _combinations(desk, known)
    yield from _unused(desk, known)


def _combinations(desk: Desk, known: Channels) -> Iterator[Flaw]:
    needed = [name for rule in desk.policy.purposes.values() for name in rule.necessary]
    for index, written in enumerate(desk.written.document.combinations):
        rule = known.combinations[written.name]
        reached = [each for each in rule.members if any(meets(each, name) for name in needed)]
        if len(reached) <= rule.most:
            yield desk.flaw(
                "combination_never_met",
                ("combinations", index),
                f"purposes need {len(reached)} of these categories, and '{rule.name}' allows {rule.most}",
                "P3 takes the others away, so it is never too much",
                "allow fewer, or delete it",
            )
        if rule.handling.decision is Decision.WARN:
            yield desk.flaw(
                "combination_only_noted",
                ("combinations", index, "do"),
                f"what '{rule.name}' finds too much passes, with a warning",
                "the recipient learns it",
                "block it, or say a form",
            )


def _unused(desk: Desk, known: Channels) -> Iterator[Flaw]:
    document = desk.written.document
    rules = known.rules.values()
    whos = [who for each in rules for who in (each.to, each.sender, each.exempt) if who is not None]
    whos += [who for each in known.combinations.values() for who in (each.to, each.exempt) if who is not None]
    parts = (
        ("roles", "role", document.roles, {name for who in whos for name in who.roles}),
        ("regions", "region", document.regions, {name for who in whos for name in (*who.regions, *who.outside)}),
        (
            "structured",
            "structured action",
            document.structured,
            {name for each in rules for name in each.actions or ()},
        ),
    )
    for key, what, declared, used in parts:
        for name in declared:
            if name not in used:
                yield desk.flaw(
                    "channel_part_unused",
                    (key, name),
                    f"no channel speaks of the {what} '{name}'",
                    "nothing is held to it",
                    "name it in 'recipients', or delete it",
                    key=True,
                )
