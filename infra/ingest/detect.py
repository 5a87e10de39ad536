"""Guessing a file's format from its first document."""

from pathlib import Path

from lawful.infra.ingest.documents import read_documents
from lawful.infra.ingest.formats import FORMATS
from lawful.infra.ingest.report import Report
from lawful.schemas.errors import ConfigurationError


def guess(path: Path) -> str:
    """The name of the first format that the first readable document looks like.

    Raises:
        ConfigurationError: the file cannot be read, or looks like nothing that is known.
    """
    report = Report()
    for document in read_documents(path, report):
        value = document.value
        samples = [value, *value[:1]] if isinstance(value, list) else [value]
        for each in FORMATS.values():
            if any(each.looks_like(sample) for sample in samples):
                return each.name
        break
    else:
        if report.problems:
            first = report.problems[0]
            raise ConfigurationError(
                first.message, place=first.place, hint="one JSON value in the file, or one in each line (.jsonl)"
            )
    raise ConfigurationError(
        f"the format of {path} cannot be told from its content",
        hint=f"name it: --format {'|'.join(FORMATS)}",
    )
