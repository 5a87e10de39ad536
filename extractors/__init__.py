"""Finds personal data, its categories and its purposes in what agents say and do.

The port (`lawful.extractors.port`) is light; `build_extractor` loads Presidio and a language model.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.extractors.port import Extractor
from lawful.schemas.pseudonym import Pseudonymiser

if TYPE_CHECKING:
    from presidio_analyzer import EntityRecognizer

__all__ = ["build_extractor"]


def build_extractor(  # noqa: PLR0913 - the composition root names what it wants
    pseudonymiser: Pseudonymiser,
    *,
    model: str | None = None,
    recognizers: "Sequence[EntityRecognizer] | Sequence[Any]" = (),
    categories: Mapping[str, str] | None = None,
    config: Path | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Extractor:
    """The real extractor, warm. Takes two to three seconds, and is then safe to share between threads.

    Args:
        pseudonymiser: turns identifiers that are found into the pseudonyms of their subjects.
        model: name or folder of an installed spaCy model; the packaged small English one by default.
        recognizers: a user's own Presidio recognisers.
        categories: data category of each entity that those find.
        config: YAML in the form of `data/entities.yaml` with further recognisers (by class name, or
            as Presidio's own YAML describes pattern recognisers) and entities.
        clock: for the time an event may cost.

    Raises:
        ConfigurationError: the model is not installed, a recogniser does not exist, or one finds
            an entity that has no category.
    """
    from lawful.extractors.build import build  # noqa: PLC0415 - importing the port must not load spaCy
    from lawful.extractors.warming import warm  # noqa: PLC0415 - as above

    extractor = build(pseudonymiser, clock, model, recognizers, categories or {}, config)
    warm(extractor)
    return extractor
