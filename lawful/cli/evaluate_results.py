"""`lawful evaluate results`: the page of results, from the JSON of real runs."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from lawful.cli.console import put_json, say
from lawful.cli.exits import Exit
from lawful.schemas.errors import ConfigurationError, Place


def results(
    files: Annotated[list[Path], typer.Argument(help="What `lawful evaluate --json` printed, for each run.")],
    out: Annotated[Path, typer.Option("--out", help="Where to write the page.", dir_okay=False)] = Path("results.md"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")] = False,
) -> int:
    """Write the page of results, in Markdown."""
    from lawful.infra.evaluation.report.results import results as page

    out.write_text(page([_document(file) for file in files]), encoding="utf-8")
    if json:
        put_json({"written": str(out), "documents": len(files)})
    else:
        say(f"written to {out}")
    return Exit.FINE


def _document(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"no JSON document: {type(error).__name__}",
            place=Place(str(file), 1, 1),
            hint="see `lawful evaluate --json`",
        ) from error
    if not isinstance(value, dict):
        raise ConfigurationError("no JSON object", place=Place(str(file), 1, 1), hint="see `lawful evaluate --json`")
    return value
