"""`lawful evaluate`: attacks on the monitor, and how many of them succeed; how often it disturbs what is allowed."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common, evaluate_sets, evaluate_suites
from lawful.cli.console import err, out, put, put_json, say, table
from lawful.cli.evaluate_sets import Kind, bar
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.evaluation.attacks.variants import Variants

app = typer.Typer(help="Attack the monitor and measure it; see `lawful evaluate --help`.")
_EACH_BEYOND = 5
HELP = "Attack the monitor and measure it: without a subcommand, our own attacks; with --set, an external set."


@app.callback(invoke_without_command=True, help=HELP)
def evaluate(
    ctx: typer.Context,
    attacks: Annotated[int, typer.Option("--attacks", min=1, help="How many, at least.")] = 1_000,
    benign: Annotated[int, typer.Option("--benign", min=1, help="How many benign sessions, at least.")] = 1_000,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same table.")] = 7,
    arm: Annotated[list[str] | None, typer.Option("--arm", help="Only this arm; may be repeated.")] = None,
    variants: Annotated[
        str | None, typer.Option("--variants", metavar="MODEL", help="Attack in the words of this model of DSPy's.")
    ] = None,
    processes: Annotated[int | None, typer.Option("--processes", min=1, help="One per core otherwise.")] = None,
    external: Annotated[
        tuple[Kind, Path] | None,
        typer.Option("--set", metavar="NAME FILE", help="An external set: agentleak, tau2, ..."),
    ] = None,
    policy: Annotated[
        str, typer.Option("--policy", help="With --set: the pack of events that name none, or a policy's path for all.")
    ] = (common.DEFAULT_POLICY),
    suite: Annotated[
        str | None,
        typer.Option("--suite", metavar="NAME", help="A suite of conversations instead: docs/evaluation.md."),
    ] = None,
    size: Annotated[
        int | None, typer.Option("--size", min=1, help="With --suite: how large; its own size otherwise.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Also write one HTML file with plots.", dir_okay=False)
    ] = None,
    json: common.Json = False,
) -> int:
    """Run it. Exit status 1 if an attack succeeds or a benign session is disturbed with perfect extraction."""
    if ctx.invoked_subcommand is not None:
        return Exit.FINE
    if external is not None:
        return evaluate_sets.tell(external[0], external[1], policy, as_json=json)
    if suite is not None:
        return evaluate_suites.tell(suite, seed, size, as_json=json)
    found = _attacks(attacks, benign, seed, _names(arm), processes or os.cpu_count() or 1, variants)
    if html is not None:
        from lawful.infra.evaluation.report.html import page

        html.write_text(page(found), encoding="utf-8")
        say(f"written to {html}")
    if json:
        put_json(found)
    else:
        _tell(found)
    perfect = [bound for bound in found["bounds"] if bound["of"] == "perfect extraction"]
    return Exit.FINE if all(bound["met"] for bound in perfect) else Exit.FAULT


def _names(wanted: list[str] | None) -> tuple[str, ...]:
    from lawful.infra.evaluation.arms.arm import arms

    known = [each.name for each in arms()]
    unknown = [name for name in wanted or () if name not in known]
    if unknown:
        raise ConfigurationError(f"there is no arm {unknown[0]!r}", hint=f"the arms are {', '.join(known)}")
    return tuple(name for name in known if not wanted or name in wanted)


def _attacks(
    attacks: int, benign: int, seed: int, names: tuple[str, ...], processes: int, variants: str | None
) -> dict[str, Any]:
    from lawful.infra.evaluation.attacks.families import batches, beyond
    from lawful.infra.evaluation.report.document import document, limits
    from lawful.infra.evaluation.run import Order, run

    wording = _written(variants) if variants else None
    orders = [Order(batch, names, wording) for batch in batches(seed, attacks, benign)]
    told = tuple(name for name in ("none", "perfect") if name in names)
    beyond_orders = [Order(batch, told) for batch in beyond(seed, _EACH_BEYOND)]
    with bar("sessions", sum(order.batch.count for order in (*orders, *beyond_orders))) as advance:
        tally = run(orders, min(processes, len(orders)), advance)
        outside = run(beyond_orders, 1, advance)
    return document(tally, names, seed) | {"beyond": limits(outside, told), "variants": variants}


def _written(model: str) -> "Variants":
    from lawful.infra.evaluation.attacks.variants import model_of, write_variants

    with err.status("the model is writing"):
        return write_variants(model_of(model))


def _tell(found: dict[str, Any]) -> None:
    put(f"{found['attacks']:,} attacks, {found['benign']:,} benign sessions, seed {found['seed']}")
    families = list(found["families"])
    rows = [
        (name, *(_rate(one["by_family"][family]["asr"]) for family in families), _rate(one["asr"], wide=True))
        for name, one in found["arms"].items()
    ]
    out.print(table("attack success rate, per cent", ("arm", *families, "all (95 %)"), rows))
    rows = [
        (
            name,
            *(_rate(one["by_pack"][pack]["asr"]) for pack in found["packs"]),
            _rate(one["fpr"], wide=True),
            _rate(one["steps_touched"]),
            _rate(one["task_success"]),
        )
        for name, one in found["arms"].items()
    ]
    columns = ("arm", *(f"ASR {pack}" for pack in found["packs"]), "FPR (95 %)", "steps", "tasks done")
    out.print(table("by pack, and what benign sessions suffer", columns, rows))
    for arm, places in found["weak_places"].items():
        if places:
            rows = [(each["family"], each["kind"], each["what"], f"{each['count']} of {each['of']}") for each in places]
            out.print(table(f"where {arm} extraction fails", ("family", "kind", "what", "how many"), rows))
    rows = [
        (
            each["of"],
            each["what"],
            f"{each['measured']:.1%}",
            f"{each['at_most']:.0%}",
            "fine" if each["met"] else "wrong",
        )
        for each in found["bounds"]
    ]
    out.print(table("bounds", ("of", "what", "measured", "at most", ""), rows))


def _rate(rate: dict[str, Any], *, wide: bool = False) -> str:
    if rate["rate"] is None:
        return "-"
    low, high = (100 * bound for bound in rate["ci95"])
    return f"{100 * rate['rate']:.1f}" + (f" ({low:.1f}-{high:.1f})" if wide else "")
