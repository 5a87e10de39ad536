"""The decision on an event with the labels of its causes: what workers, golden cases and replays ask."""

from collections.abc import Callable

from lawful.policies.answering import At, Judgement
from lawful.policies.combinations.judging import tell
from lawful.policies.judge import judge
from lawful.policies.labels.flowing import carry_on, inherit
from lawful.policies.model import Policy
from lawful.policies.rules.memory import RuleMemory
from lawful.schemas.history import History
from lawful.schemas.verdict import Violation
from lawful.schemas.view import View

Denials = Callable[[View], tuple[Violation, ...]]
"""What the policy's own Rego rules say against a view."""


def judge_labelled(  # noqa: PLR0913, PLR0917 - what an event is judged by
    view: View,
    at: At,
    history: History,
    policy: Policy,
    memory: RuleMemory | None = None,
    denials: Denials = lambda _: (),
) -> tuple[View, Judgement]:
    """As `lawful.policies.judge.judge`, of the event with what it inherits.

    Returns:
        The view that was judged, and its judgement; the history has what the event carries on, and what it told.
    """
    what = inherit(view, at, history, policy)
    done = judge(what.view, at, history, policy, memory, (*denials(what.view), *what.violations))
    return what.view, tell(carry_on(done, history, what, at, policy), what.view, at, policy)
