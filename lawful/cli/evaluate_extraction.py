"""`lawful evaluate extraction`: how well personal data is found, ours and default Presidio's, on the same texts."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json, table
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.scoring.readers import Reader


class Which(StrEnum):
    """What to evaluate on."""

    OWN = "own"
    TAU2 = "tau2"
    MAGPIE = "magpie"
    AGENTLEAK = "agentleak"


class Half(StrEnum):
    """The halves of our own corpus."""

    TUNING = "tuning"
    HELD_OUT = "held-out"


def extraction(
    path: Annotated[Path | None, typer.Argument(help="The folder of a public set.", file_okay=False)] = None,
    which: Annotated[Which, typer.Option("--set", help="Our own corpus, or a public set at PATH.")] = Which.OWN,
    part: Annotated[
        Half, typer.Option("--part", help="Of our own: rules were tuned on the one half only.")
    ] = Half.HELD_OUT,
    size: Annotated[int, typer.Option("--size", min=1, help="How many samples of our own.")] = 2_000,
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same samples.")] = 1,
    alone: Annotated[bool, typer.Option("--alone", help="Only ours, without Presidio: quicker.")] = False,
    json: common.Json = False,
) -> int:
    """Recall and precision by type and language, ours and default Presidio's (small English model).

    Exit status 1 if ours is not better than Presidio on the whole of our own corpus.
    """
    if (which is Which.OWN) == (path is not None):
        raise ConfigurationError("a public set needs its folder", hint="--set tau2 PATH; our own needs no PATH")
    found = _public(which, path, alone=alone) if path else _own(part, size, seed, alone=alone)
    if json:
        put_json(found)
    elif path:
        _tell_public(found)
    else:
        _tell(found)
    return Exit.FAULT if found.get("better", {}).get("all") is False else Exit.FINE


def _readers(*, alone: bool) -> "dict[str, Reader]":
    common.one_thread()
    from lawful.extractors.presidio.default import DefaultPresidio
    from lawful.infra.scoring.evaluate import OURS, THEIRS
    from lawful.infra.scoring.readers import our_extractor, ours, presidio

    with err.status("loading"):
        mine = {OURS: ours(our_extractor())}
        return mine if alone else {**mine, THEIRS: presidio(DefaultPresidio())}


def _own(part: Half, size: int, seed: int, *, alone: bool) -> dict[str, Any]:
    from lawful.infra.corpus.generate import Part, corpus
    from lawful.infra.scoring.evaluate import evaluate

    samples, readers = corpus(Part(part.replace("-", "_")), size, seed), _readers(alone=alone)
    with _bar(size * len(readers)) as advance:
        return {"set": "own", "part": part.value, "seed": seed, **evaluate(samples, readers, advance)}


def _public(which: Which, folder: Path, *, alone: bool) -> dict[str, Any]:
    from lawful.infra.scoring.public_sets import SETS

    readers = _readers(alone=alone)
    with err.status("reading"):
        scores = {name: SETS[which.value](folder, reader).as_dict() for name, reader in readers.items()}
    return {"set": which.value, "readers": scores}


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int], None]]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading"), BarColumn(), TextColumn("{task.completed:,}"), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda count: progress.advance(task, count)


def _tell(found: Mapping[str, Any]) -> None:
    readers = found["readers"]
    put(f"our own corpus, {found['part']} half, seed {found['seed']}: {found['samples']:,} samples")
    columns = ("", *(f"{name} {what}" for name in readers for what in ("recall", "precision")))
    overall = [("all", *(_share(one["all"][what]) for one in readers.values() for what in ("recall", "precision")))]
    out.print(table("", columns, overall))
    for view in ("language", "form", "evasion", "type", "type and language"):
        out.print(table(f"by {view}", columns, _rows(readers, view)))
    out.print(table("where nothing is personal", ("", "samples", "flagged", "most frequent"), _clean(readers)))


def _rows(readers: Mapping[str, Any], view: str) -> Iterator[tuple[str, ...]]:
    names = sorted({name for one in readers.values() for name in one["by"].get(view, {})})
    for name in names:
        tallies = [one["by"].get(view, {}).get(name, {}) for one in readers.values()]
        yield (name, *(_share(tally.get(what)) for tally in tallies for what in ("recall", "precision")))


def _clean(readers: Mapping[str, Any]) -> Iterator[tuple[str, int, int, str]]:
    for name, one in readers.items():
        clean = one["without_personal_data"]
        alarms = ", ".join(f"{what} {count}" for what, count in list(clean["alarms"].items())[:4])
        yield (name, clean["samples"], clean["flagged"], alarms)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _tell_public(found: Mapping[str, Any]) -> None:
    for name, one in found["readers"].items():
        found_of = f"{name}: {one['payloads']:,} payloads; {one['found']:,} of {one['values']:,} personal values found"
        alarms, per_1000 = one["false_alarms"], one["false_alarms_per_1000"]
        put(found_of if alarms is None else f"{found_of}; {alarms:,} false alarms, {per_1000} per 1,000")
        rows = [
            *(("missed", *item) for item in one["missed"].items()),
            *(("alarm", *item) for item in one["alarms"].items()),
        ]
        if rows:
            out.print(table("", ("", "what", "how often"), rows))
