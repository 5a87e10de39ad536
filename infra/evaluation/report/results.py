"""The page `docs/results.md`, made from the JSON of real runs: our figures beside the papers', and what differs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from lawful.infra.evaluation.report.costs import cost_parts
from lawful.infra.evaluation.report.suites import SECTIONS, suite_parts
from lawful.infra.evaluation.report.tables import short as _short
from lawful.infra.evaluation.report.tables import table
from lawful.infra.evaluation.report.tables import wide as _rate
from lawful.infra.evaluation.sets.converse.telling import grids
from lawful.schemas.errors import ConfigurationError

_WORDS: Final = Path(__file__).parent / "words"
_SAME: Final = ("seed", "attacks", "benign", "packs", "families", "variants")


def results(documents: Sequence[dict[str, Any]]) -> str:
    """The page.

    Args:
        documents: what `lawful evaluate --json` printed, for our attacks (one run, or the same attacks with some
            arms each), external sets and suites, and `lawful bench --json`; in any order.

    Raises:
        ConfigurationError: one of them is no such document, or our attacks' is missing.
    """
    kinds: dict[str, list[dict[str, Any]]] = {"attacks": [], "set": [], "suite": [], "bench": []}
    for number, each in enumerate(documents, 1):
        kinds[_kind(each, number)].append(each)
    if not kinds["attacks"]:
        raise ConfigurationError("the attacks are missing", hint="give what `lawful evaluate --json` printed, too")
    parts = [_words("head"), *_attacks(_merged(kinds["attacks"]))]
    for each in kinds["set"]:
        parts += _SETS.get(each["set"], _traffic)(each)
    return "\n".join([*parts, *suite_parts(kinds["suite"]), *cost_parts(kinds["bench"])])


def _kind(document: dict[str, Any], number: int) -> str:
    """What a document is of."""
    if {"families", "arms"} <= document.keys():
        return "attacks"
    if document.get("suite") in SECTIONS:
        return "suite"
    if document.get("set") in _SETS or "by_payload" in document:
        return "set"
    if "machine" in document and ("bench" in document or "seconds" in document):
        return "bench"
    raise ConfigurationError(
        f"document {number} is of none of the runs that the page is made from",
        hint="`lawful evaluate --json`, also with --set or --suite, and `lawful bench NAME --json`; "
        "docs/evaluation.md names the commands",
    )


def _merged(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One document of runs of the same attacks with different arms.

    Raises:
        ConfigurationError: the attacks are not the same.
    """
    first = runs[0]
    if len(runs) == 1:
        return first
    if any(each.get(key) != first.get(key) for each in runs for key in _SAME):
        raise ConfigurationError(
            "these are different attacks, which make no one table", hint="give runs of one seed and one size"
        )
    noise: dict[int, dict[str, Any]] = {}
    for row in (row for each in runs for row in each["noise"]):
        known = noise.get(row["percent"])
        noise[row["percent"]] = row if known is None or row["fail_safe"] else known
    return {
        **first,
        "arms": {name: arm for each in runs for name, arm in each["arms"].items()},
        "noise": [noise[percent] for percent in sorted(noise)],
        "weak_places": {name: places for each in runs for name, places in each["weak_places"].items()},
        "beyond": max((each.get("beyond") or [] for each in runs), key=lambda rows: [len(r["asr"]) for r in rows[:1]]),
    }


def _words(name: str) -> str:
    """What has to be said beside the figures."""
    return (_WORDS / f"{name}.md").read_text(encoding="utf-8")


def _attacks(found: dict[str, Any]) -> Iterator[str]:
    arms, families = found["arms"], found["families"]
    counts = f"{found['attacks']:,} attacks and {found['benign']:,} benign sessions, seed {found['seed']}"
    yield f"## Attacks\n\n{counts}. Rates in per cent.\n"
    yield "### Beside C-Trace's figures\n"
    paper = {"perfect": ("0", ""), "noise-10": ("at most 12", "at most 16")}
    rows = [
        (
            arms[name]["title"],
            _rate(arms[name]["asr"]),
            asr,
            _rate(arms[name]["fpr"]),
            fpr,
            _rate(arms[name]["steps_touched"]),
        )
        for name, (asr, fpr) in {**paper, "real": ("", ""), "none": ("", "")}.items()
        if name in arms
    ]
    columns = ("", "ASR (95 %)", "C-Trace: ASR", "FPR, sessions (95 %)", "C-Trace: FPR", "steps touched")
    yield table(columns, rows)
    yield _words("differs")
    yield "### Attack success rate by family\n"
    yield table(
        ("", *families, "all (95 %)"),
        [
            (one["title"], *(_short(one["by_family"][each]["asr"]) for each in families), _rate(one["asr"]))
            for one in arms.values()
        ],
    )
    yield "; ".join(f"{name} {title}" for name, title in families.items()) + ".\n"
    yield "### By pack, and what benign sessions suffer\n"
    yield table(
        ("", *(f"ASR {pack}" for pack in found["packs"]), "FPR (95 %)", "steps touched", "tasks done"),
        [
            (
                one["title"],
                *(_short(one["by_pack"][pack]["asr"]) for pack in found["packs"]),
                _rate(one["fpr"]),
                _short(one["steps_touched"]),
                _short(one["task_success"]),
            )
            for one in arms.values()
        ],
    )
    yield from _details(found)


def _details(found: dict[str, Any]) -> Iterator[str]:
    if found["noise"]:
        yield "### Extractor noise, and what the fail-safe costs\n"
        rows = [
            (
                f"{row['percent']} %",
                *(_short(row[what]) for what in ("asr", "fpr", "steps_touched")),
                *(_short((row["fail_safe"] or row)[what]) for what in ("asr", "fpr", "steps_touched")),
            )
            for row in found["noise"]
        ]
        columns = ("noise", "ASR", "FPR", "steps", "fail-safe: ASR", "fail-safe: FPR", "fail-safe: steps")
        yield table(columns, rows)
    for arm, places in found["weak_places"].items():
        if places:
            yield f"### Where {arm} extraction fails\n"
            rows = [(each["family"], each["kind"], each["what"], f"{each['count']} of {each['of']}") for each in places]
            yield table(("family", "kind", "", "how many"), rows)
    if found.get("beyond"):
        yield "### Beyond the monitor\n\nNot stopped even if extraction is perfect, and counted in no family:\n"
        names = list(found["beyond"][0]["asr"])
        rows = [(each["kind"], *(_short(each["asr"][name]) for name in names), each["why"]) for each in found["beyond"]]
        yield table(("", *(f"ASR {name}" for name in names), "why"), rows)


def _agentleak(found: dict[str, Any]) -> Iterator[str]:
    yield f"## AgentLeak\n\n{found['scenarios']:,} scenarios, {found['events']:,} disclosures.\n"
    yield _words("agentleak")
    columns = ("", "forbidden", "got through", "rate (95 %)", "allowed", "stopped", "rate (95 %)")
    yield table(columns, [_leak("all", found)])
    for by in ("form", "vertical", "attack_class"):
        yield f"By {by.replace('_', ' ')}:\n"
        yield table(columns, [_leak(name, one) for name, one in found[f"by_{by}"].items()])


def _leak(name: str, one: dict[str, Any]) -> tuple[str, ...]:
    through, stopped = one["forbidden_through"], one["allowed_stopped"]
    cells = ((str(rate["of"]), str(rate["count"]), _rate(rate)) for rate in (through, stopped))
    return (name, *(cell for each in cells for cell in each))


def _converse(found: dict[str, Any]) -> Iterator[str]:
    yield f"## ConVerse's own files\n\n{found['personas']:,} personas, {found['attacks']:,} attacks.\n"
    for grid in grids(found):
        yield f"{grid.title.capitalize()}:\n"
        yield table(grid.columns, grid.rows)


def _traffic(found: dict[str, Any]) -> Iterator[str]:
    yield f"## {found.get('title') or found['set']}\n"
    yield "Benign traffic: what is stopped or changed here is a false alarm.\n"
    rows = [
        (name, str(one["events"]), str(one["alarms"]), str(one["alarms_per_1000"]), str(one["warnings"]))
        for name, one in found["by_payload"].items()
    ]
    yield table(("payload", "events", "alarms", "per 1,000", "warnings"), rows)
    if found["kinds"]:
        kinds = [
            (str(one["count"]), one["tool"] or one["payload"], one["rule"], one["reason"], one["says"])
            for one in found["kinds"]
        ]
        yield table(("count", "where", "rule", "reason", "says"), kinds)


_SETS: Final[Mapping[str, Callable[[dict[str, Any]], Iterator[str]]]] = {"agentleak": _agentleak, "converse": _converse}
"""Sets with a section of their own; the others are traffic."""
