"""`lawful evaluate`: how good the product is at what it promises."""

import typer

app = typer.Typer(help="Measure how well personal data is found.", no_args_is_help=True)


@app.callback()
def _evaluate() -> None:
    """Measure how well personal data is found."""
