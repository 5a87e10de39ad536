"""Where somebody lives: street addresses, postal codes, and a town beside words such as `live in`.

A town alone is a destination, a shop or a topic, and says nothing about anybody.
"""

import re
from collections.abc import Iterator

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.search import AnyOf, Finder, Together
from lawful.schemas.regions import COUNTRIES, STATE_CODES, STATES

_STREETS = (
    "street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|square|terrace|way|highway|hwy|"
    "parkway|pkwy|circle|cir|trail|alley|crescent|close|gardens|mews|row|walk|landing|port|key|prairie|crossing|ridge"
)
_STATES = "|".join(sorted(STATE_CODES))
_UNIT = r"(?:,?[ ]+(?:(?i:apt|apartment|suite|ste|unit|flat|room|floor|no)\.?[ ]*#?|#)[ ]*\w{1,6})?"
_TOWN = (
    rf"(?P<town>,[ ]*[A-Z][a-zA-Z]+(?:[ ][A-Z][a-zA-Z]+){{0,2}},?[ ]+(?:{_STATES}|[A-Z]{{2}})"
    r"(?:[ ,]+\d{5}(?:-\d{4})?)?)?"
)
_NUMBER_FIRST = Finder(
    rf"(?<![\w.$€£#\-])\d{{1,6}}[a-zA-Z]?[ ]+(?:[NSEW]\.?[ ]+)?(?:[A-Z0-9][\w'\u2019.\-]*[ ]+){{1,3}}"
    rf"(?i:{_STREETS})\b(?:\.(?=,))?{_UNIT}{_TOWN}"
)
# Strasse, rue, calle, via: the number stands last or the street's kind first.
_GERMAN = Finder(r"(?<!\w)[A-ZÄÖÜ][a-zäöüß\-]+(?:stra(?:ss|ß)e|str\.|weg|platz|allee|gasse)[ ]\d{1,4}[a-z]?(?!\w)")
_ROMANCE = Finder(
    r"(?<!\w)(?:\d{1,4},?[ ]+)?(?i:rue|calle|via|avenida|rua|piazza|plaza)[ ]"
    r"(?:(?:de|del|della|di|la|du|des|da|dos)[ ]){0,2}[A-ZÀ-Þ][\wà-ÿ'\u2019\-]+"
    r"(?:[ ][A-ZÀ-Þ][\wà-ÿ]+)?,?[ ]\d{1,4}(?!\w)"
)
_BOX = Finder(r"(?<!\w)(?i:P\.?[ ]?O\.?[ ]?Box)[ ]\d{1,6}(?!\w)")
_CODE = Finder(
    r"(?<!\w)(?:(?i:zip(?:[ ]?code)?|postal[ ]code|postcode)(?:[ ]is|:)?[ ]*"
    r"(?P<named>\d{5}(?:-\d{4})?|[A-Z0-9]{2,4}[ ]?[A-Z0-9]{3})"
    rf"|(?:{_STATES})[ ]+(?P<state>\d{{5}}(?:-\d{{4}})?))(?!\w)"
)
_NUMBERED = AnyOf(_NUMBER_FIRST, _GERMAN, _ROMANCE, _BOX, _CODE)
_HOME = re.compile(
    r"(?i:\b(?:live[sd]?|living|reside[sd]?|residing|resident|residence|based|born|home(?:town)?|moved|moving|relocat\w+|"
    r"my address|'m from|am from|is from|address is|located)\b)"
)
_HOME_ANYWHERE = Finder(_HOME.pattern, beside=Together())
_REACH = 40
_STEPS = 6  # per part


class Places:
    """Finds addresses and parts of them in prose and in the values of JSON."""

    name = "places"
    version = "1"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Street addresses with what belongs to them, and postal codes."""
        if field.is_key or not field.is_string:
            return []
        return [
            self._hit(start, end, f"user.contact.address{part}")
            for start, end, part in around.budget.each(_parts(field.text), _STEPS)
        ]

    def _hit(self, start: int, end: int, category: str) -> Candidate:
        return Candidate(start, end, category, self.name, self.version, 0.8, Strength.PATTERN)


def kind_of(place: str) -> str:
    """The part of an address that a place's name is."""
    name = place.lower()
    part = "country" if name in COUNTRIES else "state" if name in STATES or place in STATE_CODES else "city"
    return f"user.contact.address.{part}"


def is_home(text: str, start: int) -> bool:
    """Whether a place is named as where somebody lives, by the words before it."""
    sentence = re.split(r"[.!?\n]", text[max(0, start - _REACH) : start])[-1]
    return _HOME.search(sentence) is not None


def home_words(text: str) -> list[tuple[int, int]]:
    """Where words stand that can tell a place to be somebody's home, in order: without one, none is."""
    return [match.span() for match in _HOME_ANYWHERE.finditer(text)]


def _parts(text: str) -> Iterator[tuple[int, int, str]]:
    if not (_NUMBERED.may_match(text) and any(map(str.isdecimal, text))):
        return
    for match in _NUMBER_FIRST.finditer(text):
        yield *match.span(), "" if match["town"] else ".street"
    for pattern in (_GERMAN, _ROMANCE, _BOX):
        for match in pattern.finditer(text):
            yield *match.span(), ".street"
    for match in _CODE.finditer(text):
        yield *match.span("named" if match["named"] else "state"), ".postal_code"
