"""What names of fields say."""

from typing import Any

import pytest

from lawful.extractors.fields import read
from lawful.extractors.hints import KeyHints, key_table
from lawful.extractors.port import ExtractionSpec, KeyHint, Limits
from lawful.schemas.event import Identifier
from lawful.schemas.taxonomy import categories
from tests.extractors.support import PSEUDONYMS, TENANT, around, call


def hints(arguments: Any, spec: ExtractionSpec | None = None) -> dict[str, str]:
    """Paths (without the root) and categories that names give."""
    recogniser, surroundings = KeyHints(PSEUDONYMS), around(spec or ExtractionSpec())
    return {
        field.path.removeprefix("/arguments/"): hit.category
        for field in read(call(arguments), Limits()).fields
        for hit in recogniser.find(field, surroundings)
    }


@pytest.mark.parametrize(
    ("key", "value", "category"),
    [
        ("dob", "1957-10-05", "user.demographic.date_of_birth"),
        ("dateOfBirth", 19571005, "user.demographic.date_of_birth"),
        ("ssn", "none of your business", "user.government_id.national_identification_number"),
        ("client_ssn", "914-96-1406", "user.government_id.national_identification_number"),
        ("surname", "Silva", "user.name.last"),
        ("first-name", "Sophia", "user.name.first"),
        ("billingEmail", "a@b.co", "user.contact.email"),
        ("phone", "555-0168", "user.contact.phone_number"),
        ("zip", "19122", "user.contact.address.postal_code"),
        ("address1", "123 Elm Street", "user.contact.address.street"),
        ("shipping_address", "735 Kathleen Landing", "user.contact.address"),
        ("iban", "DE89370400440532013000", "user.financial.bank_account"),
        ("card_number", "4111 1111 1111 1111", "user.financial.credit_card"),
        ("passport_no", "C01X00T47", "user.government_id.passport_number"),
        ("diagnosis", "Migraine", "user.health_and_medical"),
        ("hiv_status", False, "user.health_and_medical"),
        ("salary", 142_000, "user.financial"),
        ("ip", "10.0.0.1", "user.device.ip_address"),
        ("age", 34, "user.demographic.age_range"),
        ("patient_name", "X. Y.", "user.name"),
        ("user_id", "yusuf_rossi_9620", "user.unique_id"),
        ("religion", "none of the above", "user.demographic.religious_belief"),
        ("username", "jdoe", "user.account.username"),
        ("password", "hunter2", "user.authorization.password"),
        ("criminal_record", "clean", "user.criminal_history"),
        ("Geburtsdatum", "05.10.1957", "user.demographic.date_of_birth"),
        ("dateDeNaissance", "05/10/1957", "user.demographic.date_of_birth"),
        ("fecha_nacimiento", "05/10/1957", "user.demographic.date_of_birth"),
        ("Familienname", "Öztürk", "user.name.last"),
        ("apellidos", "García López", "user.name.last"),
        ("móvil", "612 345 678", "user.contact.phone_number"),
        ("Straße", "Lindenstr. 4", "user.contact.address.street"),
        ("codePostal", "69001", "user.contact.address.postal_code"),
        ("numéro_sécurité_sociale", "255081416802538", "user.government_id.national_identification_number"),
        ("steuerId", "47036892816", "user.government_id.national_identification_number"),
        ("salaireAnnuel", 38_000, "user.financial"),
        ("Diagnose", "Rheuma", "user.health_and_medical"),
        ("enfermedad", "artritis", "user.health_and_medical"),
        ("konfession", "ev.", "user.demographic.religious_belief"),
        ("tradeUnion", "UNISON", "user.lawful.trade_union_membership"),
        ("contraseña", "hunter2", "user.authorization.password"),
    ],
)
def test_telling_names(key: str, value: object, category: str) -> None:
    """A telling name makes its whole value a finding, whatever the value."""
    assert hints({key: value}) == {key: category}


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "Water Bottle", "product_id": "8310926033", "price": 47.84},
        {"name": "T-Shirt"},
        {"product_name": "Desk Lamp", "file_name": "a.txt", "tool_name": "search"},
        {"id": "12345", "order_id": "#W6247578", "item_ids": ["8349118980"]},
        {"city": "Paris", "country": "France"},
        {"state": "pending"},
        {"origin": "ORD", "destination": "PHL", "date": "2024-05-26"},
        {"phone": True, "email": False, "email_verified": True},
        {"email": "weekly digest"},
        {"phone": "iPhone"},
        {"address": "https://example.com/a"},
        {"address": "0x4f"},
        {"email_template": "welcome", "phone_model": "X200", "zip_file": "a.zip"},
        {"ssn": "n/a", "dob": "", "salary": None, "passport": "unknown"},
        {"ssn": "[user.government_id.national_identification_number]", "card_number": "*****************"},
        {"gender": "men", "size": "M"},
        {"title": "The Great Gatsby", "balance": "30"},
        {"provider": "aws", "customer": "ACME Corp", "contact": "support"},
        {"tip": "10", "zipper": "yes", "shipping": "fast"},
        {"condition": "new", "treatment": "variant-b", "race": "marathon"},
        {"diagnostics": {"cpu": "ok"}, "titular": "la portada", "ville": "Lyon"},
        {"nombre": "Botella de agua", "precio": 12},
        {"ort": "Lager 4"},
        {"traitements": ["tri", "export"]},
    ],
)
def test_near_misses(arguments: dict[str, object]) -> None:
    """Generic names, names that only contain a telling one, and empty or redacted values say nothing."""
    assert hints(arguments) == {}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"name": "Q", "email": "a@b.co"}, {"name": "user.name", "email": "user.contact.email"}),
        ({"passengers": [{"name": "Q"}]}, {"passengers/0/name": "user.name"}),
        ({"name": "Dylan Lee"}, {"name": "user.name"}),
        ({"provider": "Dr. Schneider"}, {"provider": "user.name"}),
        (
            {"criminal_history": "None disclosed", "allergies": "none known"},
            {"criminal_history": "user.criminal_history", "allergies": "user.health_and_medical"},
        ),
        ({"references": ["Carolyn Sexton", "n/a"]}, {"references/0": "user.name"}),
        ({"customer_contact_name": "Q"}, {"customer_contact_name": "user.name"}),
        (
            {"address": {"city": "Denver", "state": "CO"}},
            {"address/city": "user.contact.address.city", "address/state": "user.contact.address.state"},
        ),
        (
            {"city": "Austin", "zip": "78712"},
            {"city": "user.contact.address.city", "zip": "user.contact.address.postal_code"},
        ),
        ({"patient": {"condition": "stable"}}, {"patient/condition": "user.health_and_medical"}),
        ({"employee": {"title": "Manager"}}, {"employee/title": "user.job_title"}),
        ({"candidate": {"address": "1 A St"}}, {"candidate/address": "user.contact.address"}),
    ],
)
def test_generic_names_need_company(arguments: dict[str, object], expected: dict[str, str]) -> None:
    """A generic name counts below or beside names that only persons or addresses have, or with a person's name."""
    assert hints(arguments) == expected


def test_special_categories_reach_down() -> None:
    """What is nested below a diagnosis belongs to it."""
    assert hints({"diagnosis": {"code": "E11", "since": 2019}, "medications": ["Metformin"]}) == {
        "diagnosis/code": "user.health_and_medical",
        "diagnosis/since": "user.health_and_medical",
        "medications/0": "user.health_and_medical",
    }


def test_a_policys_names_win_and_identify() -> None:
    """A policy's own hint replaces the built-in reading and can name a scheme."""
    spec = ExtractionSpec(key_hints=(KeyHint("memberNo", "user.unique_id", "member"), KeyHint("dob", "user.content")))
    assert hints({"member_no": "M-1", "dob": "1957-10-05"}, spec) == {
        "member_no": "user.unique_id",
        "dob": "user.content",
    }
    field = next(field for field in read(call({"member_no": "M-1"}), Limits()).fields if not field.is_key)
    (hit,) = KeyHints(PSEUDONYMS).find(field, around(spec))
    assert hit.subject == PSEUDONYMS.of(TENANT, Identifier("member", "M-1"))


def test_the_table_speaks_the_taxonomy() -> None:
    """Every category of the table exists, and there are a hundred names and more."""
    table = key_table()
    known = {**table.anywhere, **table.exact, **table.of_person, **table.of_address}
    assert set(known.values()) <= set(categories())
    assert len(known) > 100
