"""Known identifiers of persons."""

import time

import pytest

from lawful.extractors.budget import Budget, TimeUp, TooMuchWork
from lawful.extractors.candidate import Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.identifiers import DeclaredSubjects, PolicyPatterns, category_of, is_exempt, scheme_categories
from lawful.extractors.port import ExtractionSpec, IdentifierPattern, NotPersonal
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier, UserMessage
from lawful.schemas.normalising import scheme
from lawful.schemas.taxonomy import categories
from tests.extractors.support import PSEUDONYMS, TENANT, around, event, found

EMAIL = Identifier("email", "Jane.Doe@example.com")
CUSTOMER = IdentifierPattern("customer_id", "user.unique_id", r"\b[a-z]+_[a-z]+_\d{4}\b")
ORDER = IdentifierPattern(None, "user.behavior.purchase_history", r"#W\d{7}\b")


@pytest.mark.parametrize(
    ("subject", "text", "expected"),
    [
        (
            EMAIL,
            "write to jane.doe@EXAMPLE.com, JANE.DOE@example.com!",
            ["jane.doe@EXAMPLE.com", "JANE.DOE@example.com"],
        ),
        (EMAIL, "xjane.doe@example.com", []),
        (EMAIL, "jane.doe@example.community", []),
        (Identifier("customer_id", "yusuf_rossi_9620"), "id yusuf_rossi_9620.", ["yusuf_rossi_9620"]),
        (Identifier("customer_id", "yusuf_rossi_9620"), "id yusuf_rossi_96201", []),
        (Identifier("name", "Jane  Doe"), "jane\ndoe", ["jane\ndoe"]),
        (Identifier("customer_id", "7"), "7 items for 7 dollars", []),
        (Identifier("customer_id", "7"), " 7 ", [" 7 "]),
        (Identifier("customer_id", ""), "nothing", []),
        (
            Identifier("phone", "+1 (212) 555-0100"),
            "call 212.555.0100 or 001 212 555 0100",
            ["212.555.0100", "001 212 555 0100"],
        ),
        (Identifier("phone", "212-555-0100"), "call +12125550100", ["+12125550100"]),
        (Identifier("phone", "212-555-0100"), "call 212-555-0101 or 5550101", []),
        (Identifier("phone", "911"), "911", []),
        (Identifier("customer_id", "a.c(d"), "abc(d and a.c(d", ["a.c(d"]),
    ],
)
def test_declared_subjects(subject: Identifier, text: str, expected: list[str]) -> None:
    """The event's own subjects are found in any case and spacing, as whole words."""
    surroundings = around(subjects=(subject,))
    assert [hit for hit, _ in found(DeclaredSubjects(PSEUDONYMS), text, surroundings)] == expected


def test_a_hit_names_its_subject() -> None:
    """A hit carries the scheme's category and the pseudonym of the person."""
    surroundings = around(subjects=(EMAIL,))
    (hit,) = DeclaredSubjects(PSEUDONYMS).find(Field("/text", "jane.doe@example.com"), surroundings)
    assert (hit.category, hit.subject) == ("user.contact.email", PSEUDONYMS.of(TENANT, EMAIL))


def test_policy_patterns() -> None:
    """A policy's identifiers are found everywhere; those with a scheme name a person."""
    surroundings = around(ExtractionSpec(identifiers=(CUSTOMER, ORDER)))
    field = Field("/text", "yusuf_rossi_9620 ordered #W2378156 and #W9711842")
    hits = sorted(PolicyPatterns(PSEUDONYMS).find(field, surroundings), key=lambda hit: hit.start)
    assert [(field.text[hit.start : hit.end], hit.category) for hit in hits] == [
        ("yusuf_rossi_9620", "user.unique_id"),
        ("#W2378156", "user.behavior.purchase_history"),
        ("#W9711842", "user.behavior.purchase_history"),
    ]
    assert [hit.subject for hit in hits] == [
        PSEUDONYMS.of(TENANT, Identifier("customer_id", "yusuf_rossi_9620")),
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("pattern", "scheme", "text", "expected"),
    [
        (CUSTOMER.regex, "customer_id", "ADA_BROWN_1234 and Ada_Brown_1235", ["ADA_BROWN_1234", "Ada_Brown_1235"]),
        (r"\bCU[0-9]{4}\b", "customer_id", "cu1234", ["cu1234"]),
        (r"\bCU[0-9]{4}\b", None, "cu1234", []),
        (r"\b[A-Z]{6}\b", "locator", "banana, ABCDEF", ["ABCDEF"]),
        (r"\b[A-Z0-9]{6}\b", "locator", "banana, abc123", ["abc123"]),
        (r"[A-Z]{6}", "locator", "abABCDEF_", ["ABCDEF"]),
        (r"\b(?-i:CU)[0-9]{4}\b", "customer_id", "cu1234 CU1235", ["CU1235"]),
    ],
)
def test_codes_of_people_are_found_in_any_case(
    pattern: str, scheme: str | None, text: str, expected: list[str]
) -> None:
    """Pseudonyms know no case, so codes of people have none; words and things are matched as they are written."""
    spec = ExtractionSpec(identifiers=(IdentifierPattern(scheme, "user.unique_id", pattern),))
    assert [hit for hit, _ in found(PolicyPatterns(PSEUDONYMS), text, around(spec))] == expected


def test_another_case_is_the_same_person() -> None:
    """Whoever was erased in small letters is found in capitals."""
    surroundings = around(ExtractionSpec(identifiers=(CUSTOMER,)))
    (hit,) = PolicyPatterns(PSEUDONYMS).find(Field("/text", "for ADA_BROWN_1234"), surroundings)
    assert hit.subject == PSEUDONYMS.of(TENANT, Identifier("customer_id", "ada_brown_1234"))


def test_matches_are_paid_for() -> None:
    """Each match costs steps and each new identifier more, so that a text of nothing else ends as too much."""
    spec = ExtractionSpec(identifiers=(CUSTOMER,))
    left = []
    for text in ("", "ada_brown_1234 " * 50, "".join(f"ada_brown_{n} " for n in range(1_000, 1_050))):
        budget = Budget(lambda: 0.0, 1.0, steps=10_000)
        PolicyPatterns(PSEUDONYMS).find(Field("/text", text), Surroundings(event(UserMessage("")), spec, budget))
        left.append(budget.steps)
    assert left[0] > 10_000 - 5
    assert left[0] - 250 > left[1] > left[2] + 400
    short = Surroundings(event(UserMessage("")), spec, Budget(lambda: 0.0, 1.0, steps=100))
    with pytest.raises(TooMuchWork):
        PolicyPatterns(PSEUDONYMS).find(Field("/text", "ada_brown_1234 " * 50), short)


def test_a_wrong_pattern_is_the_operators_error() -> None:
    """A pattern that is no regular expression says so."""
    spec = ExtractionSpec(identifiers=(IdentifierPattern("x", "user.unique_id", "("),))
    with pytest.raises(ConfigurationError, match="pattern"):
        PolicyPatterns(PSEUDONYMS).find(Field("/text", "x"), around(spec))


def test_a_slow_pattern_ends_with_the_budget() -> None:
    """A pattern that backtracks without end uses up the event's time, and no more (A21)."""
    spec = ExtractionSpec(identifiers=(IdentifierPattern("x", "user.unique_id", r"(?:x+x+)+y"),))
    surroundings = Surroundings(event(UserMessage("")), spec, Budget(time.monotonic, time.monotonic() + 0.2))
    with pytest.raises(TimeUp):
        PolicyPatterns(PSEUDONYMS).find(Field("/text", "x" * 5_000 + "z"), surroundings)


@pytest.mark.parametrize(
    ("key", "text", "exempt"),
    [("item_id", "8349118980", True), ("item_id", "8349118980 x", False), ("other", "8349118980", False)],
)
def test_what_only_looks_personal(key: str, text: str, exempt: bool) -> None:  # noqa: FBT001 - a table's column
    """Under the named key, a value that matches whole is exempt."""
    surroundings = around(ExtractionSpec(not_personal=(NotPersonal("itemId", "[0-9]{10}"),)))
    assert is_exempt(Field("/arguments/x", text, (key,)), surroundings) is exempt


def test_schemes_speak_the_taxonomy() -> None:
    """Every scheme's category exists; an unknown scheme is a unique id."""
    schemes, default = scheme_categories()
    assert {*schemes.values(), default} <= set(categories())
    assert category_of("loyalty_card") == "user.unique_id"
    assert category_of(" EMAIL ") == category_of("workEmail") == "user.contact.email"
    assert category_of("credit_card") == category_of("card") == "user.financial.credit_card"
    assert {scheme(name) for name in schemes} == set(schemes)
