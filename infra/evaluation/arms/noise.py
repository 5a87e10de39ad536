"""An extractor that errs: it misses categories and takes others for what they are not, by chance.

For every category that an event holds: with probability p it is missed, wherever it stands
(drop-out); and with probability p something of it looks like another category as well
(over-typing), drawn from all that the pack's traffic holds. One place has one category, so the
extractor decides for either, by a coin. The fail-safe does not decide: what is ambiguous counts as
both, so that less is missed and more is seen than there is.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor
from lawful.infra.evaluation.attacks.trades import trades
from lawful.infra.fleet.people import Crowd
from lawful.schemas.event import AgentEvent
from lawful.schemas.view import Finding


class Noise:
    """Another extractor's findings, with errors.

    Args:
        inner: whose findings.
        pack: whose categories things are mistaken for.
        rate: how probable an error is for each category of an event.
        seed: chance; an event's errors depend on it, the rate and the event alone.
        fail_safe: let what is ambiguous count as both.
    """

    def __init__(self, inner: Extractor, pack: str, rate: float, seed: int, *, fail_safe: bool = False) -> None:
        self._inner = inner
        self._universe = _universe(pack)
        self._rate = rate
        self._seed = seed
        self._fail_safe = fail_safe

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """See `lawful.extractors.port.Extractor`."""
        found = self._inner.extract(event, spec)
        dice = Random(f"{self._seed}/{event.event_id}")  # noqa: S311 - reproducible, and no secret
        return replace(found, findings=tuple(self._seen(found.findings, dice)))

    def _seen(self, findings: tuple[Finding, ...], dice: Random) -> Iterator[Finding]:
        for category in sorted({finding.category for finding in findings}):
            missed, over_typed, decided = (dice.random() < odds for odds in (self._rate, self._rate, 0.5))
            here = [finding for finding in findings if finding.category == category]
            place, other = dice.choice(here), dice.choice([each for each in self._universe if each != category])
            if over_typed and (self._fail_safe or decided):
                yield replace(place, category=other, subject=None)
            if not missed:
                yield from (each for each in here if not _lost(each, place, over_typed and decided, self._fail_safe))


def _lost(finding: Finding, place: Finding, mistaken: bool, fail_safe: bool) -> bool:  # noqa: FBT001 - facts of one draw
    return mistaken and not fail_safe and (finding.path, finding.start) == (place.path, place.start)


@cache
def _universe(pack: str) -> tuple[str, ...]:
    """Every category that this pack's traffic may hold."""
    person = Crowd(Random(0)).somebody()  # noqa: S311 - anybody will do
    return tuple(sorted({datum.category for datum in trades()[pack].data(person)}))
