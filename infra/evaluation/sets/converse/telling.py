"""What came of ConVerse's attacks, for JSON and for tables."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from lawful.infra.evaluation.sets.converse.playing import ARMS, Found
from lawful.infra.evaluation.suites import Grid
from lawful.infra.evaluation.talk import Tier
from lawful.infra.evaluation.tally import Rate
from lawful.infra.ingest.report import Report

SECURITY: Final = "security:"


def as_document(found: Found, report: Report) -> dict[str, Any]:
    """Everything, in counts and rates."""
    return {
        "set": "converse",
        "personas": found.personas,
        "attacks": sum(count for (arm, *_, what), count in found.counts.items() if (arm, what) == ("none", "attacks")),
        "arms": {
            arm.name: {
                **_rates(found, arm.name, ""),
                "by_class": {kind: _rate(found, arm.name, (kind,)) for kind in _kinds(found)},
                "by_domain": {domain: _rates(found, arm.name, domain) for domain in _domains(found)},
            }
            for arm in ARMS
        },
        "options_through": {
            domain: Rate(found.options[f"{domain} through"], found.options[f"{domain} lines"]).as_dict()
            for domain in _domains(found)
        },
        "problems": [str(problem) for problem in report.problems],
    }


def grids(found: dict[str, Any]) -> tuple[Grid, Grid]:
    """What got through by class, with each arm; and what else is to be known of an arm."""
    arms, kinds = found["arms"], found["arms"]["none"]["by_class"]
    classes = [
        (kind, str(kinds[kind]["of"]), *(_short(one["by_class"][kind]) for one in arms.values())) for kind in kinds
    ]
    others = [
        (name, *(_short(one[what]) for what in ("privacy", "privacy_unasked", "security", "useful_coarser")))
        for name, one in arms.items()
    ]
    through = ", ".join(f"{domain} {_short(rate)}" for domain, rate in found["options_through"].items())
    return (
        Grid("attacks that got through, per cent", ("class", "attacks", *arms), tuple(classes)),
        Grid(
            f"by arm, per cent; options of which something comes through the protocol: {through}",
            ("arm", "privacy", "unasked", "security", "useful, told coarser"),
            tuple(others),
        ),
    )


def _short(rate: dict[str, Any]) -> str:
    return "-" if rate["rate"] is None else f"{100 * rate['rate']:.1f}"


def _rates(found: Found, arm: str, domain: str) -> dict[str, Any]:
    security = tuple(kind for kind in _kinds(found) if kind.startswith(SECURITY))
    of = partial(_rate, found, arm, domain=domain)
    return {
        "privacy": of(tuple(Tier)),
        "privacy_unasked": of(tuple(Tier), what="unasked"),
        "security": of(security),
        "useful_coarser": of((Tier.USEFUL,), what="coarser"),
    }


def _rate(found: Found, arm: str, kinds: Sequence[str], *, what: str = "succeeded", domain: str = "") -> dict[str, Any]:
    def total(name: str) -> int:
        return sum(
            count
            for (one, where, kind, counted), count in found.counts.items()
            if (one, counted) == (arm, name) and kind in kinds and domain in {"", where}
        )

    return Rate(total(what), total("attacks")).as_dict()


def _kinds(found: Found) -> list[str]:
    return sorted({kind for _, _, kind, _ in found.counts})


def _domains(found: Found) -> list[str]:
    return sorted({domain for _, domain, _, _ in found.counts})
