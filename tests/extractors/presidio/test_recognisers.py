"""One table per recogniser, with near misses."""

import pytest

from lawful.extractors.presidio.phones import PhoneRecogniser
from lawful.extractors.presidio.recognisers import CardRecogniser, EmailRecogniser, IbanRecogniser, Ipv4Recogniser


def hits(
    recogniser: CardRecogniser | EmailRecogniser | IbanRecogniser | Ipv4Recogniser | PhoneRecogniser, text: str
) -> list[tuple[str, float]]:
    """Texts and scores of what is found, by place."""
    results = recogniser.analyze(text, recogniser.supported_entities)
    return [(text[one.start : one.end], one.score) for one in sorted(results, key=lambda one: (one.start, -one.score))]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("4111111111111111", ["4111111111111111"]),
        ("4111 1111 1111 1111,", ["4111 1111 1111 1111"]),
        ("(4111-1111-1111-1111)", ["4111-1111-1111-1111"]),
        ("4111.1111.1111.1111", ["4111.1111.1111.1111"]),
        ("5555 5555 5555 4444 and 378282246310005", ["5555 5555 5555 4444", "378282246310005"]),
        ("2223003122003222", ["2223003122003222"]),
        ("6011111111111117", ["6011111111111117"]),
        ("3530111333300000", ["3530111333300000"]),
        ("30569309025904", ["30569309025904"]),
        ("4111111111111112", []),
        ("1234567812345670", []),
        ("0000000000000000", []),
        ("W4111111111111111", []),
        ("41111111111111111111111", []),
        ("357962501027", []),
        ("2024-05-26 10:30", []),
    ],
)
def test_cards(text: str, cards: list[str]) -> None:
    """Issuer's prefix, length and checksum, with spaces, dashes or dots."""
    assert hits(CardRecogniser(), text) == [(card, 1.0) for card in cards]


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("mail jane.doe+x@example.co.uk.", ["jane.doe+x@example.co.uk"]),
        ("<a@b.co>;c_d@e-f.org", ["a@b.co", "c_d@e-f.org"]),
        ("mailto:o'brien@example.com", ["o'brien@example.com"]),
        ("jane@xn--80ak6aa92e.com", ["jane@xn--80ak6aa92e.com"]),
        ("müller@bücher.de", ["müller@bücher.de"]),
        ("jane@intranet.corp", ["jane@intranet.corp"]),
        ("package@1.2.3", []),
        ("@jane and jane@", []),
        ("jane@localhost", []),
        ("a @ b.co", []),
    ],
)
def test_addresses(text: str, addresses: list[str]) -> None:
    """Addresses with any top-level domain of letters."""
    assert hits(EmailRecogniser(), text) == [(address, 1.0) for address in addresses]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("DE89370400440532013000", ["DE89370400440532013000"]),
        ("to DE89 3704 0044 0532 0130 00 2 days from today", ["DE89 3704 0044 0532 0130 00"]),
        ("GB82 WEST 1234 5698 7654 32.", ["GB82 WEST 1234 5698 7654 32"]),
        ("FR14 2004 1010 0505 0001 3M02 606", ["FR14 2004 1010 0505 0001 3M02 606"]),
        ("de89370400440532013000", ["de89370400440532013000"]),
        ("DE89.3704.0044.0532.0130.00.", ["DE89.3704.0044.0532.0130.00"]),
        ("is DE 89 3704 0044 0532 0130 00 mine", ["DE 89 3704 0044 0532 0130 00"]),
        ("GB-82-WEST-1234-5698-7654-32", ["GB-82-WEST-1234-5698-7654-32"]),
        ("DE 89370400440532013000", ["DE 89370400440532013000"]),
        ("NO 12 DE89 3704 0044 0532 0130 00", ["DE89 3704 0044 0532 0130 00"]),
        ("no 93 8601 1117 947", []),
        ("NO 93 8601 1117 947", ["NO 93 8601 1117 947"]),
        ("MT84.MALT.0110.0001.2345.MTLC.AST0.01S", ["MT84.MALT.0110.0001.2345.MTLC.AST0.01S"]),
        ("DE88370400440532013000", []),
        ("XX89370400440532013000", []),
        ("DE8937040044053201300", []),
        ("AB12CD34", []),
    ],
)
def test_ibans(text: str, numbers: list[str]) -> None:
    """A country's length and the checksum; what follows is left out."""
    assert hits(IbanRecogniser(), text) == [(number, 1.0) for number in numbers]


@pytest.mark.parametrize(
    ("text", "clear", "vague"),
    [
        ("+1 212-555-0100", ["+1 212-555-0100"], []),
        ("(415) 555-2671", ["(415) 555-2671"], []),
        ("650.253.0000", ["650.253.0000"], []),
        ("+49 30 901820", ["+49 30 901820"], []),
        ("020 7946 0958", ["020 7946 0958"], []),
        ("555-123-4567", ["555-123-4567"], []),
        ("6502530000", [], ["6502530000"]),
        ("555-0168", [], ["555-0168"]),
        ("#W2378156", [], []),
        ("155.33 - 147.05", [], []),
        ("2024-05-26", [], []),
        ("12345", [], []),
        ("serial 123-456-78901234", [], []),
        ("4111 1111 1111 1111", [], []),
        ("536-90-4399", [], []),
        ("212-555-0100 415-555-2671", ["212-555-0100", "415-555-2671"], []),
        ("+44 (0)20 7946 0958", ["+44 (0)20 7946 0958"], []),
        ("0033 1 42 68 53 00", ["0033 1 42 68 53 00"], []),
        ("01 42 68 53 00", ["01 42 68 53 00"], []),
        ("030 901820 or 0171 2345678", ["030 901820", "0171 2345678"], []),
        ("+91 98201 23456", ["+91 98201 23456"], []),
        ("+39 06 6982 1234", ["+39 06 6982 1234"], []),
        ("+999 12345678", [], []),
        ("1 2 3 4 5 6 7 8 9 10", [], []),
    ],
)
def test_phones(text: str, clear: list[str], vague: list[str]) -> None:
    """Written like a phone number it is one; bare or local digits need a word that says so."""
    found = hits(PhoneRecogniser(), text)
    assert {number for number, score in found if score >= 0.5} == set(clear)
    assert {number for number, score in found if score < 0.5} - set(clear) == set(vague)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("from 203.0.113.7, 10.0.0.0/8 and ip=192.168.0.1", ["203.0.113.7", "10.0.0.0/8", "192.168.0.1"]),
        ("ssh root@203.0.113.7-", ["203.0.113.7"]),
        ("2.14.0.3-rc1, 1.2.3.4.tar.gz, 1.2.3.4b 1.2.3.4-SNAPSHOT", []),
        ("lib-1.2.3.4 and v10.1.2.3", []),
        ("ip-1.2.3.4 and my-Host-10.1.2.3", ["1.2.3.4", "10.1.2.3"]),
        ("300.1.2.3 or 01.02.03.04", []),
    ],
)
def test_addresses_of_four_parts(text: str, addresses: list[str]) -> None:
    """What is written as only versions are is none."""
    assert hits(Ipv4Recogniser(), text) == [(address, 0.6) for address in addresses]
