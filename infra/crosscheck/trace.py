"""A recorded trace before the three judges: annotated as workers would, then compared."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor
from lawful.extractors.purposes import claims
from lawful.infra.crosscheck.drive import Driver, Tally
from lawful.infra.ingest import Mint, Report, parse_file
from lawful.policies.mfotl.export import Recorded, formulas, signature_text
from lawful.policies.mfotl.judge import FORMULAS
from lawful.policies.policyset import PolicySet
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentEvent, Micros
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.view import SourcePosition
from lawful.streams.kernel import Kernel, SourceRecord, annotate

# Nothing that is made with this key leaves the process: it only has to tell people apart.
_KEY = b"a crosscheck keeps no state"


class NoExtraction:
    """Purposes only: content is not looked at, so no category is found."""

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """What the agent declares and the policy binds."""
        return Extraction(purposes=claims(event, spec))


@dataclass(slots=True)
class Checked:
    """What came of a trace."""

    tally: Tally
    report: Report


def pseudonymiser() -> Pseudonymiser:
    """Pseudonyms for one run."""
    return Pseudonymiser(master=_KEY)


def check_trace(
    path: Path, mint: Mint, policies: PolicySet, extractor: Extractor, progress: Callable[[int], None]
) -> Checked:
    """Run every event of a file through all judges, in the order of the file.

    Args:
        path: our JSON Lines of agent events.
        mint: fills in what events leave out.
        policies: the loaded policies.
        extractor: finds data categories in content.
        progress: told after every event.
    """
    driver = Driver(policies, keep_logs=True)
    kernel = Kernel(policies, extractor, pseudonymiser())
    report, time = Report(), 0
    for offset, event in enumerate(parse_file(path, "lawful", mint, report)):
        time = max(time, _stamp(event))
        driver.take(annotate(event, SourceRecord(SourcePosition(str(path), 0, offset), time), kernel))
        progress(1)
    return Checked(driver.tally, report)


def _stamp(event: AgentEvent) -> Micros:
    """A file has no broker: its events' own times stand in, and never run back."""
    return event.occurred_at


def export(logs: list[Recorded], folder: Path) -> list[Path]:
    """Write what MonPoly reads, and what our monitor found.

    Raises:
        ConfigurationError: the folder cannot be written to.
    """
    files = {"facts.sig": signature_text(), **formulas()}
    for number, recorded in enumerate(logs, 1):
        files[f"subject-{number:04d}.log"] = "".join(recorded.log())
        files[f"subject-{number:04d}.verdicts.json"] = _verdicts(recorded)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{folder} cannot be written to: {error.strerror}") from None
    return [folder / name for name in files]


def _verdicts(recorded: Recorded) -> str:
    found = {
        parts[-1]: {str(point): sorted(map(list, rows)) for point, rows in recorded.expected(predicate).items()}
        for predicate, parts in FORMULAS.items()
    }
    return json.dumps(found, indent=1) + "\n"
