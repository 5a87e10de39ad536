"""Places that are wider than a town: which part of an address a name is, and what may stay of an address."""

from typing import Final


def _listed(names: str) -> frozenset[str]:
    return frozenset(names.split("|"))


COUNTRIES: Final = _listed(
    "usa|us|u.s.|u.s.a.|united states|america|uk|united kingdom|britain|england|scotland|wales|ireland|germany|"
    "france|spain|italy|portugal|austria|switzerland|belgium|netherlands|luxembourg|denmark|sweden|norway|finland|"
    "poland|czechia|slovakia|hungary|romania|bulgaria|greece|turkey|ukraine|russia|canada|mexico|brazil|argentina|"
    "chile|colombia|india|china|japan|korea|australia|new zealand|south africa|israel|egypt|nigeria|kenya|pakistan|"
    "bangladesh|indonesia|vietnam|thailand|philippines|saudi arabia"
)
"""Countries, in small letters."""

STATES: Final = _listed(
    "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|"
    "indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|"
    "montana|nebraska|nevada|new hampshire|new jersey|new mexico|north carolina|north dakota|ohio|oklahoma|oregon|"
    "pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|west virginia|"
    "wisconsin|wyoming|bavaria|bayern"
)
"""States of federal countries, in small letters."""

STATE_CODES: Final = _listed(
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|"
    "PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC"
)
"""The United States', as in postal addresses."""
