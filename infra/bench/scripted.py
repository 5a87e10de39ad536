"""A worker that reads no content: with it, what the pipeline itself costs is seen.

`python -m lawful.infra.bench.scripted` is `lawful worker`, but for the extractor: this one claims the purposes that
the policy binds to a tool, and finds nothing.
"""

import argparse
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor
from lawful.infra import compose_root
from lawful.infra.settings import Settings
from lawful.infra.settings_load import load_settings
from lawful.schemas.event import AgentEvent, ToolCall
from lawful.schemas.view import Provenance, PurposeClaim
from lawful.streams.worker import exit_now


class Scripted:
    """The port `Extractor`, without reading anything."""

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """What the policy says of the tool."""
        tool = spec.tools.get(event.payload.tool) if isinstance(event.payload, ToolCall) else None
        purposes = spec.message_purposes if tool is None else tool.purposes
        return Extraction(purposes=tuple(PurposeClaim(each, Provenance.TOOL) for each in purposes))


@contextmanager
def scripted(settings: Settings) -> Iterator[Extractor | None]:
    """In the place of `compose_root.extraction`; no setting changes it."""
    del settings
    yield Scripted()


def main() -> None:
    """Runs until told to stop."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ready-file", type=Path)
    ready = parser.parse_args().ready_file
    logging.basicConfig(level=logging.WARNING)
    compose_root.extraction = scripted
    exit_now(compose_root.run_worker(load_settings(os.environ), compose_root.touch(ready)))


if __name__ == "__main__":
    main()
