"""A place that a recogniser of Presidio's names, and on what grounds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One place in one text.

    Attributes:
        pattern: the name of the pattern that matched, where there is one.
        context: the recogniser's word that stands beside it and raised its score, where one does.
    """

    entity: str
    start: int
    end: int
    score: float
    detector: str
    version: str
    pattern: str = ""
    context: str = ""

    @property
    def has_context(self) -> bool:
        """Whether a word beside it says what it is."""
        return bool(self.context)


def distinct(hits: list[Hit]) -> list[Hit]:
    """Without those that another hit of the same entity, at least as sure, covers; as Presidio has it."""
    if len(hits) <= 1:
        return hits
    kept: list[Hit] = []
    active: list[Hit] = []
    for hit in sorted(set(hits), key=lambda one: (one.entity, one.start, one.start - one.end, -one.score)):
        active = [one for one in active if one.entity == hit.entity and one.end >= hit.start]
        if not any(one.end >= hit.end and one.score >= hit.score for one in active):
            kept.append(hit)
            active.append(hit)
    return kept
