"""Known identifiers in any notation that means the same."""

import base64

import pytest

from lawful.extractors import build_extractor
from lawful.extractors.budget import Budget, TooMuchWork
from lawful.extractors.known import Lookout
from lawful.extractors.port import Extractor
from lawful.schemas.canonical import canonical
from lawful.schemas.event import Identifier, UserMessage
from lawful.schemas.pseudonym import Pseudonymiser
from tests.extractors.support import TENANT, event, extract

PEOPLE = Pseudonymiser(master=b"0123456789abcdef", normalise=canonical("US"))


def places(subject: Identifier, text: str) -> list[str]:
    """What a text says that means a subject."""
    lookout = Lookout(canonical("US"))
    found = list(lookout.occurrences(event(UserMessage(text), (subject,)), text))
    return [text[start:end] for _, spans in found for start, end in spans]


@pytest.mark.parametrize(
    ("subject", "text", "expected"),
    [
        (Identifier("email", "Jane@Bücher.de"), "to jane@xn--bcher-kva.de.", ["jane@xn--bcher-kva.de"]),
        (Identifier("email", "jane@xn--bcher-kva.de"), "JANE@BÜCHER.DE!", ["JANE@BÜCHER.DE"]),
        (Identifier("e-mail", "Jane <jane@x.co>"), "jane@x.co, xjane@x.co, jane@x.com", ["jane@x.co"]),
        (Identifier("phone", "+1 (212) 555-0100"), "212.555.0100 or 12125550100", ["212.555.0100", "12125550100"]),
        (Identifier("mobile", "212-555-0100"), "call +1 212 555 0100, not 212-555-0101", ["+1 212 555 0100"]),
        (Identifier("phone", "+49 30 901820"), "030/901820 and 030 901821", ["030/901820"]),
        (Identifier("iban", "DE89 3704 0044 0532 0130 00"), "DE89370400440532013000.", ["DE89370400440532013000"]),
        (Identifier("iban", "de89370400440532013000"), "DE89-3704-0044-0532-0130-00", ["DE89-3704-0044-0532-0130-00"]),
        (Identifier("ssn", "536904399"), "ssn 536-90-4399, 1536-90-4399", ["536-90-4399"]),
        (Identifier("name", "Jane Doe"), "DOE, Jane and jane  doe, not Janet Doe", ["DOE, Jane", "jane  doe"]),
        (Identifier("name", "Jane Doe"), "doe jane", []),
        (Identifier("customer_id", "C-7 x"), "c-7\nX and c-7", ["c-7\nX"]),
        (Identifier("customer_id", "7"), "7 of 7", []),
        (Identifier("customer_id", "7"), "7" + " " * 5_000, ["7" + " " * 5_000]),
        (Identifier("phone", "+1 212 555 0100 ext. 7"), "212-555-0100", ["212-555-0100"]),
        (Identifier("phone", "+1 212 555 0100"), "call 0000000", []),
        (Identifier("email", "jane@x.co"), "a@b jane@x.co@c", ["jane@x.co"]),
        (
            Identifier("email", "jane@b\u00fccher.de"),
            "+jane@xn--bcher-kva.de x@jane@xn--bcher-kva.de.",
            ["jane@xn--bcher-kva.de"],
        ),
        (Identifier("ssn", "536904399"), "536---90-4399 and 5 3 6 9 0 4 3 9 9", ["5 3 6 9 0 4 3 9 9"]),
        (Identifier("passport", "C01X"), "\u00df\u00df c-01-x, c01x_", ["c-01-x"]),
        (Identifier("customer_id", " "), "anything", []),
    ],
)
def test_notations(subject: Identifier, text: str, expected: list[str]) -> None:
    """Case, separators, a country's code, a domain's script and the order of a name make no difference."""
    assert places(subject, text) == expected


def test_an_event_is_prepared_once() -> None:
    """One lookout serves one event after another, each with its own subjects."""
    lookout = Lookout(canonical())
    one, other = (event(UserMessage(""), (Identifier("customer_id", f"c-{n}"),)) for n in (11, 22))
    for _ in range(2):
        assert [spans for _, spans in lookout.occurrences(one, "c-11 c-22")] == [[(0, 4)]]
        assert [spans for _, spans in lookout.occurrences(other, "c-11 c-22")] == [[(5, 9)]]
    assert list(lookout.occurrences(event(UserMessage("")), "c-11")) == []


class Counted:
    """A normal form that counts how often it is asked for."""

    def __init__(self) -> None:
        self.asked = 0
        self._normalise = canonical("DE")

    def __call__(self, identifier: Identifier) -> Identifier:
        """The same."""
        self.asked += 1
        return self._normalise(identifier)


def test_a_text_is_read_once_for_all_subjects() -> None:
    """Spellings of one number cost no further looks, and a number that ends otherwise is not even read."""
    counted = Counted()
    spellings = [Identifier("phone", "+49" + " " * n + "301234567") for n in range(16)]
    told = event(UserMessage(""), (*spellings, Identifier("phone", "+49 30 7654567")))
    lookout = Lookout(counted)
    assert list(lookout.occurrences(told, "212 555 0100, " * 50)) == []
    assert counted.asked == len(told.subjects)
    assert list(lookout.occurrences(told, "0175 5554567, " * 50)) == []
    assert counted.asked == len(told.subjects) + 1
    found = list(lookout.occurrences(told, "030/1234567"))
    assert found == [(spellings[0], [(0, 11)])]


def spent(subjects: tuple[Identifier, ...], text: str) -> int:
    """Steps that looking for subjects in a text costs."""
    budget = Budget(lambda: 0.0, 1.0, steps=1 << 40)
    list(Lookout(canonical("DE")).occurrences(event(UserMessage(text), subjects), text, budget))
    return (1 << 40) - budget.steps


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (Identifier("phone", "+49301234567"), "2125554567 " * 6_000),
        (Identifier("phone", "+49301234567"), "4567" + "(" * 60_000),
        (Identifier("email", "a@b.co"), "a@b " * 16_000),
        (Identifier("passport", "1111"), "1" * 60_000),
        (Identifier("name", "a a a a a a a b"), "b" + "a " * 30_000),
        (Identifier("customer_id", "c-77"), "c-77 " * 12_000),
    ],
)
def test_looking_is_paid_for(subject: Identifier, text: str) -> None:
    """What takes long costs steps, the same each time, and ends where there are none left."""
    steps = spent((subject,), text)
    assert 10_000 < steps == spent((subject,), text)
    budget = Budget(lambda: 0.0, 1.0, steps=steps - 1)
    with pytest.raises(TooMuchWork):
        list(Lookout(canonical("DE")).occurrences(event(UserMessage(text), (subject,)), text, budget))


def test_ordinary_texts_cost_next_to_nothing() -> None:
    """Looking for a person in a message costs less than a hundredth of what an event may cost."""
    subjects = (
        Identifier("phone", "+49301234567"),
        Identifier("email", "ada@example.com"),
        Identifier("name", "Ada B"),
    )
    assert spent(subjects, "Hello, this is Ada: please send the parcel, number 4567, to ada@example.com. " * 3) < 450


def test_an_event_that_is_read_again_costs_as_much() -> None:
    """What was prepared for an event before is paid for all the same: the answer may not hang on it."""
    lookout, told = Lookout(canonical("DE")), event(UserMessage(""), (Identifier("phone", "+49301234567"),))
    left = []
    for _ in range(2):
        budget = Budget(lambda: 0.0, 1.0, steps=1_000)
        list(lookout.occurrences(told, "030 1234567", budget))
        left.append(budget.steps)
    assert left[0] == left[1] < 1_000


@pytest.fixture(scope="module")
def at_home() -> Extractor:
    """An extractor that reads phone numbers as they are dialled in the US."""
    return build_extractor(PEOPLE)


@pytest.mark.parametrize(
    ("identifier", "notations"),
    [
        (
            Identifier("email", "jane@bücher.de"),
            [
                "jane@bücher.de",
                "JANE@BÜCHER.DE",
                "jane@xn--bcher-kva.de",
                "jane\u200b@bücher.de",
                "j\u0430ne@b\u00fccher.de",
                "jane at bücher dot de",
                "jane%40b%C3%BCcher.de",
                base64.b64encode("write to jane@bücher.de".encode()).decode(),
                "jane&#64;bücher.de",
                "\\u006aane@bücher.de",
            ],
        ),
        (
            Identifier("phone", "+1 212 555 0100"),
            [
                "+12125550100",
                "(212) 555-0100",
                "212.555.0100",
                "+1 (212) 555-0100",
                "001 212 555 0100",
                "\uff12\uff11\uff12-\uff15\uff15\uff15-\uff10\uff11\uff10\uff10",
                "call%20%2B1%20212%20555%200100",
                base64.b64encode(b"call +1 212-555-0100 now").decode(),
            ],
        ),
    ],
)
def test_a_stranger_is_the_same_person_in_every_notation(
    at_home: Extractor, identifier: Identifier, notations: list[str]
) -> None:
    """Whoever was erased under one notation is found under the others: the pseudonym is the same."""
    expected = PEOPLE.of(TENANT, identifier)
    for written in notations:
        findings = extract(at_home, UserMessage(f"please call or write: {written} thanks")).findings
        assert expected in {one.subject for one in findings}, written
