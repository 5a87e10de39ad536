"""What a text has in it that identifiers are compared with."""

import pytest

from lawful.extractors.budget import FREE, Budget
from lawful.extractors.written import Written, price
from lawful.schemas.canonical import canonical
from lawful.schemas.event import Identifier

NORMALISE = canonical("US")


def written(text: str, budget: Budget = FREE) -> Written:
    """A text, paid for by a budget."""
    return Written(text, NORMALISE, budget)


def test_numbers_are_told_by_their_last_digits() -> None:
    """Each number with its place, under what no way of dialling it changes."""
    text = written("call 212-555-0100 or (030) 901 0100, not 212-555-0199")
    assert [number for _, number in text.numbers("0100")] == ["212-555-0100", "(030) 901 0100"]
    assert list(text.numbers("1234")) == []


def test_addresses_are_told_by_what_is_before_the_at_sign() -> None:
    """Each with where it starts, in lower case; and a domain without what ends a sentence."""
    text = written("To Ada@x.co, bob@y.co. @z, c@@d")
    assert text.mails == {"ada": [(3, 6)], "bob": [(13, 16)], "c": [(27, 28)]}
    assert (text.domain(16), text.domain(28)) == ("y.co", "")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("ab-12, A B 1 2", [(0, 5), (7, 14)]),
        ("ab - 12", []),
        ("xab12 ab123 _ab12", []),
        ("\u00df \u00df ab12", [(4, 8)]),
        ("ab12ab12 ab12", [(9, 13)]),
    ],
)
def test_a_documents_number_may_be_apart(text: str, places: list[tuple[int, int]]) -> None:
    """Up to two characters between any two of its own, and no word goes on at its ends."""
    assert written(text).apart("ab12") == places


def test_what_a_text_does_not_need_costs_nothing() -> None:
    """Nothing is worked out before it is asked for, and nothing twice."""
    budget = Budget(lambda: 0.0, 1.0, steps=100_000)
    text = written("ada@x.co 212-555-0100 " * 500, budget)
    assert budget.steps == 100_000
    list(text.numbers("9999"))
    once = budget.steps
    list(text.numbers("8888"))
    assert 100_000 - 11_000 // 16 < once == budget.steps < 100_000
    list(text.numbers("0100"))
    assert budget.steps < once - 2_000


def test_a_normal_form_is_paid_for_once() -> None:
    """A number that stands in a text a hundred times is read once."""
    budget = Budget(lambda: 0.0, 1.0, steps=1_000)
    text, number = written("", budget), Identifier("phone", "212-555-0100")
    assert {text.normal(number) for _ in range(100)} == {"+12125550100"}
    assert budget.steps == 1_000 - price(number)


def test_dear_forms_have_their_price() -> None:
    """Phone numbers and domains in other scripts cost more than other identifiers, however they are called."""
    plain = price(Identifier("email", "ada@example.com"))
    assert price(Identifier("mobile", "212-555-0100")) > 2 * plain
    assert price(Identifier("e-mail", "ada@b\u00fccher.example")) > 2 * plain
    assert price(Identifier("customer_id", "c-77")) <= plain
