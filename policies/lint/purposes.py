"""Purposes that nothing uses, that need nothing, or that stand in their own way."""

from collections.abc import Iterator

from lawful.policies.lint.flaw import Desk, Flaw
from lawful.policies.model import PurposeRule
from lawful.schemas.taxonomy import SpecialKind, categories, covers, special_kind


def check_purposes(desk: Desk) -> Iterator[Flaw]:
    """The flaws of `purposes`."""
    claimed = _claimed(desk)
    for key, rule in desk.policy.purposes.items():
        if key not in claimed:
            yield _unclaimed(desk, key)
        if not rule.necessary:
            yield _needs_nothing(desk, key)
        yield from _covered(desk, key)
        yield from _special_below(desk, rule)
        yield from _idle_conditions(desk, rule)


def _claimed(desk: Desk) -> set[str]:
    """The declared purposes that a tool or a message claims, itself or by a name below."""
    policy = desk.policy
    names = {name for tool in policy.tools.values() for name in tool.purposes} | set(policy.message_purposes)
    return {rule.key for name in names if (rule := policy.rule(name)) is not None}


def _unclaimed(desk: Desk, key: str) -> Flaw:
    return desk.flaw(
        "purpose_unclaimed",
        ("purposes", key),
        f"no tool and no message is for '{key}'",
        "it applies only where an agent declares it by itself",
        "bind a tool to it, list it under 'messages', or delete it",
        key=True,
    )


def _needs_nothing(desk: Desk, key: str) -> Flaw:
    return desk.flaw(
        "purpose_needs_nothing",
        ("purposes", key),
        f"the purpose '{key}' needs no category of data",
        "whatever personal data it meets counts as excess",
        "list what it needs under 'necessary'",
        key=True,
    )


def _covered(desk: Desk, key: str) -> Iterator[Flaw]:
    necessary = desk.written.document.purposes[key].necessary
    for index, category in enumerate(necessary):
        path = ("purposes", key, "necessary", index)
        if over := next((each for each in necessary if each != category and covers(each, category)), None):
            yield desk.flaw(
                "category_covered",
                path,
                f"'{category}' is listed beside '{over}'",
                "a category covers all that is below it, so this line changes nothing",
                f"delete it, or delete '{over}' if only the narrower one is needed",
            )
        elif category in necessary[:index]:
            yield desk.flaw("category_covered", path, f"'{category}' is listed twice", mend="delete it")


def _special_below(desk: Desk, rule: PurposeRule) -> Iterator[Flaw]:
    """Broad names reach special data below them, which no condition then allows."""
    for index, category in enumerate(desk.written.document.purposes[rule.key].necessary):
        below = [key for key in categories() if covers(category, key) and _lacks(rule, key)]
        if below and not _lacks(rule, category):
            yield desk.flaw(
                "special_below_without_condition",
                ("purposes", rule.key, "necessary", index),
                f"'{category}' also covers {_few(below)}, for which '{rule.key}' has no condition",
                "events that hold such data for this purpose violate P1 (Art. 9 and 10)",
                f"name what is needed below '{category}' instead, or state the condition",
            )


def _lacks(rule: PurposeRule, category: str) -> bool:
    kind = special_kind(category)
    if kind is SpecialKind.ARTICLE_9:
        return rule.article9 is None and not rule.by_consent
    return kind is SpecialKind.ARTICLE_10 and rule.article10 is None


def _idle_conditions(desk: Desk, rule: PurposeRule) -> Iterator[Flaw]:
    for word, kind, stated in (
        ("article9", SpecialKind.ARTICLE_9, rule.article9),
        ("article10", SpecialKind.ARTICLE_10, rule.article10),
    ):
        if stated is not None and not _reaches(rule, kind):
            yield desk.flaw(
                "condition_idle",
                ("purposes", rule.key, word),
                f"'{word}: {stated.value}' allows nothing",
                f"'{rule.key}' needs no category of that kind",
                "delete it, or list the category that it is for",
                key=True,
            )


def _reaches(rule: PurposeRule, kind: SpecialKind) -> bool:
    return any(special_kind(key) is kind and rule.needs(key) for key in categories())


def _few(names: list[str], most: int = 2) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
