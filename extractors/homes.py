"""Where somebody lives, in German, French and Spanish as well.

Streets, and the town behind a street or a word for home. A town alone is a destination or a topic;
behind `J'habite à`, or right behind a street, it is an address.
"""

import re
from collections.abc import Iterator
from typing import Final

from lawful.extractors.budget import Budget
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.letters import CAPITALS
from lawful.extractors.places import kind_of
from lawful.extractors.search import AnyOf, Finder

_UP: Final = f"[{CAPITALS}]"
_TOWN: Final = (
    rf"{_UP}[\w'\u2019.\-]*[\w](?:[ \-](?:(?:am|an|der|de|la|del|sur|les)[ \-]){{0,2}}{_UP}[\w'\u2019]+){{0,2}}"
)
_PART: Final = r"(?:(?:de|du|des|del|della|di|la|le|les|los|las|el|do|da|dos)[ ]|(?:l|d)['\u2019][ ]?)"
_FRENCH: Final = (  # 12 rue de la République; 4bis, avenue Victor Hugo
    r"(?<![\w.\-])\d{1,4}(?:[ ]?(?:bis|ter))?,?[ ](?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|all[ée]e|quai|"
    rf"cours|route|passage|square|faubourg)[ ]{_PART}{{0,3}}{_UP}[\w'\u2019\-]+(?:[ \-]{_UP}[\w'\u2019\-]+){{0,3}}"
)
_SPANISH: Final = (  # calle del Carmen, 5; C/ Mayor n.º 3
    r"(?<!\w)(?i:calle|c/|avenida|avda\.?|plaza|paseo|p\.º|ronda|carretera|camino|traves[ií]a|v[ií]a)[ ]?"
    rf"{_PART}{{0,3}}{_UP}[\w'\u2019\-]+(?:[ ](?:{_PART}{{0,2}}){_UP}[\w'\u2019\-]+){{0,2}},?[ ](?:n\.?º[ ]?)?\d{{1,4}}"
    r"(?![\w:])"
)
_GERMAN: Final = (  # Goethestraße 7, Rosenweg 12a, Bahnhofstr. 9
    rf"(?<!\w){_UP}[\w\-]*(?:stra(?:ss|ß)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|hof|steig|chaussee)"
    r"[ ]\d{1,4}[ ]?[a-z]?(?!\w)"
)
_SPACED: Final = (  # Berliner Straße 7
    rf"(?<!\w){_UP}[\w\-]+[ \-](?:Stra(?:ss|ß)e|Str\.|Weg|Platz|Allee|Gasse|Ring|Damm|Ufer)[ ]\d{{1,4}}[ ]?[a-z]?(?!\w)"
)
_UNIT: Final = r"(?<!\w)(?:Apt\.?|Apartment|Suite|Ste\.?|Flat)[ ]\d{1,5}[A-Z]?(?!\w)"
_POST: Final = r"(?:APO|FPO|DPO)[ ](?:AA|AE|AP)[ ]\d{5}"
_MILITARY: Final = (  # PSC 4618, Box 1769; APO AA 14579
    rf"(?<!\w)(?:(?:PSC|Unit)[ ]\d{{3,5}},?[ ]Box[ ]\d{{3,5}}(?:\s{{1,3}}{_POST})?"
    rf"|(?:USNS|USNV|USS|USCGC)[ ][A-Z][a-z]+\s{{1,3}}{_POST}|{_POST})(?!\w)"
)
_STREETS: Final = tuple(map(Finder, (_FRENCH, _SPANISH, _GERMAN, _SPACED, _UNIT, _MILITARY)))
# zip code is 1472; postcode: SW1A 1AA
_POSTAL: Final = Finder(
    r"(?i:\b(?:zip(?:[ ]?code)?|post(?:al)?[ ]?code|postleitzahl|plz|code[ ]postal|c[oó]digo[ ]postal)"
    r"(?:[ ](?:is|ist|est|es|lautet)|:)[ ])"
    r"(?P<code>\d{3,5}(?:[ \-]\d{2,4})?|[A-Z]{1,2}\d[\dA-Z]?[ ]?\d[A-Z]{2})(?![\w%])"
)
# lives at 23684 Weblinger Gürtel 92: capitalised words and numbers behind a word that announces an address.
# A line that follows belongs to it behind a comma, or if it is indented.
_SEP: Final = r"(?:,?[ ]|,[ ]?\n[ ]{0,4}|[ ]?\n[ ]{1,4})"
_RUN_WORD: Final = rf"(?:\d{{1,6}}[a-z]?|{_UP}[\w'\u2019.\-]*|d[eu]|van|von|la|le|el|ul\.|and|of)"
_ANNOUNCES: Final = (
    r"(?i:\b(?:liv(?:e|es|ed|ing)[ ](?:at|on)|located[ ](?:at|on)|(?:is|are)[ ]at|address(?:[ ](?:is|to))?|corner[ ]of|"
    r"sent[ ]to|send[ ]it[ ]to|deliver(?:ed)?[ ](?:it[ ])?to|ship(?:ped)?[ ](?:it[ ])?to|mail(?:ed)?[ ]to|"
    r"meet[ ]me[ ]at|taxi[ ]to|address[ ]with|resid(?:es?|ing)[ ]at|"
    r"stop[ ]at|moved[ ]to|return[ ]to|one[ ]to):?[ ])(?:the[ ]corner[ ]of[ ])?"
)
_ANNOUNCED: Final = Finder(rf"{_ANNOUNCES}(?P<address>{_RUN_WORD}(?:{_SEP}{_RUN_WORD}){{1,11}})")
# 7396 Piazza Rezzonico 35, Suite 817, Vogelsang, Switzerland 12345
_BLOCK: Final = Finder(
    rf"(?<![\w.\-/])\d{{1,6}}[a-z]?(?:[ ]{_RUN_WORD}){{1,5}}"
    rf"{_SEP}(?:Apt\.?|Apartment|Suite|Ste\.?|Flat|Unit)[ ]\d{{1,5}}"
    rf"(?:{_SEP}{_UP}[\w'\u2019.\-]*(?:[ ]{_RUN_WORD}){{0,3}}){{0,3}}(?:{_SEP}\d{{4,6}}(?!\w))?"
)
# Am Markt 3: looks like many things, so a word for home has to stand before it.
_BY: Final = Finder(
    r"(?<!\w)(?:Am|An der|An den|Im|In der|Auf dem|Auf der|Zum|Zur|Unter den)"
    rf"[ ]{_UP}[\w\-]+[ ]\d{{1,4}}[a-z]?(?!\w)"
)
_NUMBERED: Final = AnyOf(*_STREETS, _BLOCK, _POSTAL, _ANNOUNCED, _BY)
_HOME: Final = re.compile(
    r"(?i:\b(?:wohn\w*|leb[et]\w*|zuhause|anschrift|adresse|umgezogen|habit\w+|logement|domicil\w+|r[ée]sid\w+|"
    r"d[ée]m[ée]nag\w+|viv[oei]\w*|piso|casa|direcci[oó]n|mudad\w+|lives?|living|moved|home|address|resid\w+|flat|"
    r"apartment|house)\b)"
)
_AT: Final = Finder(
    r"(?i:\b(?:wohne|wohnt|wohnhaft|wohnen|lebe|lebt|leben|habite|habitons|habitent|vis|vit|vivons|vivo|vive|vivimos|"
    r"resido|reside|live|lives|lived|living|moved|relocated|d[ée]m[ée]nag\w+|mudado|mudamos|umgezogen)"
    rf"[ ](?:in|nach|à|au|aux|en|a|to))[ ](?P<town>{_TOWN})"
)
_BEHIND: Final = re.compile(rf"(?:,[ ]?|[ ](?:in|à|au|en|de|-)[ ]|[ ])(?:(?P<code>\d{{4,5}})[ ])?(?P<town>{_TOWN})")
_CODE: Final = re.compile(r",?[ ](?P<code>\d{5})(?!\w)")
_REACH: Final = 60
_STEPS: Final = 6  # per part
_PER_STEP: Final = 24  # characters


class Homes:
    """Finds streets and towns of people."""

    name = "homes"
    version = "1"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Addresses and their parts, in prose and in values."""
        if field.is_key or not field.is_string:
            return []
        return [
            Candidate(start, end, f"user.contact.address{part}", self.name, self.version, 0.75, Strength.PATTERN)
            for start, end, part in around.budget.each(_parts(field.text, around.budget), _STEPS)
        ]


def _parts(text: str, budget: Budget) -> Iterator[tuple[int, int, str]]:
    budget.spend(len(text) // _PER_STEP)
    yield from _towns(text)
    if not (_NUMBERED.may_match(text) and any(map(str.isdecimal, text))):
        return
    for form in _STREETS:
        for street in form.finditer(text):
            yield *street.span(), ".street"
            yield from _behind(text, street.end())
    for block in budget.each(_BLOCK.finditer(text), _STEPS):
        yield *block.span(), ""
    for code in budget.each(_POSTAL.finditer(text), _STEPS):
        yield *code.span("code"), ".postal_code"
    for run in budget.each(_ANNOUNCED.finditer(text), _STEPS):
        if _is_address(run["address"]):
            yield *run.span("address"), ""
    for street in budget.each(_BY.finditer(text), _STEPS):
        if _HOME.search(text, max(0, street.start() - _REACH), street.start()):
            yield *street.span(), ".street"
            yield from _behind(text, street.end())


def _is_address(run: str) -> bool:
    """A number and a name, in either order; of one word and a number behind it (`Version 12`) there is too little."""
    words = run.split()
    names = sum(word[0].isupper() for word in words)
    return any(char.isdecimal() for char in run) and names >= 1 and (names > 1 or words[0][0].isdecimal())


def _towns(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _AT.finditer(text):
        part = kind_of(match["town"]).removeprefix("user.contact.address")
        yield *match.span("town"), part


def _behind(text: str, end: int) -> Iterator[tuple[int, int, str]]:
    """The postal code and the town right behind a street."""
    match = _BEHIND.match(text, end)
    if match is not None:
        if match["code"]:
            yield *match.span("code"), ".postal_code"
        yield *match.span("town"), ".city"
    elif (code := _CODE.match(text, end)) is not None:
        yield *code.span("code"), ".postal_code"
