"""Extractors that do what an event's text says; built in extraction processes."""

import os
import time
from dataclasses import replace

from lawful.extractors import build_extractor
from lawful.extractors.port import Extraction, ExtractionSpec, Extractor
from lawful.extractors.purposes import claims
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.view import Finding
from tests.extractors.support import PSEUDONYMS


class Scripted:
    """Finds one thing; hangs, crashes or raises where the text says so."""

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """Its process id stands for the version."""
        text = event.payload.text if isinstance(event.payload, UserMessage) else ""
        if "hang" in text:
            while True:
                time.sleep(0.01)
        if "crash" in text:
            os._exit(9)
        if "raise" in text:
            raise ValueError(text)
        found = Finding("/text", 0, len(text), "user.name", "scripted", str(os.getpid()), 1.0)
        return Extraction((found,), claims(event, spec))


class Impatient:
    """An extractor that gives every event a tenth of a second."""

    def __init__(self, inner: Extractor) -> None:
        self._inner = inner

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """As the inner one, in a hurry."""
        return self._inner.extract(event, replace(spec, limits=replace(spec.limits, extraction_ms=100)))


def scripted() -> Extractor:
    """One that does as it is told."""
    return Scripted()


def real() -> Extractor:
    """The one that ships."""
    return build_extractor(PSEUDONYMS)


def unbuildable() -> Extractor:
    """None."""
    raise ConfigurationError("there is no such model", hint="take another")


def crashing() -> Extractor:
    """None."""
    raise RuntimeError("jane@example.com")
