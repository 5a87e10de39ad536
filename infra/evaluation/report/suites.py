"""The suites' sections of the page of results."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from lawful.infra.evaluation.report.tables import short, table, wide

_WORDS: Final = Path(__file__).parent / "words"


def suite_parts(documents: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The sections of suites, in the order of `SECTIONS`.

    Args:
        documents: what `lawful evaluate --suite NAME --json` printed. Of one suite there may be several, with
            other seeds; the first is told whole.
    """
    for name, section in SECTIONS.items():
        runs = [each for each in documents if each["suite"] == name]
        if runs:
            yield from section(runs)


def _maris(runs: Sequence[dict[str, Any]]) -> Iterator[str]:
    rows, spent = runs[0]["rows"], runs[0]["overhead"]
    count = sum(each["talks"] for each in rows if each["arm"] == "none")
    yield "## Agents among themselves\n"
    yield f"`lawful evaluate --suite maris`: {count:,} conversations, seed {runs[0]['seed']}.\n"
    yield _words("maris")
    without = {(each["domain"], each["mode"]): each for each in rows if each["arm"] == "none"}
    ours = {(each["domain"], each["mode"]): each for each in rows if each["arm"] == "ours"}
    columns = ("", "conversations", "how many", "violated without", "with", "task done without", "with")
    yield table(
        columns,
        [
            (
                domain.replace("_", " "),
                mode,
                str(none["talks"]),
                *(f"{100 * one['violation_rate']:.1f}" for one in (none, ours[domain, mode])),
                *(f"{100 * one['task_success']:.1f}" for one in (none, ours[domain, mode])),
            )
            for (domain, mode), none in without.items()
        ],
    )
    yield (
        f"An action cost {spent['mean_ms']} ms on average (median {spent['median_ms']}, p95 {spent['p95_ms']}), as the "
        f"machine was then: {spent['share_of_model_call']} of a model call of two seconds.\n"
    )
    for other in runs[1:]:
        through = sum(each["violated"] for each in other["rows"] if each["arm"] == "ours")
        undone = sum(
            round(each["talks"] * (1 - each["task_success"])) for each in other["rows"] if each["arm"] == "ours"
        )
        yield f"Seed {other['seed']}: {through} violated with the monitor, {undone} tasks not done.\n"


def _converse(runs: Sequence[dict[str, Any]]) -> Iterator[str]:
    found = runs[0]
    yield "## Firewalls between agents\n"
    bounds = ", ".join(_bound(each) for each in found["bounds"])
    yield (
        f"`lawful evaluate --suite converse`: {found['attacks']:,} attacks and {found['benign']:,} benign "
        f"conversations of our own, seed {found['seed']}.\nAttack success and utility in per cent, with 95 % "
        f"intervals. Bounds with both: {bounds}.\nWhat is counted, and what it does not show: "
        "[docs/firewalls.md](firewalls.md).\n"
    )
    kinds = {
        "unrelated": "unrelated",
        "related_but_private": "related, private",
        "related_and_useful": "related, useful",
    }
    rows = [
        (
            one["title"],
            *(short(one["by_class"][kind]) for kind in kinds),
            *(wide(one[what]) for what in ("privacy", "security", "utility")),
            short(one["utility_under_attack"]),
        )
        for one in found["arms"].values()
    ]
    yield table(("", *kinds.values(), "privacy", "security", "utility", "utility under attack"), rows)
    yield _words("converse")
    for other in runs[1:]:
        both = other["arms"]["both"]
        yield (
            f"Seed {other['seed']}: both firewalls let {short(both['privacy'])} % (privacy) and "
            f"{short(both['security'])} % (security) through; utility {short(both['utility'])} %.\n"
        )


def _bound(bound: Mapping[str, Any]) -> str:
    word = "at least" if bound["of"] == "utility" else "at most"
    return f"{bound['of']} {word} {100 * bound['bound']:.0f}{'' if bound['met'] else ' (missed)'}"


def _auditors(runs: Sequence[dict[str, Any]]) -> Iterator[str]:
    found = runs[0]
    messages = max(each["messages"] for each in found["table"])
    yield "## Auditors\n"
    yield (
        f"`lawful evaluate --suite auditors`: {messages:,} messages on each of six graphs, seed {found['seed']}. What "
        "is planted, and what it does not\nshow: [docs/auditors.md](auditors.md).\n"
    )
    yield _graphs(found["table"])
    if found.get("at_critical"):
        yield "The same with faults at critical agents only:\n"
        yield _graphs(found["at_critical"])
    if found.get("by_kind"):
        kinds = [name for name in found["by_kind"][0] if name not in {"arm", "attackers"}]
        rows = [
            (each["arm"], _evil(each), *(f"{each[kind]['caught']} of {each[kind]['of']}" for kind in kinds))
            for each in found["by_kind"]
        ]
        yield table(("audited, all graphs", "malicious", *(f"{kind}: caught" for kind in kinds)), rows)
    yield "How likely a fault passes two sentries of five auditors:\n"
    told = [
        (
            str(each["corrupt"]),
            f"{each['bound']:.4f}",
            f"{each['simulated']:.4f} ({each['low']:.4f} to {each['high']:.4f})",
        )
        for each in found["collusion"]
    ]
    yield table(("malicious", "bound", "simulated (95 %)"), told)


def _graphs(found: Sequence[dict[str, Any]]) -> str:
    """What each way to audit caught on each graph."""
    cells = {(each["graph"], _evil(each), each["arm"]): each for each in found}
    arms = list(dict.fromkeys(each["arm"] for each in found))
    rows = [
        (graph, evil, *(cell for arm in arms for cell in _audited(cells[graph, evil, arm])))
        for graph, evil in dict.fromkeys((each["graph"], _evil(each)) for each in found)
    ]
    told_of = (name for arm in arms for name in (f"{arm}: caught", "calls a message", "CPU ms"))
    return table(("graph", "malicious", *told_of), rows)


def _evil(each: Mapping[str, Any]) -> str:
    return "one of four" if each["attackers"] else "none"


def _audited(one: Mapping[str, Any]) -> tuple[str, str, str]:
    caught, messages = f"{one['caught']} of {one['faults']}", one["messages"]
    return caught, f"{one['calls'] / messages:.2f}", f"{one['cpu_ms'] / messages:.2f}"


def _words(name: str) -> str:
    return (_WORDS / f"{name}.md").read_text(encoding="utf-8")


SECTIONS: Final[Mapping[str, Callable[[Sequence[dict[str, Any]]], Iterator[str]]]] = {
    "maris": _maris,
    "converse": _converse,
    "auditors": _auditors,
}
