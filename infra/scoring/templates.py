"""The templates of presidio-evaluator: sentences that others wrote, filled anew, in an environment that is thrown away.

The package brings a gigabyte of dependencies for a few kilobytes of sentences, so it is installed
beside this environment, asked once, and removed. Whoever has it somewhere names that Python.
"""

import json
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from lawful.infra.corpus.kinds import OTHERS
from lawful.infra.corpus.template import Label, Sample
from lawful.schemas.event import UserMessage

PACKAGE: Final = "presidio-evaluator"
_MINUTES: Final = 15
_KINDS: Final = {
    "PERSON": "name",
    "STREET_ADDRESS": "street",
    "GPE": "place",
    "LOCATION": "place",
    "ZIP_CODE": "postal_code",
    "PHONE_NUMBER": "phone",
    "EMAIL_ADDRESS": "email",
    "CREDIT_CARD": "card",
    "IBAN_CODE": "iban",
    "US_SSN": "ssn",
    "US_DRIVER_LICENSE": "licence",
    "IP_ADDRESS": "ip",
    "AGE": "age",
    "DATE_TIME": "date",
    "ORGANIZATION": "organization",
    "TITLE": "title",
    "NRP": "group",
    "DOMAIN_NAME": "url",
}
# Runs in the other environment, with that package's public names only.
_SCRIPT: Final = """
import json, sys
from presidio_evaluator.data_generator import PresidioSentenceFaker
faker = PresidioSentenceFaker(locale="en_US", lower_case_ratio=0.05, random_seed=int(sys.argv[1]))
for made in faker.generate_new_fake_sentences(num_samples=int(sys.argv[2])):
    spans = [(one.start_position, one.end_position, one.entity_type) for one in made.spans]
    print("JSON " + json.dumps([made.full_text, spans]))
"""


class NotInstalled(Exception):
    """The package is not there and cannot be installed; says why."""


def sentences(seed: int, count: int, python: Path | None = None) -> list[Sample]:
    """Filled templates with their labels.

    Args:
        seed: of the filling.
        count: how many.
        python: of an environment that has the package; otherwise one is made and removed again (minutes, one gigabyte).

    Raises:
        NotInstalled: it is not there, and cannot be installed.
    """
    if python is not None:
        return read(_asked(python, seed, count))
    with TemporaryDirectory(prefix="lawful-templates-") as folder:
        return read(_asked(_installed(Path(folder)), seed, count))


def read(lines: Iterable[str]) -> list[Sample]:
    """What the other environment printed, as samples."""
    made = (json.loads(line.removeprefix("JSON ")) for line in lines if line.startswith("JSON "))
    return [Sample("en", "message", UserMessage(text), tuple(_labels(spans))) for text, spans in made]


def personal_only(sample: Sample) -> Sample:
    """The sample without labels for what is about nobody by itself: dates, places, organisations, titles."""
    return replace(sample, labels=tuple(label for label in sample.labels if label.kind not in OTHERS))


def _labels(spans: Iterable[Any]) -> Iterator[Label]:
    for start, end, kind in spans:
        if kind in _KINDS:
            yield Label("/text", start, end, _KINDS[kind])


def _installed(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE])
    return python


def _asked(python: Path, seed: int, count: int) -> list[str]:
    return _run([str(python), "-W", "ignore", "-c", _SCRIPT, str(seed), str(count)]).splitlines()


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 * _MINUTES, check=True)
    except subprocess.CalledProcessError as error:
        last = (error.stderr or "").strip().splitlines()[-1:] or ["no message"]
        raise NotInstalled(f"{PACKAGE}: {last[0]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(f"{PACKAGE}: {type(error).__name__}") from error
    return done.stdout
