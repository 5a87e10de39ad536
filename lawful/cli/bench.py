"""`lawful bench`: what deciding costs on this machine."""

import typer

app = typer.Typer(help="Measure what deciding costs on this machine.", no_args_is_help=True)
