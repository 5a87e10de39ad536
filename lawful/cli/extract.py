"""`lawful extract`: what would be found in a text or a document, and why."""

import re
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawful.cli import common
from lawful.cli.console import err, out, put, put_json, table
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from lawful.extractors.explain import Explained
    from lawful.extractors.pipeline import Pipeline
    from lawful.extractors.port import ExtractionSpec
    from lawful.infra.extraction.show import Place, Shown

_NAMES_A_FILE = re.compile(r"[^\s{}<>\"]+\.(?:txt|md|json|jsonl|ndjson|ya?ml|csv|log|eml)")
_COLOURS = ("cyan", "green", "yellow", "magenta", "bright_blue", "red", "bright_cyan", "bright_green")


class Other(StrEnum):
    """Whom to compare with."""

    PRESIDIO = "presidio"


Given = Annotated[str, typer.Argument(help="A file, '-' for standard input, or the text.", metavar="FILE|TEXT")]
OfPolicy = Annotated[str | None, typer.Option("--policy", help="A policy whose own identifiers count too.")]
Every = Annotated[bool, typer.Option("--all", help="Tell what was not counted, and why, as well.")]
Compare = Annotated[Other | None, typer.Option("--compare", help="Show what it finds, and its time, beside ours.")]
OfModel = Annotated[str | None, typer.Option("--model", help="A spaCy model for names and places.")]


def extract(
    what: Given,
    policy: OfPolicy = None,
    every: Every = False,
    compare: Compare = None,
    model: OfModel = None,
    json: common.Json = False,
) -> int:
    """Find personal data in a text or a JSON document, and say why each place is found. Nothing is sent or kept.

    Exit status 1 if it cannot be read: such content would be withheld.
    """
    from lawful.infra.extraction.show import show

    text, spec = read_given(what), _spec(policy)
    with err.status("reading"):
        shown = show(lambda: _build(model), text, spec, compare=compare is not None)
    if json:
        put_json(shown.as_json())
    else:
        _tell(shown, every=every)
    return Exit.FINE if shown.extraction.status.value == "complete" else Exit.FAULT


def read_given(what: str) -> str:
    """What an argument stands for: a file's text, standard input, or itself.

    Raises:
        ConfigurationError: it cannot be read, or is not there.
    """
    if what == "-":
        return common.standard_input()
    if not _is_file(what):
        if _NAMES_A_FILE.fullmatch(what):
            raise ConfigurationError(f"there is no file {what}", hint="texts that look like one go through '-'")
        return what
    try:
        return Path(what).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{what} cannot be read: {type(error).__name__}", hint="give a text in UTF-8"
        ) from None


def _is_file(what: str) -> bool:
    try:
        return Path(what).is_file()
    except (OSError, ValueError):  # too long for a name, or no name at all
        return False


def _build(model: str | None) -> "Pipeline":
    from lawful.extractors import build_extractor
    from lawful.extractors.pipeline import Pipeline
    from lawful.schemas.pseudonym import Pseudonymiser

    # Nothing of it leaves: the key need not be anybody's.
    built = build_extractor(Pseudonymiser(master=b"lawful extract: nobody's key"), model=model)
    assert isinstance(built, Pipeline)  # noqa: S101 - for the type checker
    return built


def _spec(policy: str | None) -> "ExtractionSpec":
    from lawful.extractors.port import ExtractionSpec
    from lawful.policies.load import load_policy
    from lawful.streams.specs import make_spec

    if policy is None:
        return ExtractionSpec()
    from lawful.cli.policy import paths_of

    return make_spec(load_policy(paths_of([policy])[0]))


def _tell(shown: "Shown", *, every: bool) -> None:
    for place in shown.places:
        out.print(_coloured(place), soft_wrap=True)
    told = [(place, hit) for place in shown.places for hit in place.hits if hit.is_kept or every]
    if told:
        out.print(table("", ("", "place", "text", "category", "score", "found by"), _rows(told)))
        for number, (_, hit) in enumerate(told, 1):
            put(f"{number}: {'; '.join(hit.reasons)} ({hit.version})")
    elif shown.extraction.status.value == "complete":
        put("nothing personal was found")
    else:
        err.print(f"withheld: {shown.extraction.status_reason}", style="red", markup=False)
    if shown.presidio_ms is not None:
        theirs = [row for place in shown.places for row in _beside(place)]
        out.print(table("", ("place", "text", "lawful", "default Presidio"), theirs))
        ratio = shown.presidio_ms / shown.ours_ms if shown.ours_ms else 0
        put(f"lawful {shown.ours_ms:.2f} ms, default Presidio {shown.presidio_ms:.2f} ms: {ratio:.1f} times as long")


def _coloured(place: "Place") -> "Text":
    """A text with its findings marked, each category in its colour."""
    from rich.text import Text

    start = f"{place.path}: "
    shown = Text(start, style="dim")
    shown.append(_visible(place.text), style="none")
    for hit in place.hits:
        if hit.is_kept:
            colour = _COLOURS[sum(hit.category.encode()) % len(_COLOURS)]
            shown.stylize(f"bold reverse {colour}", len(start) + hit.start, len(start) + hit.end)
    return shown


def _rows(told: "Sequence[tuple[Place, Explained]]") -> "Iterator[tuple[Any, ...]]":
    for number, (place, hit) in enumerate(told, 1):
        where = f"{place.path} {hit.start}-{hit.end}"
        category = hit.category if hit.is_kept else f"({hit.category})"
        yield number, where, _visible(place.text[hit.start : hit.end]), category, f"{hit.score:.2f}", hit.detector


def _beside(place: "Place") -> list[tuple[str, str, str, str]]:
    """What both find at each place, side by side."""
    spans = {(hit.start, hit.end) for hit in place.hits if hit.is_kept}
    spans |= {(start, end) for _, start, end, _ in place.presidio}
    return [
        (
            f"{place.path} {start}-{end}",
            _visible(place.text[start:end]),
            ", ".join(hit.category for hit in place.hits if hit.is_kept and (hit.start, hit.end) == (start, end)),
            ", ".join(f"{entity} {score:.2f}" for entity, at, to, score in place.presidio if (at, to) == (start, end)),
        )
        for start, end in sorted(spans)
    ]


def _visible(text: str) -> str:
    """A text that cannot move a terminal's cursor; as long as before."""
    return "".join(char if char.isprintable() or char == " " else "\N{SYMBOL FOR NEWLINE}" for char in text)
