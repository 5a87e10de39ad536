"""The converter that is there by default: reads what has a form, and asks nobody. Linear in the text."""

import re
from dataclasses import dataclass
from typing import Final

from lawful.firewalls.convert.documents import documents
from lawful.firewalls.convert.draft import Draft
from lawful.firewalls.convert.lines import Lines
from lawful.firewalls.convert.port import Conversion
from lawful.firewalls.vocabulary import Vocabulary
from lawful.schemas.legible import legible

_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[^\n]{0,40}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Extractor:
    """Finds documents, tables, labels with values, and labels near values in prose."""

    def convert(self, text: str, vocabulary: Vocabulary) -> Conversion:
        """What a text seems to say."""
        draft = Draft(vocabulary)
        rest = documents(_FENCE.sub("", legible(text)), draft)
        Lines(draft).read(rest.splitlines())
        return draft.done()
