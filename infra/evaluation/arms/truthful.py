"""Perfect extraction: it reads the ground truth, so that what is measured is the deciding alone."""

import re
from collections.abc import Iterator

from lawful.extractors.fields import read
from lawful.extractors.port import Extraction, ExtractionSpec
from lawful.extractors.purposes import claims
from lawful.infra.evaluation.arms.ours import PSEUDONYMISER
from lawful.infra.evaluation.trial import Act, Held, Trial
from lawful.schemas.event import AgentEvent, Identifier, Payload
from lawful.schemas.view import Finding, Provenance, PurposeClaim

_NAME, _VERSION = "truth", "1"


class Truthful:
    """Finds exactly what the trial's steps hold, and knows what each is really for.

    Args:
        trial: whose steps are asked about.
    """

    def __init__(self, trial: Trial) -> None:
        self._acts: dict[tuple[str, Payload], Act] = {
            (step.event.event_id, step.event.payload): step.truth for step in trial.steps if isinstance(step.truth, Act)
        }

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """See `lawful.extractors.port.Extractor`."""
        act = self._acts[event.event_id, event.payload]
        found = sorted(_findings(event, act, spec), key=lambda each: (each.path, each.start, each.category))
        claimed = claims(event, spec)
        known = {claim.purpose for claim in claimed}
        inferred = tuple(PurposeClaim(purpose, Provenance.INFERRED) for purpose in act.purposes if purpose not in known)
        return Extraction(tuple(found), (*claimed, *inferred))


def _findings(event: AgentEvent, act: Act, spec: ExtractionSpec) -> Iterator[Finding]:
    for field in read(event.payload, spec.limits).fields:
        if field.is_key:
            continue
        for held in act.held:
            for match in re.finditer(rf"(?<!\w){re.escape(held.form)}(?!\w)", field.text):
                start, end = match.span() if field.is_string else (0, len(field.text))
                yield Finding(
                    field.path, start, end, held.category, _NAME, _VERSION, 1.0, subject=_subject(event, held)
                )


def _subject(event: AgentEvent, held: Held) -> str | None:
    return PSEUDONYMISER.of(event.tenant_id, Identifier(held.scheme, held.value)) if held.scheme else None
