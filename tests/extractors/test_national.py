"""Issued numbers: forms, checksums, the words beside them, and how many random strings pass."""

import string
from random import Random
from re import _constants as ops  # type: ignore[attr-defined] # the parsed form of a pattern has no public name
from re import _parser as parser  # type: ignore[attr-defined] # as above
from typing import Any

import pytest

from lawful.extractors.fields import Field
from lawful.extractors.national.checks import check_of
from lawful.extractors.national.recogniser import IssuedNumbers
from lawful.extractors.national.table import NEEDS_WORD, Row, number_table
from lawful.infra.corpus.numbers import NUMBERS
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.taxonomy import categories
from tests.extractors.support import found

NATIONAL = "user.government_id.national_identification_number"
ROWS = {row.name: row for row in number_table().rows}
TRIALS = 3_000


def drawn(parsed: Any, dice: Random) -> str:
    """A random string of a pattern."""
    parts = []
    for op, argument in parsed:
        if op is ops.LITERAL:
            parts.append(chr(argument))
        elif op is ops.IN:
            parts.append(dice.choice([char for each in argument for char in chars(*each)]))
        elif op is ops.MAX_REPEAT:
            least, most, inner = argument
            parts += [drawn(inner, dice) for _ in range(dice.randint(least, most))]
        elif op is ops.SUBPATTERN:
            parts.append(drawn(argument[3], dice))
        else:
            assert op is ops.BRANCH
            parts.append(drawn(dice.choice(argument[1]), dice))
    return "".join(parts)


def chars(op: Any, argument: Any) -> str:
    """The characters of one part of a set."""
    if op is ops.LITERAL:
        return chr(argument)
    return string.digits if op is ops.CATEGORY else "".join(map(chr, range(argument[0], argument[1] + 1)))


@pytest.mark.parametrize("row", [row for row in ROWS.values() if row.check], ids=lambda row: row.name)
def test_the_chance_to_pass_is_as_the_table_says(row: Row) -> None:
    """Of random strings of a number's form, as many pass its check as the table says: its threshold rests on that."""
    dice, parsed = Random(row.name), parser.parse(row.source)
    assert row.check is not None
    passed = sum(row.check(drawn(parsed, dice)) for _ in range(TRIALS)) / TRIALS * 1_000
    assert abs(passed - row.chance) <= max(4, row.chance * 0.2)
    assert (row.chance >= NEEDS_WORD) is (row.needs_word or row.alone)


def test_what_has_no_checksum_needs_a_word() -> None:
    """A form alone says something only where nothing else is written so."""
    assert {row.name for row in ROWS.values() if row.check is None and not row.needs_word} == {
        "bank_account_named",
        "geo",
        "medical_record_named",
        "uk_driving_licence",
    }
    assert {row.category for row in ROWS.values()} <= set(categories())


@pytest.mark.parametrize(
    "kind", ["de_tax_id", "de_social", "fr_nir", "fr_tax", "es_nie", "it_fiscal_code", "nino", "pl_pesel"]
)
def test_a_strong_checksum_needs_no_word(kind: str) -> None:
    """Numbers that hardly anything passes by chance are found wherever they stand."""
    number = NUMBERS[kind](Random(5))
    assert (number, NATIONAL) in found(IssuedNumbers(), f"it is {number} here")


@pytest.mark.parametrize(
    ("kind", "word", "category"),
    [
        ("es_dni", "DNI", NATIONAL),
        ("nl_bsn", "burgerservicenummer", NATIONAL),
        ("ssn", "Social Security number", NATIONAL),
        ("nhs", "NHS no", "user.health_and_medical.record_id"),
        ("imei", "IMEI:", "user.device.device_id"),
    ],
)
def test_a_weak_checksum_needs_one(kind: str, word: str, category: str) -> None:
    """What one of thirty random numbers passes counts beside its word or under its key, and not alone."""
    number = NUMBERS[kind](Random(6))
    assert (number, category) in found(IssuedNumbers(), f"my {word} {number}")
    assert (number, category) in found(IssuedNumbers(), Field("/a/x", number, ("person", word.lower())))
    assert (number, category) not in found(IssuedNumbers(), f"order {number}")
    assert (number, category) not in found(IssuedNumbers(), f"I know my {word}. The order is {number}")


@pytest.mark.parametrize(
    ("text", "number", "category"),
    [
        ("see MRN-4488120", "MRN-4488120", "user.health_and_medical.record_id"),
        ("ticket INS-20240131 and ACCOUNT-404ERROR", None, ""),
        ("paid from ACCT-88392211", "ACCT-88392211", "user.financial.bank_account"),
        ("ACCT_NUMBER_FIELD and MRN_FORMAT", None, ""),
        ("Reisepass C01X00T47 liegt vor", "C01X00T47", "user.government_id.passport_number"),
        ("numéro de passeport 12AB34567", None, ""),
        ("passport no. 912803456", "912803456", "user.government_id.passport_number"),
        ("pasaporte AB1234567", "AB1234567", "user.government_id.passport_number"),
        ("driving licence MORGA657054SM9IJ", "MORGA657054SM9IJ", "user.government_id.drivers_license_number"),
        ("her driver's license is D1234567", "D1234567", "user.government_id.drivers_license_number"),
        ("das Kennzeichen M-AB 1234", "M-AB 1234", "user.government_id.vehicle_registration"),
        ("plaque d'immatriculation AB-123-CD", "AB-123-CD", "user.government_id.vehicle_registration"),
        ("matrícula 1234 BCD", "1234 BCD", "user.government_id.vehicle_registration"),
        ("plate AB12 CDE", "AB12 CDE", "user.government_id.vehicle_registration"),
        ("MRN 4821907 was admitted", "4821907", "user.health_and_medical.record_id"),
        ("patient number H12345678", "H12345678", "user.health_and_medical.record_id"),
        ("health plan member number ABC123456789", "ABC123456789", "user.health_and_medical.insurance_beneficiary_id"),
        ("routing number 021000021", "021000021", "user.financial.bank_account"),
        ("at 48.13743, 11.57549 now", "48.13743, 11.57549", "user.location.precise"),
        ("Steuer-ID 47 036 892 816", "47 036 892 816", NATIONAL),
        ("Steuer-ID 47 036 892 817", None, ""),
        ("N° de sécu 2 55 08 14 168 025 38", "2 55 08 14 168 025 38", NATIONAL),
        ("N° de sécu 2 55 08 14 168 025 39", None, ""),
        ("AHV 756.9217.0769.85", "756.9217.0769.85", NATIONAL),
        ("rijksregister 85.07.30-033.28", "85.07.30-033.28", NATIONAL),
        ("NIE X2482300W", "X2482300W", NATIONAL),
        ("NIE X2482300A", None, ""),
        ("I lost my card 639080433068", "639080433068", "user.financial.credit_card"),
        ("call me on 99 379233", "99 379233", "user.contact.phone_number"),
        ("we will call about the order. It has 12 345 678 parts", None, ""),
        ("a call took 1.5 s, then 2.25 s", None, ""),
        ("SKU AB-1234-CD in stock", None, ""),
        ("flight AB123 at gate 4", None, ""),
        ("tracking 1Z999AA10123456784", None, ""),
        ("the chart shows 48219 units", "48219", "user.health_and_medical.record_id"),
        ("ratio 48.13, 11.57", None, ""),
        ("version 1.12345.6789, 2.0", None, ""),
        ("no digits at all", None, ""),
    ],
)
def test_forms_and_words(text: str, number: str | None, category: str) -> None:
    """Each kind with its words in its language, and near misses."""
    hits = found(IssuedNumbers(), text)
    assert ((number, category) in hits) if number else not hits


def test_a_checksum_beside_its_word_outdoes_a_word_alone() -> None:
    """The number behind "phone with IMEI" is the phone's, and no phone number."""
    assert found(IssuedNumbers(), "the phone with IMEI 490154203237518") == [
        ("490154203237518", "user.device.device_id")
    ]


def test_keys_and_numbers_are_read_too() -> None:
    """A name of a field is the word, and a number without quotes is a number."""
    assert found(IssuedNumbers(), Field("/a/imei", "490154203237518", ("imei",), is_string=False)) == [
        ("490154203237518", "user.device.device_id")
    ]


@pytest.mark.parametrize("name", ["stdnum.nosuch", "stdnum.util", "nosuch"])
def test_a_check_that_does_not_exist_stops_the_start(name: str) -> None:
    """A misspelt check is no check that always passes."""
    with pytest.raises(ConfigurationError, match="check"):
        check_of(name)
