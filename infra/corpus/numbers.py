"""Numbers that pass the checks of those who issue them, drawn at random: cards, accounts, national identifiers."""

from random import Random
from typing import Final

from stdnum import luhn
from stdnum.de import idnr
from stdnum.es import ccc, dni, nie
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.iso7064 import mod_11_10
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pl import pesel

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _digits(dice: Random, count: int) -> str:
    return "".join(dice.choices("0123456789", k=count))


def _grouped(text: str, sizes: tuple[int, ...], separator: str) -> str:
    parts, start = [], 0
    for size in sizes:
        parts.append(text[start : start + size])
        start += size
    return separator.join(part for part in parts if part)


def card(dice: Random) -> str:
    """A payment card of one of four brands, as people write it."""
    prefix, length = dice.choice((("4", 16), ("5" + dice.choice("12345"), 16), ("2221", 16), ("37", 15), ("6011", 16)))
    body = prefix + _digits(dice, length - len(prefix) - 1)
    number = body + luhn.calc_check_digit(body)
    sizes = (4, 6, 5) if length == 15 else (4, 4, 4, 4)  # noqa: PLR2004 - American Express
    return _grouped(number, sizes, dice.choice(("", " ", "-")))


def iban(dice: Random) -> str:
    """An account in Germany, France, Spain, Britain or the Netherlands, with the banks' own check digits."""
    country, account = dice.choice((_german, _french, _spanish, _british, _dutch))(dice)
    rest = "".join(str(int(char, 36)) for char in f"{account}{country}00")
    number = f"{country}{98 - int(rest) % 97:02d}{account}"
    return number if dice.random() < 0.5 else _grouped(number, (4,) * 9, " ")  # noqa: PLR2004 - half of them


def _german(dice: Random) -> tuple[str, str]:
    return "DE", _digits(dice, 18)


def _french(dice: Random) -> tuple[str, str]:
    bank, branch, account = _digits(dice, 5), _digits(dice, 5), _digits(dice, 11)
    key = 97 - (89 * int(bank) + 15 * int(branch) + 3 * int(account)) % 97
    return "FR", f"{bank}{branch}{account}{key:02d}"


def _spanish(dice: Random) -> tuple[str, str]:
    bank, account = _digits(dice, 8), _digits(dice, 10)
    return "ES", bank + ccc.calc_check_digits(f"{bank}00{account}") + account


def _british(dice: Random) -> tuple[str, str]:
    return "GB", "".join(dice.choices(_LETTERS, k=4)) + _digits(dice, 14)


def _dutch(dice: Random) -> tuple[str, str]:
    return "NL", dice.choice(("ABNA", "INGB", "RABO")) + "0" + _digits(dice, 9)


def ssn(dice: Random) -> str:
    """An American social-security number."""
    area = dice.choice([number for number in range(1, 900) if number != 666])  # noqa: PLR2004 - never issued
    return f"{area:03d}-{dice.randint(1, 99):02d}-{dice.randint(1, 9999):04d}"


def nino(dice: Random) -> str:
    """A British national-insurance number."""
    prefix = dice.choice(("AB", "CE", "JK", "MN", "PR", "SX", "TW"))
    number = f"{prefix}{_digits(dice, 6)}{dice.choice('ABCD')}"
    return _grouped(number, (2, 2, 2, 2, 1), dice.choice(("", " ")))


def nhs_number(dice: Random) -> str:
    """A number of the British health service."""
    while not nhs.is_valid(number := dice.choice("4679") + _digits(dice, 9)):
        pass
    return _grouped(number, (3, 3, 4), dice.choice(("", " ")))


def de_tax_id(dice: Random) -> str:
    """A German tax identification number: of ten digits, one comes twice."""
    while not idnr.is_valid(number := _with_11_10(dice.choice("123456789") + _digits(dice, 9))):
        pass
    return _grouped(number, (2, 3, 3, 3), dice.choice(("", " ")))


def _with_11_10(body: str) -> str:
    return body + mod_11_10.calc_check_digit(body)


def de_social(dice: Random) -> str:
    """A German pension-insurance number: area, birthday, letter, serial, check digit."""
    body = f"{dice.choice(('12', '15', '24', '50', '65'))}{_birthday(dice)}{dice.choice(_LETTERS)}{_digits(dice, 2)}"
    digits = body[:8] + f"{_LETTERS.index(body[8]) + 1:02d}" + body[9:]
    weighed = (int(digit) * weight for digit, weight in zip(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True))
    number = body + str(sum(sum(divmod(product, 10)) for product in weighed) % 10)
    return _grouped(number, (2, 6, 1, 3), dice.choice(("", " ")))


def _birthday(dice: Random) -> str:
    return f"{dice.randint(1, 28):02d}{dice.randint(1, 12):02d}{dice.randint(40, 99)}"


def fr_nir(dice: Random) -> str:
    """A French social-security number: sex, year, month, department, commune, order, key."""
    body = f"{dice.choice('12')}{dice.randint(40, 99)}{dice.randint(1, 12):02d}"
    body += f"{dice.randint(21, 95)}{dice.randint(1, 899):03d}{dice.randint(1, 999):03d}"
    return _grouped(body + nir.calc_check_digits(body), (1, 2, 2, 2, 3, 3, 2), dice.choice(("", " ")))


def fr_tax(dice: Random) -> str:
    """A French tax number (SPI): ten digits and the remainder modulo 511."""
    body = dice.choice("0123") + _digits(dice, 9)
    return _grouped(f"{body}{int(body) % 511:03d}", (2, 2, 3, 3, 3), dice.choice(("", " ")))


def es_dni(dice: Random) -> str:
    """A Spanish identity number."""
    body = _digits(dice, 8)
    return body + dice.choice(("", "-")) + dni.calc_check_digit(body)


def es_nie(dice: Random) -> str:
    """A Spanish identity number of a foreigner."""
    body = dice.choice("XYZ") + _digits(dice, 7)
    return body + nie.calc_check_digit(body)


def it_fiscal_code(dice: Random) -> str:
    """An Italian fiscal code."""
    consonants = "BCDFGLMNPRSTVZ"
    body = "".join(dice.choices(consonants, k=6)) + f"{dice.randint(40, 99)}{dice.choice('ABCDEHLMPRST')}"
    body += f"{dice.randint(1, 28):02d}{dice.choice('ABCDEFGHIL')}{dice.randint(100, 999)}"
    return body + codicefiscale.calc_check_digit(body)


def nl_bsn(dice: Random) -> str:
    """A Dutch citizen service number."""
    while not bsn.is_valid(number := dice.choice("12") + _digits(dice, 8)):
        pass
    return number


def pl_pesel(dice: Random) -> str:
    """A Polish PESEL of somebody born in the twentieth century."""
    body = f"{dice.randint(40, 99)}{dice.randint(1, 12):02d}{dice.randint(1, 28):02d}{_digits(dice, 4)}"
    return body + pesel.calc_check_digit(body)


def imei(dice: Random) -> str:
    """A phone's serial number."""
    body = "35" + _digits(dice, 12)
    return body + luhn.calc_check_digit(body)


NUMBERS: Final = {
    "card": card,
    "iban": iban,
    "ssn": ssn,
    "nino": nino,
    "nhs": nhs_number,
    "de_tax_id": de_tax_id,
    "de_social": de_social,
    "fr_nir": fr_nir,
    "fr_tax": fr_tax,
    "es_dni": es_dni,
    "es_nie": es_nie,
    "it_fiscal_code": it_fiscal_code,
    "nl_bsn": nl_bsn,
    "pl_pesel": pl_pesel,
    "imei": imei,
}
