"""Settings that let more pass than Lawful's defaults would: allowed, but said aloud."""

from collections.abc import Iterator

from lawful.policies.lint.flaw import Desk, Flaw
from lawful.policies.model import DEFAULT_ACTIONS, Treatment
from lawful.schemas.generalising import HOW
from lawful.schemas.taxonomy import line
from lawful.schemas.verdict import Action, Decision, Predicate

_ABOUT = {
    Predicate.CONSENT: "data whose subject has not agreed",
    Predicate.PURPOSE: "data used for purposes that the policy does not declare",
    Predicate.MINIMISATION: "data that no purpose needs",
    Predicate.ERASURE: "data of people who were erased",
    Predicate.ERROR: "content that could not be searched for personal data",
}
_PLACES = {Predicate.ERROR: ("on_extraction_failure",)}


def check_actions(desk: Desk) -> Iterator[Flaw]:
    """The flaws of `actions`, `on_extraction_failure` and `redaction`."""
    for predicate, default in DEFAULT_ACTIONS.items():
        action = desk.policy.actions[predicate]
        if action < default:
            yield desk.flaw(
                "action_looser",
                _PLACES.get(predicate, ("actions", predicate.value)),
                f"{_name(predicate)} leads to '{action.word}', where the default is '{default.word}'",
                f"{_ABOUT[predicate]} passes" + ("" if action is Decision.WARN else " once findings are redacted"),
                f"set it to '{default.word}', or say why not",
                key=True,
            )
    if desk.policy.undeclared_tool < Decision.BLOCK and desk.written.document.actions.undeclared_tool is not None:
        yield desk.flaw(
            "action_looser",
            ("actions", "undeclared_tool"),
            f"a tool that the policy does not name leads to '{desk.policy.undeclared_tool.word}'",
            "nobody said what such a tool is for",
            "set it to 'block', or say why not",
            key=True,
        )
    yield from _redaction(desk)


def _name(predicate: Predicate) -> str:
    return "a failed extraction" if predicate is Predicate.ERROR else f"a violation of {predicate.value}"


def _redaction(desk: Desk) -> Iterator[Flaw]:
    redaction = desk.policy.redaction
    for category in redaction.by_category:
        above = next((name for name in line(category)[1:] if name in redaction.by_category), None)
        beside = redaction.by_category[above] if above else redaction.default
        if redaction.by_category[category] == beside:
            yield desk.flaw(
                "redaction_repeats",
                ("redaction", "by_category", category),
                f"'{category}' is treated as '{above}' is" if above else f"'{category}' is treated as all else is",
                "the line changes nothing",
                "delete it",
                key=True,
            )
        if redaction.of(category) == Treatment(Action.GENERALISE):
            yield desk.flaw(
                "generalise_idle",
                ("redaction", "by_category", category),
                f"'{category}' has no coarser form of its own",
                "text that cannot be generalised is replaced",
                f"say how: {{generalise: {HOW[0]}}}, or 'replace'",
                key=True,
            )
