"""`lawful evaluate --suite NAME`: a suite of ours before the monitor."""

from lawful.cli.console import out, put_json, table
from lawful.cli.evaluate_sets import bar
from lawful.cli.exits import Exit
from lawful.infra.evaluation.suites import SUITES, SuiteTable, runner
from lawful.schemas.errors import ConfigurationError


def tell(name: str, seed: int, size: int | None, *, as_json: bool) -> int:
    """Runs a suite and prints its tables. Exit status 1 if it does not keep what it promises.

    Raises:
        ConfigurationError: there is no such suite.
    """
    suite = SUITES.get(name)
    if suite is None:
        raise ConfigurationError(f"there is no suite {name!r}", hint=f"the suites are {', '.join(sorted(SUITES))}")
    run = runner(suite)
    with bar(name, size) as advance:
        found = run(seed=seed, size=size, advance=advance)
    if as_json:
        put_json({"suite": name, **found.as_json()})
    else:
        show(found)
    return Exit.FINE if found.met else Exit.FAULT


def show(found: SuiteTable) -> None:
    """The tables, in a terminal."""
    for grid in found.grids():
        out.print(table(grid.title, grid.columns, grid.rows))
