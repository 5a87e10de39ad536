"""The fourth judge, where there is one: MonPoly, run over what we export.

MonPoly is somebody else's program (`MONPOLY_BIN`); it gets files and gives lines. Every time-point
it reports must be one that our monitor reported, with the same values.
"""

import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lawful.policies.mfotl.export import Recorded, formulas, signature_text
from lawful.policies.mfotl.judge import FORMULAS, program
from lawful.policies.mfotl.nodes import Row
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.verdict import Predicate

_LINE = re.compile(r"@(?P<stamp>[\d.]+)\s*\(time point (?P<point>\d+)\):\s*(?P<rows>.*)")
_ROW = re.compile(r"\(((?:\"[^\"]*\"|[^()\"])*)\)")
_VALUE = re.compile(r'"([^"]*)"|([^,\s"]+)')
_FREE = re.compile(r"free variables is: \((?P<names>[^)]*)\)")
_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Difference:
    """A time-point of a subject's log on which MonPoly and our monitor differ."""

    key: str
    predicate: Predicate
    point: int
    ours: list[Row]
    theirs: list[Row]


class MonPoly:
    """Runs the four formulas over logs.

    Args:
        binary: path or name of the program.
    """

    def __init__(self, binary: str) -> None:
        self._binary = binary

    def differences(self, logs: Iterable[Recorded]) -> Iterable[Difference]:
        """Every time-point on which it differs.

        Raises:
            ConfigurationError: it cannot be run, or refuses a formula.
        """
        with tempfile.TemporaryDirectory(prefix="lawful-monpoly-") as folder:
            sig = Path(folder) / "facts.sig"
            sig.write_text(signature_text(), encoding="utf-8")
            paths = {name: Path(folder) / name for name in formulas()}
            for name, text in formulas().items():
                paths[name].write_text(text, encoding="utf-8")
            log = Path(folder) / "subject.log"
            for recorded in logs:
                log.write_text("".join(recorded.log()), encoding="utf-8")
                for predicate, parts in FORMULAS.items():
                    yield from self._compare(recorded, predicate, sig, paths[f"{parts[-1]}.mfotl"], log)

    def _compare(
        self, recorded: Recorded, predicate: Predicate, sig: Path, formula: Path, log: Path
    ) -> Iterable[Difference]:
        files = ["-sig", str(sig), "-formula", str(formula)]
        order = self._order(predicate, self._run([*files, "-check"]))
        told = self._run([*files, "-log", str(log), "-nofilteremptytp", "-nofilterrel"])
        theirs = {point: {tuple(row[i] for i in order) for row in rows} for point, rows in read_verdicts(told).items()}
        ours = recorded.expected(predicate)
        for point in sorted({*ours, *theirs}):
            if ours.get(point) != theirs.get(point):
                mine, other = sorted(ours.get(point, ())), sorted(theirs.get(point, ()))
                yield Difference(recorded.key, predicate, point, mine, other)

    def _order(self, predicate: Predicate, told: str) -> tuple[int, ...]:
        """Our columns among MonPoly's, which has an order of its own."""
        found = _FREE.search(told)
        names = [name.strip() for name in found["names"].split(",")] if found and found["names"].strip() else []
        ours = program(predicate).vars
        if sorted(names) != sorted(ours):
            said = told.strip().splitlines()[-1:] or ["nothing"]
            raise ConfigurationError(f"MonPoly does not take the formula of {predicate.value}: it said {said[0]!r}")
        return tuple(names.index(name) for name in ours)

    def _run(self, arguments: list[str]) -> str:
        try:
            done = subprocess.run(
                [self._binary, *arguments], capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            hint = "MONPOLY_BIN names the program; unset it to do without"
            raise ConfigurationError(f"MonPoly cannot be run: {type(error).__name__}", hint=hint) from None
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["nothing"]
            raise ConfigurationError(f"MonPoly ended with status {done.returncode}: it said {said[0]!r}")
        return done.stdout + done.stderr


def read_verdicts(text: str) -> dict[int, set[Row]]:
    """MonPoly's lines: time-points to the values that satisfy the formula there."""
    found: dict[int, set[Row]] = {}
    for line in text.splitlines():
        match = _LINE.match(line.strip())
        if match:
            rows = {()} if match["rows"].strip() == "true" else {_row(raw) for raw in _ROW.findall(match["rows"])}
            found.setdefault(int(match["point"]), set()).update(rows)
    return found


def _row(raw: str) -> Row:
    return tuple(text if text or not bare else _bare(bare) for text, bare in _VALUE.findall(raw))


def _bare(text: str) -> int | float | str:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text
