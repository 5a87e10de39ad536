"""What one would write first: keep the log, and read all of it again for every event.

It gives the same verdicts (a consent that was blocked must not count, so each event of the trace is
decided again), and its cost grows with the trace. That is what the others are for.
"""

from lawful.infra.bench.workload import Given
from lawful.policies.judge import Judgement, judge
from lawful.schemas.history import EMPTY


def judge_from_trace(given: Given) -> Judgement:
    """Decide on an event from its subject's events alone; nothing is remembered between calls."""
    history = EMPTY
    for past in given.before:
        history = judge(past.view, past.at, history, past.policy).history
    return judge(given.view, given.at, history, given.policy)
