"""Lines: `Label: value` alone, several in a line, or as a heading over a list; the rest is prose."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from lawful.firewalls.convert.draft import Draft, Found
from lawful.firewalls.convert.prose import sentences
from lawful.firewalls.convert.tables import labelled, pair, table

_SAYS: Final = re.compile(r"(?P<unit>\s{0,2}\([^()\n]{1,30}\))?[\s*_`\"]{0,4}[:=\uff1a](?!//)[\s*_`]{0,4}")
_BULLET: Final = re.compile(r"\s*(?:[-*\u2022\u2013>#|]+\s*|\(?\d{1,3}[.)]\s+)*[*_`\"]*")
_NUMBERED: Final = re.compile(r"\s*(?:[-*>]\s*)?(?:[*_]{2})?(?:#{1,6}\s|\(?\d{1,3}[.)]\s)")
_LISTED: Final = re.compile(r"\s*[-*\u2022\u2013]\s+\S")
_SEPARATED: Final = re.compile(r"[,;|(\u2022\u2013.]\s*[*_`\"]{0,3}$|\s-\s*$")
_UNKNOWN: Final = re.compile(r"[^:=\n]{1,60}[:=]")
_HEADING: Final = re.compile(r"[\s#*_>\d.()-]*(?P<kind>[^:\n]{1,60}?)[\s\d#*_]*:?[\s*_]*")
_TRAILING: Final = ' \t*_`,;|"('


@dataclass(slots=True)
class Lines:
    """Reads the lines of a text that is no document.

    Attributes:
        open_label: a label without a value, whose list follows.
    """

    draft: Draft
    open_label: str = field(default="", repr=False)

    def read(self, lines: Sequence[str]) -> None:
        """Tells the draft of all lines, tables among them."""
        at = 0
        while at < len(lines):
            rows = table(lines, at, self.draft) if lines[at].strip() else 0
            if not rows:
                self._line(lines[at])
            at += rows or 1

    def _line(self, line: str) -> None:
        if not line.strip():
            self.open_label = ""
            return
        found = list(self._pairs(line)) or pair(line, self.draft.vocabulary)
        if _NUMBERED.match(line) or (len(found) > 1 and _LISTED.match(line)):
            self._next_thing()
        if found:
            self._tell(found)
        elif self.open_label and _LISTED.match(line):
            self.draft.tell([Found(self.open_label, _BULLET.sub("", line, count=1))])
        elif not self._heading(line):
            self._prose(line)

    def _tell(self, found: list[Found]) -> None:
        self.open_label = next((each.label for each in found[-1:] if not each.value), "")
        self.draft.tell([each for each in found if each.value])

    def _pairs(self, line: str) -> Iterator[Found]:
        """Each known label with a colon behind it, with all up to the next one."""
        places = list(self._labels(line))
        for number, (start, end, value_at, unit) in enumerate(places):
            upto = places[number + 1][0] if number + 1 < len(places) else len(line)
            yield labelled(line[start:end] + unit, line[value_at:upto].strip().rstrip(_TRAILING))

    def _labels(self, line: str) -> Iterator[tuple[int, int, int, str]]:
        since = 0
        for match in self.draft.vocabulary.labels.finditer(line):
            says = _SAYS.match(line, match.end())
            if says is not None and self._begins(line, since, match.start()):
                since = says.end()
                yield match.start(), match.end(), says.end(), says["unit"] or ""

    @staticmethod
    def _begins(line: str, since: int, start: int) -> bool:
        """Whether a label stands where one can begin: at the line's start, or behind a separator."""
        return _BULLET.fullmatch(line, 0, start) is not None or (
            since < start and _SEPARATED.search(line, max(since, start - 8), start) is not None
        )

    def _heading(self, line: str) -> bool:
        match = _HEADING.fullmatch(line)
        kind = match["kind"].strip() if match is not None else ""
        if not kind or self.draft.vocabulary.kind(kind) is None:
            return False
        self.draft.next(kind)
        return True

    def _prose(self, line: str) -> None:
        understood = False
        for sentence in sentences(line):
            found = sentence.read(self.draft.vocabulary)
            understood |= bool(found)
            self.draft.tell(found)
            self.draft.not_understood += not found
        bare = _BULLET.sub("", line, count=1)
        if not understood and _UNKNOWN.match(bare):
            self.draft.not_understood -= 1
            self.draft.tell([Found(bare.partition(":")[0], None)])

    def _next_thing(self) -> None:
        if self.draft.said:
            self.draft.next(self.draft.kind)
