"""Known identifiers in a text, however they are written there.

An identifier is in a text where something in it has the same normal form: an address in another
case or with its domain in another script, a phone number with or without its country's code, a
document's number with or without separators, a name last name first. What has no notation of its
own is looked for as it stands, in any case and spacing.
"""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from lawful.schemas import normalising
from lawful.schemas.event import AgentEvent, Identifier
from lawful.schemas.normalising import Normalise

Spans = list[tuple[int, int]]

_SHORT: Final = 4  # shorter values occur by chance: they must be the whole field
_PHONE_DIGITS: Final = 7
_COUNTRY_DIGITS: Final = 3
_PHONE: Final = re.compile(r"(?<!\w)\+?[(\d](?:[ .\-/()]{0,2}\d){6,16}(?!\w)")
_MAIL: Final = re.compile(r"[\w.!#$%&'*+/=?^`{|}~\-]{1,64}@[\w.\-]{1,253}")
_NOT_ALNUM: Final = re.compile(r"[\W_]+")
_NAME_WORDS: Final = 2
_DOCUMENTS: Final = normalising.DOCUMENTS


@dataclass(frozen=True, slots=True)
class Known:
    """One identifier, ready to be looked for.

    Attributes:
        identifier: as it was given.
        hint: what a text in lower case must hold; for documents, a text without anything else.
        find: where it is in a text.
    """

    identifier: Identifier
    hint: str = field(repr=False)
    is_document: bool
    find: Callable[[str], Spans] = field(repr=False)


class Lookout:
    """The identifiers of an event, prepared once and not for each of its fields.

    Args:
        normalise: the normal form of identifiers.
    """

    def __init__(self, normalise: Normalise) -> None:
        self._normalise = normalise
        self._last = threading.local()

    def occurrences(self, event: AgentEvent, text: str) -> Iterator[tuple[Identifier, Spans]]:
        """The event's subjects that a text names, and where."""
        if not event.subjects:
            return
        folded = text.casefold()
        squeezed = None
        for one in self._known(event):
            if one.is_document and squeezed is None:
                squeezed = _NOT_ALNUM.sub("", folded)
            if one.hint in ((squeezed or "") if one.is_document else folded):
                spans = one.find(text)
                if spans:
                    yield one.identifier, spans

    def _known(self, event: AgentEvent) -> Sequence[Known]:
        if getattr(self._last, "event", None) is not event:
            known = [_prepared(subject, self._normalise) for subject in event.subjects]
            self._last.known = [one for one in known if one is not None]
            self._last.event = event
        prepared: Sequence[Known] = self._last.known
        return prepared


def _prepared(subject: Identifier, normalise: Normalise) -> Known | None:
    normal = normalise(subject)
    value = normal.value
    if not value:
        return None
    literal = _literal(subject.value.split())
    match normal.scheme:
        case "phone":
            return Known(subject, "", is_document=False, find=lambda text: _phones(text, normal, normalise))
        case "email":
            return Known(subject, "@", is_document=False, find=lambda text: _mails(text, normal, normalise, literal))
        case scheme if scheme in _DOCUMENTS and len(value) >= _SHORT:
            apart = re.compile(rf"(?<!\w){_SEPARATED.join(map(re.escape, value))}(?!\w)", re.IGNORECASE)
            return Known(subject, value, is_document=True, find=lambda text: _spans(apart, text))
        case _ if len(value) < _SHORT:
            return Known(subject, value, is_document=False, find=lambda text: _whole(text, normal, normalise))
        case "name":
            either = _name(subject.value)
            return Known(subject, "", is_document=False, find=lambda text: _spans(either, text))
        case _:
            hint = subject.value.split()[0].casefold() if subject.value.split() else ""
            return Known(subject, hint, is_document=False, find=lambda text: _spans(literal, text))


_SEPARATED: Final = r"[\W_]{0,2}"


def _spans(pattern: re.Pattern[str], text: str) -> Spans:
    return [match.span() for match in pattern.finditer(text)]


def _literal(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){_in_order(words)}(?!\w)" if words else r"(?!)", re.IGNORECASE)


def _in_order(words: Sequence[str]) -> str:
    return r"\s+".join(re.escape(word) for word in words)


def _name(value: str) -> re.Pattern[str]:
    """The words in their order, or the last one first with a comma."""
    words = value.replace(",", " ").split()
    forms = [_in_order(words)]
    if len(words) >= _NAME_WORDS:
        forms.append(rf"{re.escape(words[-1])},\s*{_in_order(words[:-1])}")
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)


def _whole(text: str, normal: Identifier, normalise: Normalise) -> Spans:
    return [(0, len(text))] if normalise(Identifier(normal.scheme, text)).value == normal.value else []


def _mails(text: str, normal: Identifier, normalise: Normalise, literal: re.Pattern[str]) -> Spans:
    spans = set(_spans(literal, text))
    local = normal.value.partition("@")[0]
    for match in _MAIL.finditer(text):
        written = match.group().rstrip(".-")
        # Only the domain has notations of its own.
        if written.lower().startswith(f"{local}@") and normalise(Identifier("email", written)).value == normal.value:
            spans.add((match.start(), match.start() + len(written)))
    return sorted(spans)


def _phones(text: str, normal: Identifier, normalise: Normalise) -> Spans:
    """Numbers of the same form, or with the same digits but for a country's code in front."""
    wanted = "".join(char for char in normal.value.partition(";")[0] if char.isdecimal())
    if len(wanted) < _PHONE_DIGITS:
        return []
    return [
        match.span()
        for match in _PHONE.finditer(text)
        if _same_number(wanted, match.group()) or normalise(Identifier("phone", match.group())).value == normal.value
    ]


def _same_number(wanted: str, written: str) -> bool:
    found = "".join(char for char in written if char.isdecimal()).removeprefix("00")
    shorter, longer = sorted((wanted, found), key=len)
    is_longer_by_a_code = len(longer) - len(shorter) <= _COUNTRY_DIGITS
    return is_longer_by_a_code and len(shorter) >= _PHONE_DIGITS and longer.endswith(shorter.lstrip("0"))
