"""From an event to its findings and purposes: fields, recognisers, merge, and what must not break.

Nothing that goes wrong here lets an event pass: it ends as a status that is not `complete`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from lawful.extractors.asking import Asking
from lawful.extractors.budget import UNBOUNDED, Budget, DetectorFailed, TimeUp, TooMuch, TooMuchWork
from lawful.extractors.candidate import Candidate, Recogniser, Surroundings
from lawful.extractors.essential import EssentialCheck
from lawful.extractors.explain import Explained, explain_field
from lawful.extractors.fields import Document, Field, read
from lawful.extractors.keyed import is_telling, lifted
from lawful.extractors.lately import forget
from lawful.extractors.marks import marked
from lawful.extractors.port import Extraction, ExtractionSpec, Job, Limits
from lawful.extractors.purposes import claims
from lawful.schemas.event import AgentEvent, ToolCall
from lawful.schemas.strict_json import Unreadable, plain
from lawful.schemas.view import ExtractionStatus, Finding

_AHEAD: Final = 4_000
"""Characters of an event's fields, up to which recognisers see them before the event's turn."""


class Pipeline:
    """The extractor: recognisers in a row over every field. Safe to share between threads.

    Args:
        recognisers: asked in this order; the order changes nothing but which failure is named.
        clock: seconds that never run backwards; only differences count.
    """

    def __init__(self, recognisers: Sequence[Recogniser], clock: Callable[[], float]) -> None:
        self._asking = Asking(recognisers)
        self._clock = clock

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """All findings of an event, or a status that says why they cannot be relied on."""
        (extraction,) = self.extract_each([(event, spec)])
        return extraction

    def extract_each(self, jobs: Sequence[Job]) -> Iterator[Extraction]:
        """What `extract` gives for each; recognisers that gain by it see all of them first."""
        contents = [_content(event, spec) for event, spec in jobs]
        first = [
            (field, spec)
            for (_, spec), content in zip(jobs, contents, strict=True)
            if isinstance(content, Document) and self._may_be_read_ahead(content, spec)
            for field in content.fields
        ]
        if len(first) > 1:
            self._asking.ahead(first)
        try:
            for job, content in zip(jobs, contents, strict=True):
                yield self._extraction(*job, content)
        finally:
            forget()

    def explain(self, event: AgentEvent, spec: ExtractionSpec) -> list[Explained]:
        """Every hit of every recogniser, whether it is among the findings, and why.

        Raises:
            Unreadable: the event cannot be read.
            DetectorFailed, TimeUp, TooMuch: as an extraction would fail.
        """
        around = Surroundings(event, spec, self._budget(replace(spec.limits, extraction_steps=UNBOUNDED)))
        return [
            told
            for field in read(event.payload, spec.limits).fields
            for told in explain_field(field, around, self._asking.recognisers, self._asking.about(field, around))
        ]

    def forget(self) -> None:
        """See `Asking.forget`."""
        self._asking.forget()

    def _may_be_read_ahead(self, content: Document, spec: ExtractionSpec) -> bool:
        """Whether it may be read before its turn, when nothing counts yet what that costs."""
        size = sum(len(field.text) for field in content.fields)
        return size <= _AHEAD and self._asking.price(content.fields) <= spec.limits.extraction_steps

    def _extraction(self, event: AgentEvent, spec: ExtractionSpec, content: Document | Exception) -> Extraction:
        purposes = claims(event, spec)
        try:
            findings = self._findings(Surroundings(event, spec, self._budget(spec.limits)), content)
        except Unreadable as error:
            return Extraction((), purposes, error.status, error.reason)
        except TooMuchWork:
            return Extraction((), purposes, ExtractionStatus.OVERSIZED, "too_much_to_read")
        except TooMuch:
            return Extraction((), purposes, ExtractionStatus.OVERSIZED, "too_many_findings")
        except TimeUp:
            return Extraction((), purposes, ExtractionStatus.TIMEOUT, "extraction_timeout")
        except DetectorFailed as error:
            return Extraction((), purposes, ExtractionStatus.FAILED, f"detector_failed:{error}")
        except Exception as error:  # noqa: BLE001 - fail closed, whatever it is; no message leaves
            return Extraction((), purposes, ExtractionStatus.FAILED, f"extraction_failed:{type(error).__name__}")
        return Extraction(findings, purposes)

    def _budget(self, limits: Limits) -> Budget:
        deadline = self._clock() + limits.extraction_ms / 1_000
        return Budget(self._clock, deadline, limits.max_findings, limits.extraction_steps)

    def _findings(self, around: Surroundings, document: Document | Exception) -> tuple[Finding, ...]:
        if isinstance(document, Exception):
            raise document
        around.budget.spend(self._asking.price(document.fields))
        found = list[Finding]()
        keys, personal = dict[str, Field](), set[str]()
        for field in document.fields:
            hits = self._asking.about(field, around)
            if field.is_key:
                keys[field.below] = field
                personal.update({field.below} if hits else ())
            found += [_finding(field, hit) for hit in hits]
            if around.spec.marks:
                found += marked(field, around)
            _check_count(len(found), around)
        lift = lifted(found, keys, lambda key: key.below in personal or is_telling(key, around))
        findings = sorted(set(lift), key=_place)
        return tuple(_with_essential(findings, around, document))


def _content(event: AgentEvent, spec: ExtractionSpec) -> Document | Exception:
    """An event's fields, or why they cannot be read."""
    try:
        return read(event.payload, spec.limits)
    except Exception as error:  # noqa: BLE001 - fail closed, in its turn
        return error


def _check_count(found: int, around: Surroundings) -> None:
    if found > around.spec.limits.max_findings:
        raise Unreadable(ExtractionStatus.OVERSIZED, "too_many_findings")


def _finding(field: Field, hit: Candidate) -> Finding:
    whole = field.is_key  # the container of a personal key
    start, end = (0, 0) if whole else (hit.start, hit.end) if field.is_string else (0, len(field.text))
    return Finding(
        path=field.path,
        start=start,
        end=end,
        category=hit.category,
        detector=hit.detector,
        detector_version=hit.version,
        score=hit.score,
        essential=field.path == "/key",  # the name of a memory: replaced, it would name another
        subject=hit.subject,
    )


def _place(finding: Finding) -> tuple[Any, ...]:
    return (
        finding.path,
        finding.start,
        finding.end,
        finding.category,
        finding.detector,
        finding.subject or "",
        -finding.score,
    )


def _with_essential(findings: list[Finding], around: Surroundings, document: Document) -> Iterator[Finding]:
    payload = around.event.payload
    tool = around.spec.tools.get(payload.tool) if isinstance(payload, ToolCall) else None
    if not findings or tool is None or tool.schema is None:
        yield from findings
        return
    check = EssentialCheck(plain(document.arguments), tool.schema, around.spec.generalised)
    at_path = {path: tuple(group) for path, group in groupby(findings, key=lambda finding: finding.path)}
    strings = {field.within for field in document.fields if field.within}
    for finding in findings:
        around.budget.check()
        # A part of a string that holds JSON: the schema knows the string, and that it stays.
        is_inside = any(finding.path.startswith(f"{string}/") for string in strings)
        yield finding if is_inside else replace(finding, essential=check.is_essential(finding, at_path[finding.path]))
