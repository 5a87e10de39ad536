"""The report as one HTML file that needs nothing else: tables, the noise curve, the ablation's heat map."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, Final

from lawful.infra.evaluation.report.svg import curves, heat_map, point

_STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}svg text{font:12px system-ui,sans-serif;fill:currentColor}
svg .grid{stroke:#ddd}.met{color:#176117}.missed{color:#a11}small{color:#666}
"""
_ASR, _FPR = "#b3261e", "#1f5fa8"


def page(found: dict[str, Any]) -> str:
    """The document of an evaluation as HTML."""
    parts = [*_head(found), *_tables(found), *_noise(found), *_ablation(found), *_weak(found)]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>lawful evaluate</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _head(found: dict[str, Any]) -> Iterator[str]:
    yield "<h1>Attacks, and what came of them</h1>"
    yield (
        f"<p>{found['attacks']:,} attacks and {found['benign']:,} benign sessions, seed {found['seed']}. "
        "An oracle that shares no code with the monitor decides whether an attack succeeded.</p>"
    )
    rows = [
        (each["of"], each["what"].upper(), f"{each['measured']:.1%}", f"{each['at_most']:.0%}", _met(each["met"]))
        for each in found["bounds"]
    ]
    yield table(("bound", "", "measured", "at most", ""), rows)


def _met(met: object) -> str:
    return '<span class="met">met</span>' if met else '<span class="missed">missed</span>'


def _tables(found: dict[str, Any]) -> Iterator[str]:
    families = found["families"]
    yield "<h2>Attack success rate by family</h2>"
    rows = [
        (
            escape(arm["title"]),
            *(share(arm["by_family"][each]["asr"]) for each in families),
            share(arm["asr"], wide=True),
        )
        for arm in found["arms"].values()
    ]
    titles = [f'<span title="{escape(title)}">{name}</span>' for name, title in families.items()]
    yield table(("", *titles, "all (95 %)"), rows)
    yield "<p><small>" + "; ".join(f"{name} {escape(title)}" for name, title in families.items()) + ".</small></p>"
    yield "<h2>Benign sessions, and attacks by pack</h2>"
    rows = [
        (
            escape(arm["title"]),
            *(share(arm["by_pack"][pack]["asr"]) for pack in found["packs"]),
            share(arm["fpr"], wide=True),
            share(arm["steps_touched"]),
            share(arm["task_success"]),
        )
        for arm in found["arms"].values()
    ]
    asr = [f"ASR {escape(pack)}" for pack in found["packs"]]
    yield table(("", *asr, "FPR (95 %)", "steps touched", "tasks done"), rows)


def _noise(found: dict[str, Any]) -> Iterator[str]:
    rows = found["noise"]
    if len(rows) < 2:  # noqa: PLR2004 - a line has two ends
        return
    yield "<h2>Extractor noise</h2><p>Shaded: 95 % intervals. Dashed: what is ambiguous counts as both.</p>"
    lines = [
        (title, colour, False, [point(row["percent"], row[what]) for row in rows])
        for title, what, colour in (("ASR", "asr", _ASR), ("FPR", "fpr", _FPR))
    ]
    if all(row["fail_safe"] for row in rows):
        lines += [
            (f"{title}, fail-safe", colour, True, [point(row["percent"], row["fail_safe"][what]) for row in rows])
            for title, what, colour in (("ASR", "asr", _ASR), ("FPR", "fpr", _FPR))
        ]
    highest = max(high for *_, points in lines for *_, high in points)
    yield curves(lines, rows[-1]["percent"], max(0.1, -(-highest * 10 // 1) / 10))


def _ablation(found: dict[str, Any]) -> Iterator[str]:
    if not found["ablation"]:
        return
    families = list(found["families"])
    yield "<h2>What each predicate is for</h2><p>Attack success rate by family when one of them is left out.</p>"
    rows = [
        (name.replace("without-", "without "), [row[family]["asr"]["rate"] for family in families])
        for name, row in found["ablation"].items()
    ]
    yield heat_map(families, rows)


def _weak(found: dict[str, Any]) -> Iterator[str]:
    for arm, places in found["weak_places"].items():
        if places:
            yield f"<h2>Where {escape(arm)} extraction fails</h2>"
            rows = [
                (escape(each["kind"]), each["family"], each["what"], f"{each['count']} of {each['of']}")
                for each in places
            ]
            yield table(("kind", "family", "what", "how many"), rows)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are HTML already."""
    head = "".join(f"<th>{column}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def share(rate: dict[str, Any], *, wide: bool = False) -> str:
    """A rate in per cent, with its interval if asked for."""
    if rate["rate"] is None:
        return "-"
    low, high = (100 * bound for bound in rate["ci95"])
    return f"{100 * rate['rate']:.1f}" + (f" ({low:.1f}-{high:.1f})" if wide else "")
