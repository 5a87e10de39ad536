"""`lawful bench hostile` and `patterns`: the worst that a text can cost, and that speed changes no finding."""

from typing import Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json, table
from lawful.cli.exits import Exit


def hostile(
    size: Annotated[int, typer.Option("--size", min=100, help="Bytes of each text.")] = 65_536,
    mixtures: Annotated[int, typer.Option("--mixtures", min=0, help="Random texts besides the families.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same texts.")] = 1,
    json: common.Json = False,
) -> int:
    """CPU time of one event with texts that are made to be slow: dots, digits, brackets, marks, long words.

    The target is for an unloaded core; a missed one is told, and does not change the exit status.
    """
    common.one_thread()
    from lawful.infra.bench.hostile import bench_hostile
    from lawful.infra.scoring.readers import our_extractor

    with err.status("loading") as status:
        found = bench_hostile(size, mixtures, seed, our_extractor(), lambda what: status.update(f"measuring: {what}"))
    if json:
        put_json(found)
    else:
        _tell(found)
    return 0


def _tell(found: dict[str, Any]) -> None:
    put(f"{found['texts']} texts of {found['bytes']} bytes; 100,000 additions take {found['reference_ms']} ms here")
    rows = [(one["family"], one["text"], f"{one['ms']:.1f}", one["answer"]) for one in found["slowest"]]
    out.print(table("the slowest, ms of CPU per event", ("family", "text", "ms", "answer"), rows))
    target = found["target"]
    put(
        f"{target['name']}: {target['measured']} ms, wanted at most {target['at_most']}; {found['over']} texts are over"
    )


def patterns(
    texts: Annotated[int, typer.Option("--texts", min=1, help="Drawn from Presidio's own patterns.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same texts.")] = 1,
    json: common.Json = False,
) -> int:
    """Holds the fast way of asking Presidio's recognisers against Presidio's own, on texts that they match.

    Exit status 70 where entity, place or score of any hit differ.
    """
    from lawful.extractors.presidio.differential import compare

    with err.status("comparing") as status:
        compared = compare(texts, seed, lambda done: status.update(f"comparing: {done} of {texts}"))
    by_recogniser = sorted({one.recogniser for one in compared.differences})
    found = {
        "texts": compared.texts,
        "recognisers": compared.recognisers,
        "patterns": compared.patterns,
        "without_condition": compared.unfiltered,
        "hits": compared.hits,
        "differences": len(compared.differences),
        "in": by_recogniser,
        "cpu_seconds": {"presidio": round(compared.seconds[0], 2), "fast": round(compared.seconds[1], 2)},
    }
    if json:
        put_json(found)
    else:
        rows = [(name.replace("_", " "), str(value)) for name, value in found.items()]
        out.print(table("Presidio's recognisers, both ways", ("what", "value"), rows))
    return Exit.BUG if compared.differences else Exit.FINE
