"""The formats that can be ingested, by name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lawful.infra.ingest import agentleak, messages, native, openai, tau2
from lawful.infra.ingest.documents import Document, read_documents
from lawful.infra.ingest.mint import Mint
from lawful.infra.ingest.report import Report
from lawful.schemas.event import AgentEvent


@dataclass(frozen=True, slots=True)
class Format:
    """How one format is told and read.

    Attributes:
        title: what it is, in a few words.
        looks_like: whether a document (or the first element of a list) is of it.
        parse: documents to events; never raises for what a document holds.
    """

    name: str
    title: str
    looks_like: Callable[[object], bool]
    parse: Callable[[Iterable[Document], Mint, Report], Iterator[AgentEvent]]


_ALL = (
    Format(native.NAME, "our own JSON Lines, all fields of an event", native.looks_like, native.parse),
    Format(tau2.NAME, "tau2-bench tasks", tau2.looks_like, tau2.parse),
    Format(agentleak.NAME, "AgentLeak scenarios and traces", agentleak.looks_like, agentleak.parse),
    Format(openai.NAME, "chat messages with tool calls", openai.looks_like, openai.parse),
    Format(messages.NAME, "messages between agents", messages.looks_like, messages.parse),
)
FORMATS: Mapping[str, Format] = {each.name: each for each in _ALL}


def parse_file(path: Path, format_name: str, mint: Mint, report: Report) -> Iterator[AgentEvent]:
    """Events of a file, lazily; what is left over goes into the report.

    Raises:
        ConfigurationError: the file cannot be read at all.
    """
    return FORMATS[format_name].parse(read_documents(path, report), mint, report)
