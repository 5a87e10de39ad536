"""All stories of the fleet, from one seed."""

from random import Random

from lawful.infra.fleet import airline, finassist, medagent, shopper
from lawful.infra.fleet.people import Crowd
from lawful.infra.fleet.script import Story

TRADES = (shopper, airline, medagent, finassist)


def stories(seed: int = 7, *, scale: int = 1) -> tuple[tuple[Story, ...], ...]:
    """Casts of stories: those in one cast concern the same people and are told in order.

    Args:
        seed: the same seed gives the same stories.
        scale: how many times as many.
    """
    random = Random(seed)  # noqa: S311 - made-up people, not secrets
    crowd = Crowd(random)
    casts = [
        tell(crowd, f"{trade.POLICY}-{tell.__name__.replace('_', '-')}-{number + 1}")
        for trade in TRADES
        for tell, times in trade.STORIES
        for number in range(times * scale)
    ]
    random.shuffle(casts)
    # What has to wait for time to pass begins first.
    casts.sort(key=lambda cast: -sum(step.pause_ms for story in cast for step in story.steps))
    return tuple(casts)
