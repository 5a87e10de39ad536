"""Records in prose."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.extractors.budget import Budget, TooMuchWork
from lawful.extractors.candidate import Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.port import ExtractionSpec, KeyHint, Limits, NotPersonal
from lawful.extractors.records import Records
from lawful.schemas.event import UserMessage
from tests.extractors.support import PSEUDONYMS, SPEC, around, event, found

SSN, BORN = "user.government_id.national_identification_number", "user.demographic.date_of_birth"
FIRST, LAST, NAME, PAY = "user.name.first", "user.name.last", "user.name", "user.financial"
ILL, PHONE, HOME = "user.health_and_medical", "user.contact.phone_number", "user.contact.address"
WORD = "user.authorization.password"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # As a strict reader would have it, but for the prose around it.
        ('Here: {"ssn": "123-45-6788", "dob": "1965-03-15"}', [("123-45-6788", SSN), ("1965-03-15", BORN)]),
        ('{"last_name": "Silva"} is what I got', [("Silva", LAST)]),
        ('a {"lastName":"Silva","salary":40000}, b', [("Silva", LAST), ("40000", PAY)]),
        # Numbers and other bare values.
        ('a {"ssn": 123456788, "income": 1.5e5}', [("123456788", SSN), ("1.5e5", PAY)]),
        ('a {"salary": -40000, "pregnant": true}', [("-40000", PAY), ("true", ILL)]),
        ('a {"ssn": null, "dob": "", "salary": "n/a"}', []),
        # Objects in objects: generic names count below a person and in an address.
        ('a {"patient": {"name": "Ada"}} b', [("Ada", NAME)]),
        ('a {"product": {"name": "Mixer 3"}} b', []),
        ('a {"street": "1 Elm St", "city": "Austin"}', [("1 Elm St", f"{HOME}.street"), ("Austin", f"{HOME}.city")]),
        ('a {"shop": {"city": "Austin"}}', []),
        ('a {"medical_history": {"notes": {"2020": "a fall"}}} b', [("a fall", ILL)]),
        # Arrays, also over several lines, and of objects.
        ('a {"diagnoses": ["Type 2 Diabetes", "Asthma"]}', [("Type 2 Diabetes", ILL), ("Asthma", ILL)]),
        ('a {"phones": ["5551234567", 5559876543]}', [("5551234567", PHONE), ("5559876543", PHONE)]),
        ('```json\n{\n  "allergies": [\n    "nuts"\n  ]\n}\n```\nSee?', [("nuts", ILL)]),
        ('rows [{"dob": "1965-03-15"}, {"dob": "1970-01-01"}]', [("1965-03-15", BORN), ("1970-01-01", BORN)]),
        ('a {"x": [[{"dob": "1965-03-15"}], []], "salary": 4} b', [("1965-03-15", BORN), ("4", PAY)]),
        # Lines of JSON.
        ('{"id": 1, "last_name": "Silva"}\n{"id": 2, "last_name": "Paz"}\n', [("Silva", LAST), ("Paz", LAST)]),
        # Escapes: the place is that of what was written.
        (r'a {"password": "hun\"ter2", "dob": "1965-03-15"}', [(r"hun\"ter2", WORD), ("1965-03-15", BORN)]),
        (r'a {"last_name": "S\u00edlva, Ada", "x": 1}', [(r"S\u00edlva, Ada", LAST)]),
        (r'a {"last\u005fname": "Silva"}', [("Silva", LAST)]),
        (r'a {"note": "ends in \\", "salary": 4}', [("4", PAY)]),
        # What ends a value in prose does not end it here.
        ('a {"diagnosis": "flu, severe. Asthma; and HIV"}', [("flu, severe. Asthma; and HIV", ILL)]),
        ('a {"note": "a } in it", "salary": 4} b', [("4", PAY)]),
        # A record that was written as a string, alone and in another one.
        (r'a "{\"last_name\": \"Silva\", \"salary\": 4}" b', [("Silva", LAST), ("4", PAY)]),
        (r'a {"body": "{\"last_name\": \"Silva\"}", "salary": 4}', [("Silva", LAST), ("4", PAY)]),
        (r"a {\"password\": \"hun\\\"ter2\"}", [(r"hun\\\"ter2", WORD)]),
        # What Python prints.
        ("a {'last_name': 'Silva', 'pregnant': True, 'dob': None}", [("Silva", LAST), ("True", ILL)]),
        ("""a {'last_name': "O'Neil", 'salary': 4}""", [("O'Neil", LAST), ("4", PAY)]),
        # Broken off, malformed, or none at all: read as far as it goes, and on from there.
        ('a {"last_name": "Silva", "dob": "1965-0', [("Silva", LAST)]),
        ('a {"last_name": "Silva", "dob": someone} {"salary": 4}', [("Silva", LAST), ("4", PAY)]),
        ('a {"last_name": "Silva"] {"salary": 4}', [("Silva", LAST), ("4", PAY)]),
        ('a {"last_name" "Silva"} {"salary": 12ab}', []),
        ('a {"last_name": {"x"}, "salary": 4}', []),
        ("a {ssn} {} { } {{}} [] {'a', 'b'} x", []),
        # Nothing personal.
        ('a {"order": 4711, "sku": "A-1", "status": "shipped", "total": 40.0}', []),
        ('f({"name": "Water Bottle", "price": 4})', []),
        ('a {"ssn": "[user.government_id.national_identification_number]"}', []),
    ],
)
def test_records(text: str, expected: list[tuple[str, str]]) -> None:
    """A value is found by its field's name, whole, where it stands in the text."""
    assert found(Records(PSEUDONYMS), text) == expected


def test_a_policys_own_names() -> None:
    """A policy's field names count, and so does what it says is nobody's."""
    spec = ExtractionSpec(
        key_hints=(KeyHint("badge_no", "user.workplace", "badge"),), not_personal=(NotPersonal("user_id", "SVC-.*"),)
    )
    text = 'a {"badgeNo": 4711, "user_id": "SVC-1"} {"user_id": "U-1"}'
    assert found(Records(PSEUDONYMS), text, around(spec)) == [("4711", "user.workplace"), ("U-1", "user.unique_id")]


def test_depth_is_bounded() -> None:
    """What is deeper than a policy allows begins a record of its own."""
    text = '{"a": ' * 100 + '{"salary": 4}' + "}" * 100
    assert found(Records(PSEUDONYMS), f"x {text}") == [("4", PAY)]


@pytest.mark.parametrize(
    "piece", ['{"', '{"a":', "{'", '{\\"', '{"a":"', '{"a":[', '{"a":1,"b":{', '{"dob":"1965-03-15"}']
)
def test_work_is_paid_for(piece: str) -> None:
    """However much a text begins, reading it costs steps in proportion, and stops when these are spent."""
    text = piece * (16_384 // len(piece))
    budget = Budget(lambda: 0.0, 1.0, steps=1_000)
    with pytest.raises(TooMuchWork):
        Records(PSEUDONYMS).find(Field("/text", text), Surroundings(event(UserMessage("")), SPEC, budget))
    budget = Budget(lambda: 0.0, 1.0, steps=16 * len(text))
    Records(PSEUDONYMS).find(
        Field("/text", text), Surroundings(event(UserMessage("")), ExtractionSpec(limits=Limits()), budget)
    )


VALUES = st.recursive(
    st.text(max_size=8) | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(secret=st.text(alphabet='ab\\"\n {}[]:,é', min_size=1, max_size=12), beside=VALUES, ascii_only=st.booleans())
def test_whatever_stands_beside_it(*, secret: str, beside: object, ascii_only: bool) -> None:
    """A password is found wherever it stands in a valid record, whole, and nothing more of it."""
    written = json.dumps({"x": beside, "password": f"hunter2{secret}z", "y": beside}, ensure_ascii=ascii_only)
    inner = json.dumps(f"hunter2{secret}z", ensure_ascii=ascii_only)[1:-1]
    assert (inner, WORD) in found(Records(PSEUDONYMS), f"see {written} there")
