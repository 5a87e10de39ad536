"""How much a policy's rules make the product remember, said so that its author sees it before it grows."""

from collections.abc import Iterator

from lawful.policies.model import Policy
from lawful.policies.rules.model import Horizon, SliceRules
from lawful.policies.rules.vocabulary import FACTS

_UNITS = (("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000))


def bounds(policy: Policy) -> tuple[str, ...]:
    """One line for each thing that is remembered, such as `keeps at most 1 h of query_record per subject`.

    Some minutes are added to each, and what an event of the partition's last 8,192 may ask for when it
    is judged again. Consents and requests are kept anyway.
    """
    if policy.rules is None:
        return ()
    return tuple(line for slice_, rules in policy.rules.slices.items() for line in _lines(slice_.value, rules))


def warnings(policy: Policy) -> tuple[str, ...]:
    """What is not as the author of the rules may think, in sentences."""
    return policy.rules.warnings if policy.rules else ()


def _lines(slice_: str, rules: SliceRules) -> Iterator[str]:
    if rules.every is not None:
        yield _line("every event", rules.every, slice_, [rule.name for rule in rules.rules if rule.every])
    for name, horizon in sorted(rules.remembers.items()):
        if name not in FACTS:
            yield _line(name, horizon, slice_, [rule.name for rule in rules.rules if name in rule.remembers])


def _line(what: str, horizon: Horizon, slice_: str, names: list[str]) -> str:
    if horizon.reach is None:
        return f"keeps {what} per {slice_} for ever: give {', '.join(names)} an upper bound, as in ONCE[0,30d]"
    return f"keeps at most {_duration(horizon.reach)} of {what} per {slice_}"


def _duration(micros: int) -> str:
    number, unit = next(((micros // size, name) for name, size in _UNITS if micros % size == 0), (micros, "us"))
    return f"{number} {unit}"
