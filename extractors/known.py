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

from lawful.extractors.budget import FREE, Budget
from lawful.extractors.written import TAIL, Spans, Written, only_digits, price
from lawful.schemas import normalising
from lawful.schemas.event import AgentEvent, Identifier
from lawful.schemas.normalising import Normalise

_SHORT: Final = 4  # shorter values occur by chance: they must be the whole field
_LONGEST_WITH_SHORT: Final = 64
_PHONE_DIGITS: Final = 7
_COUNTRY_DIGITS: Final = 3
_NAME_WORDS: Final = 2
_PER_CHARACTER: Final = 2  # steps, of what is looked for
_PER_HINT: Final = 8  # hints for one step
_PER_HINTS_CHARACTER: Final = 256
_DOCUMENTS: Final = normalising.DOCUMENTS


@dataclass(frozen=True, slots=True)
class Known:
    """One identifier, ready to be looked for.

    Attributes:
        identifier: as it was given.
        how: what tells it from others that are found at the same places.
        hint: what a text in lower case must hold.
        find: where it is in a text.
    """

    identifier: Identifier
    how: tuple[str, ...] = field(repr=False)
    hint: str = field(repr=False)
    find: Callable[[Written], Spans] = field(repr=False)


class Lookout:
    """The identifiers of an event, prepared once and not for each of its fields.

    Args:
        normalise: the normal form of identifiers.
    """

    def __init__(self, normalise: Normalise) -> None:
        self._normalise = normalise
        self._last = threading.local()

    def occurrences(self, event: AgentEvent, text: str, budget: Budget = FREE) -> Iterator[tuple[Identifier, Spans]]:
        """The event's subjects that a text names, and where; of several spellings of one the first.

        Args:
            event: whose subjects.
            text: as it is read.
            budget: of steps: whatever is looked at is paid for.

        Raises:
            TooMuchWork: there is more to look at than the event may cost.
        """
        if not event.subjects:
            return
        self._pay(event, budget)
        known = self._known(event)
        written = Written(text, self._normalise, budget)
        budget.spend(len(known) // _PER_HINT + len(known) * len(text) // _PER_HINTS_CHARACTER)
        for one in known:
            if one.hint in written.folded and (spans := one.find(written)):
                yield one.identifier, spans

    def _pay(self, event: AgentEvent, budget: Budget) -> None:
        """For what is prepared, once for an extraction, whether an earlier one of the event prepared it or not."""
        if getattr(self._last, "budget", None) is not budget:
            budget.spend(sum(price(one) + _PER_CHARACTER * len(one.value) for one in dict.fromkeys(event.subjects)))
            self._last.budget = budget

    def _known(self, event: AgentEvent) -> Sequence[Known]:
        if getattr(self._last, "event", None) is not event:
            known = (_prepared(subject, self._normalise) for subject in dict.fromkeys(event.subjects))
            alike: dict[tuple[str, ...], Known] = {}
            for one in known:
                if one is not None:
                    alike.setdefault(one.how, one)
            self._last.known = tuple(alike.values())
            self._last.event = event
        prepared: Sequence[Known] = self._last.known
        return prepared


def _prepared(subject: Identifier, normalise: Normalise) -> Known | None:
    normal = normalise(subject)
    value = normal.value
    if not value:
        return None
    words = subject.value.replace(",", " ").split() if normal.scheme == "name" else subject.value.split()
    # Whatever has another category, or is looked for with other words, is something else.
    same, hint = (subject.scheme, normal.scheme, value), max(words, key=len, default=" ").casefold()
    spelt = (*same, *(word.lower() for word in words))
    match normal.scheme:
        case "phone":
            digits = only_digits(value.partition(";")[0])
            return Known(subject, same, digits[-1:], _phone(normal, digits))
        case "email":
            return Known(subject, spelt, "@", _mail(normal, words))
        case scheme if scheme in _DOCUMENTS and len(value) >= _SHORT:
            return Known(subject, same, value[-1], lambda text: text.apart(value))
        case _ if len(value) < _SHORT:
            return Known(subject, same, value, lambda text: _whole(text, normal))
        case "name":
            return Known(subject, spelt, hint, _words(words, _either(words)))
        case _:
            return Known(subject, spelt, hint, _words(words, _in_order(words)))


def _words(words: Sequence[str], pattern: str) -> Callable[[Written], Spans]:
    whole = rf"(?<!\w)(?:{pattern or '(?!)'})(?!\w)"
    return lambda text: text.matching(re.compile(whole, re.IGNORECASE), len(words))


def _in_order(words: Sequence[str]) -> str:
    return r"\s++".join(re.escape(word) for word in words)


def _either(words: Sequence[str]) -> str:
    """The words in their order, or the last one first with a comma."""
    forms = [_in_order(words)]
    if len(words) >= _NAME_WORDS:
        forms.append(rf"{re.escape(words[-1])},\s*+{_in_order(words[:-1])}")
    return "|".join(forms)


def _whole(text: Written, normal: Identifier) -> Spans:
    is_meant = (
        len(text.bare) <= _LONGEST_WITH_SHORT and text.normal(Identifier(normal.scheme, text.bare)) == normal.value
    )
    return [(0, len(text.text))] if is_meant else []


def _mail(normal: Identifier, words: Sequence[str]) -> Callable[[Written], Spans]:
    """Addresses of the same form, and what stands there as it was given."""
    as_given = _words(words, _in_order(words))
    hint = max(words, key=len, default=" ").casefold()
    local = normal.value.partition("@")[0]

    def find(text: Written) -> Spans:
        spans = set(as_given(text) if hint in text.folded else ())
        for start, at in text.mails.get(local, ()):
            # Only the domain has notations of its own.
            domain = text.domain(at)
            if domain and text.normal(Identifier("email", f"{local}@{domain}")) == normal.value:
                spans.add((start, at + 1 + len(domain)))
        return sorted(spans)

    return find


def _phone(normal: Identifier, wanted: str) -> Callable[[Written], Spans]:
    """Numbers of the same form, or with the same digits but for a country's code in front."""
    if len(wanted) < _PHONE_DIGITS:
        return lambda _text: []
    return lambda text: [span for span, number in text.numbers(wanted[-TAIL:]) if _is(text, number, wanted, normal)]


def _is(text: Written, number: str, wanted: str, normal: Identifier) -> bool:
    return _same_number(wanted, number) or text.normal(Identifier("phone", number)) == normal.value


def _same_number(wanted: str, written: str) -> bool:
    found = only_digits(written).removeprefix("00")
    shorter, longer = sorted((wanted, found), key=len)
    is_longer_by_a_code = len(longer) - len(shorter) <= _COUNTRY_DIGITS
    return is_longer_by_a_code and len(shorter) >= _PHONE_DIGITS and longer.endswith(shorter.lstrip("0"))
