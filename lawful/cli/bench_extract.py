"""`lawful bench extract`: what finding personal data costs and finds, beside default Presidio."""

from pathlib import Path
from typing import Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json, table

_LASTING = ("tenth", "events", "CPU ms per event", "MiB held")


def extract(
    texts: Annotated[int, typer.Option("--texts", min=1, help="Messages, and tool calls, of each round.")] = 300,
    stream: Annotated[int, typer.Option("--stream", min=1, help="Events of the mixed stream.")] = 2_000,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Each with texts of its own.")] = 3,
    samples: Annotated[int, typer.Option("--samples", min=1, help="For recall and precision.")] = 1_000,
    events: Annotated[
        int, typer.Option("--events", min=0, help="Through ours alone: CPU and memory over time.")
    ] = 20_000,
    templates: Annotated[
        int, typer.Option("--templates", min=0, help="Sentences of presidio-evaluator, installed for the time.")
    ] = 0,
    templates_python: Annotated[
        Path | None, typer.Option("--templates-python", help="A Python that has presidio-evaluator already.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same texts.")] = 1,
    json: common.Json = False,
) -> int:
    """Events per second, recall and precision beside default Presidio, on the same texts in one run.

    The targets are for an unloaded machine; a missed one is told, and does not change the exit status.
    """
    common.one_thread()
    from lawful.infra.bench.extract import Size, bench_extract

    size = Size(texts, stream, rounds, samples, events, templates, seed)
    with err.status("measuring") as status:
        found = bench_extract(size, lambda what: status.update(f"measuring: {what}"), templates_python)
    if json:
        put_json({"bench": "extract", **found})
    else:
        _tell(found)
    return 0


def _tell(found: dict[str, Any]) -> None:
    machine, versions = found["machine"], found["versions"]
    put(f"{machine['processor']}, {machine['cores']} cores, load {machine['load']}, {versions['python']}")
    rows = [
        (
            name,
            one["events"],
            one["batch"],
            f"{one['ratio']:.1f}",
            f"{one['ratio_cpu']:.1f}",
            f"{one['ours_ms_per_event']:.2f}",
        )
        for name, one in found["speed"].items()
    ]
    columns = ("texts", "events", "at once", "times Presidio", "by CPU", "ms per event")
    out.print(table("speed", columns, rows))
    out.print(table("accuracy", ("texts", "reader", "recall", "precision"), _accuracy(found["accuracy"])))
    if "tenths" in found["lasting"]:
        out.print(table(f"{found['lasting']['events']} events in a row", _LASTING, _lasting(found["lasting"])))
    targets = [
        (one["name"], "fine" if one["met"] else "missed", str(one.get("measured", ""))) for one in found["targets"]
    ]
    out.print(table("", ("target", "met", "measured"), targets))


def _lasting(lasting: dict[str, Any]) -> list[tuple[str, int, str, str]]:
    return [
        (name, one["events"], f"{one['cpu_ms_per_event']:.3f}", f"{one['resident_mib']:.1f}")
        for name, one in lasting["tenths"].items()
    ]


def _accuracy(accuracy: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    templates = accuracy["templates"]
    views = {"held out": accuracy["held_out"]} | {
        f"templates, {name.replace('_', ' ')}": templates[name]
        for name in ("personal", "all_labels")
        if name in templates
    }
    rows = [
        (view, name, f"{one['recall']:.3f}", f"{one['precision']:.3f}")
        for view, readers in views.items()
        for name, one in readers.items()
        if name != "better"
    ]
    return rows if "skipped" not in templates else [*rows, ("templates", templates["skipped"], "", "")]
