"""Traces that other tools wrote, read as agent events.

One file a format. Every parser is pure: documents and a mint in, events out, and whatever it
could not place goes into the report. Publishing is the command line's job (`lawful ingest`).
"""

from lawful.infra.ingest.detect import guess
from lawful.infra.ingest.documents import read_documents
from lawful.infra.ingest.formats import FORMATS, parse_file
from lawful.infra.ingest.mint import Mint
from lawful.infra.ingest.report import Problem, Report

__all__ = ["FORMATS", "Mint", "Problem", "Report", "guess", "parse_file", "read_documents"]
