"""The normal form of identifiers, with what the world knows of domains and phone numbers.

The same address in Unicode and in Punycode, and the same number as it is dialled at home and from
abroad, are one person. Only whoever computes pseudonyms that are remembered needs this; it takes
the libraries of the extra `pipeline`.
"""

import re
from functools import partial
from typing import Final

import idna
import phonenumbers

from lawful.schemas import normalising
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier
from lawful.schemas.legible import legible
from lawful.schemas.normalising import Normalise, normalise_identifier

_INTERNATIONAL: Final = re.compile(r"\s*(?:tel:)?\s*00(?=[\s().\-]*[1-9])", re.IGNORECASE)
_LONGEST: Final = 64
_PREFIX: Final = 4  # the most that a country's code adds


def canonical(phone_region: str = "") -> Normalise:
    """The normal form, with phone numbers read as they are dialled in a region.

    Args:
        phone_region: two letters (ISO 3166-1), such as `DE`; without one, a number that does not
            begin with a country's code keeps its digits as they are. Another region gives another
            pseudonym to everybody known by such a number.

    Raises:
        ConfigurationError: no such region.
    """
    region = phone_region.upper()
    if region and region not in phonenumbers.SUPPORTED_REGIONS:
        raise ConfigurationError(
            f"{phone_region!r} is no region with phone numbers", hint="use two letters as in ISO 3166-1, such as NL"
        )
    return partial(_canonical, region)


def _canonical(region: str, identifier: Identifier) -> Identifier:
    match normalising.scheme(identifier.scheme):
        case "email":
            return Identifier("email", email(identifier.value))
        case "phone":
            return Identifier("phone", phone(identifier.value, region))
        case _:
            return normalise_identifier(identifier)


def email(value: str) -> str:
    """An address whose domain is in ASCII (UTS 46); as it is, if that is no domain."""
    text = normalising.email(value)
    local, at, domain = text.rpartition("@")
    if domain.isascii() and "xn--" not in domain:
        return text
    try:
        return local + at + idna.encode(domain, uts46=True).decode().removesuffix(".")
    except (UnicodeError, IndexError):
        return text


def phone(value: str, region: str = "") -> str:
    """A number in E.164, with its extension; its digits, if it is no number of any country."""
    text = _once(value, region)
    while (again := _once(text, region)) != text:  # zeros in front go one by one; it ends, as it only gets shorter
        if len(again) > len(text) + _PREFIX:
            return text
        text = again
    return text


def _once(value: str, region: str) -> str:
    return _dialled(value, region) or normalising.phone(value)


def _dialled(value: str, region: str) -> str | None:
    text = _INTERNATIONAL.sub("+", legible(value)[:_LONGEST], count=1)
    try:
        number = phonenumbers.parse(text, region or None)
    except phonenumbers.NumberParseException:
        return None
    if phonenumbers.is_possible_number_with_reason(number) != phonenumbers.ValidationResult.IS_POSSIBLE:
        return None
    dialled: str = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return f"{dialled};ext={number.extension}" if number.extension else dialled
