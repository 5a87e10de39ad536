"""Numbers and addresses in every disguise, found where they stand in the text that was sent (A15)."""

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote

import pytest

from lawful.client.obligations import apply
from lawful.extractors.port import Extractor
from lawful.schemas.event import AgentMessage, Identifier, UserMessage
from lawful.schemas.verdict import Action, Decision, Obligation, Verdict
from lawful.schemas.view import Finding
from tests.extractors.support import TENANT, call, extract

CARD, SSN, IBAN = "user.financial.credit_card", "user.government_id.national_identification_number", "user.financial"
EMAIL, PHONE, IP = "user.contact.email", "user.contact.phone_number", "user.device.ip_address"
SECRETS = {
    "card": ("4111 1111 1111 1111", CARD, "my card is "),
    "amex": ("3782 822463 10005", CARD, "card: "),
    "ssn": ("536-90-4399", SSN, "my ssn is "),
    "iban": ("DE89 3704 0044 0532 0130 00", IBAN, "account "),
    "email": ("jane.doe@example.com", EMAIL, "write to "),
    "phone": ("+1 212-555-0100", PHONE, "call me at "),
    "ip": ("203.0.113.77", IP, "from address "),
}


def _shifted(text: str, zero: int, letters: tuple[int, int] | None = None) -> str:
    """Digits, and letters where there are some, of another block of Unicode."""
    table = {ord("0") + digit: zero + digit for digit in range(10)}
    if letters is not None:
        table |= {ord("A") + n: letters[0] + n for n in range(26)} | {ord("a") + n: letters[1] + n for n in range(26)}
    return text.translate(table)


def _wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else "\u3000" for char in text)


def _between(mark: str) -> Callable[[str], str]:
    return mark.join


def _each(form: str) -> Callable[[str], str]:
    return lambda text: "".join(form.format(ord(char)) for char in text)


def _encoded(text: str) -> str:
    return base64.b64encode(f"it is {text}".encode()).decode()


DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "zero width space": _between("\u200b"),
    "zero width joiner": _between("\u200d"),
    "word joiner": _between("\u2060"),
    "soft hyphen": _between("\u00ad"),
    "right to left mark": _between("\u200f"),
    "variation selector": _between("\ufe0f"),
    "combining overlay": lambda text: "".join(f"{char}\u0337" if char.isalnum() else char for char in text),
    "no-break space": lambda text: text.replace(" ", "\u00a0"),
    "thin space": lambda text: text.replace(" ", "\u2009"),
    "no-break hyphen": lambda text: text.replace("-", "\u2011"),
    "minus sign": lambda text: text.replace("-", "\u2212"),
    "full width": _wide,
    "mathematical bold": lambda text: _shifted(text, 0x1D7CE, (0x1D400, 0x1D41A)),
    "mathematical monospace": lambda text: _shifted(text, 0x1D7F6, (0x1D670, 0x1D68A)),
    "Arabic-Indic digits": lambda text: _shifted(text, 0x660),
    "Devanagari digits": lambda text: _shifted(text, 0x966),
    "percent": _each("%{:02X}"),
    "percent where needed": lambda text: quote(text, safe=""),
    "percent twice": lambda text: quote(quote(text, safe=""), safe=""),
    "HTML decimal": _each("&#{};"),
    "HTML hexadecimal": _each("&#x{:x};"),
    "escapes": _each("\\u{:04x}"),
    "short escapes": _each("\\x{:02x}"),
    "Base64": _encoded,
    "Base64 for URLs": lambda text: base64.urlsafe_b64encode(f"??>> {text} ~~".encode()).decode().rstrip("="),
    "Base64 in lines": lambda text: base64.encodebytes(f"{'x' * 60} {text} {'y' * 40}".encode()).decode(),
    "Base64 twice": lambda text: base64.b64encode(_encoded(text).encode()).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "hexadecimal with 0x": lambda text: "0x" + text.encode().hex().upper(),
    "hexadecimal in pairs": lambda text: text.encode().hex(" "),
}
# Not every disguise leaves anything to find in every notation; `ip` as a Base64 word is covered by the others.
ROWS = [(secret, disguise) for secret in SECRETS for disguise in DISGUISES]


def _found(extractor: Extractor, text: str) -> Iterator[tuple[str, str]]:
    for one in extract(extractor, UserMessage(text)).findings:
        yield text[one.start : one.end], one.category


@pytest.mark.parametrize(("secret", "disguise"), ROWS)
def test_a_disguise_hides_nothing(extractor: Extractor, secret: str, disguise: str) -> None:
    """It is found, and the span is what was written: all of it, and nothing of what stands beside it (A15)."""
    value, category, before = SECRETS[secret]
    written = DISGUISES[disguise](value)
    found = {text for text, kind in _found(extractor, f"{before}{written} thanks") if kind.startswith(category)}
    assert any(_is_all(text, written) for text in found), found
    assert all(text.strip() in written for text in found)


def _is_all(text: str, written: str) -> bool:
    """Whether nothing but what cannot be seen is left out at the ends."""
    left = written.strip().replace(text, "", 1)
    return all(not char.isalnum() and not char.isascii() for char in left)


MARKS = ["_{}_", "__{}__", "*_{}_*", "(_{}_)", "_{}_."]


@pytest.mark.parametrize("marks", MARKS)
@pytest.mark.parametrize("secret", SECRETS)
def test_emphasis_hides_nothing(extractor: Extractor, secret: str, marks: str) -> None:
    """Underscores around it, as Markdown has them, are no part of it."""
    value, category, before = SECRETS[secret]
    found = [text for text, kind in _found(extractor, before + marks.format(value)) if kind.startswith(category)]
    assert found == [value]


def test_underscores_that_begin_an_identifier_belong_to_it(extractor: Extractor) -> None:
    """An address may begin or end its local part with one, and a declared subject may, too."""
    for address in ("_jane@example.com", "jane_@example.com", "jane._doe@example.com"):
        assert (address, EMAIL) in _found(extractor, f"write to {address} again")
    found = extract(extractor, UserMessage("ask _ada_1815 again"), subjects=(Identifier("customer_id", "_ada_1815"),))
    assert [(one.start, one.end) for one in found.findings if one.subject] == [(4, 13)]


HEALTH, NAME = "user.health_and_medical", "user.name"


@pytest.mark.parametrize(
    ("text", "written", "category"),
    [
        ("Sie ist an Leuk&auml;mie erkrankt", "Leuk&auml;mie", HEALTH),
        ("J&#39;ai le diab&#232;te", "diab&#232;te", HEALTH),
        (r"J'ai le diab\u00e8te", r"diab\u00e8te", HEALTH),
        ("I%20have%20diabetes", "diabetes", HEALTH),
        ("She has _diabetes_", "diabetes", HEALTH),
        ("She has &lowbar;diabetes&lowbar;", "diabetes", HEALTH),
        ("Mein Name ist J&uuml;rgen M&uuml;ller", "J&uuml;rgen M&uuml;ller", NAME),
        (r"Mein Name ist J\u00fcrgen M\u00fcller", r"J\u00fcrgen M\u00fcller", NAME),
        ("My name is John&nbsp;Smith", "John&nbsp;Smith", NAME),
        ("My%20name%20is%20John%20Smith", "John%20Smith", NAME),
        ("I live at 12 Main&nbsp;Street, Springfield", "12 Main&nbsp;Street, Springfield", "user.contact.address"),
        ("{&quot;ssn&quot;: &quot;536904399x&quot;}", "536904399x", SSN),
    ],
)
def test_what_an_encoding_says_beyond_doubt(extractor: Extractor, text: str, written: str, category: str) -> None:
    """Names, homes, terms and records are read through escapes, for those hide what nobody means to hide."""
    assert (written, category) in _found(extractor, text)
    assert (written, category) in _found(extractor, f"{'It rains again today. ' * 60}{text}\n\n{'So it does. ' * 60}")


@pytest.mark.parametrize("disguise", ["Base64", "hexadecimal"])
def test_what_is_a_guess_is_asked_for_more(extractor: Extractor, disguise: str) -> None:
    """What letters may stand for if they are Base64 or hexadecimal needs a form of its own: a term has none."""
    assert list(_found(extractor, DISGUISES[disguise]("She has diabetes and her name is Jane Doe"))) == []


@pytest.mark.parametrize(
    ("text", "value", "category"),
    [
        ("ssn_536-90-4399", "536-90-4399", SSN),
        ("customer_ssn_536904399_de", "536904399", SSN),
        ("card_4111111111111111", "4111111111111111", CARD),
        ("Visa__4111-1111-1111-1111_exp_12", "4111-1111-1111-1111", CARD),
        ("phone_+4930123456", "+4930123456", PHONE),
        ("ip_203.0.113.77_old", "203.0.113.77", IP),
        ("ssn_536_90_4399", "536_90_4399", SSN),
    ],
)
def test_a_word_that_says_what_is_joined_to_it(extractor: Extractor, text: str, value: str, category: str) -> None:
    """An underscore between a number and its name hides neither."""
    assert list(_found(extractor, f"it is {text} ok")) == [(value, category)]


def test_identifiers_with_underscores_stay_whole(extractor: Extractor) -> None:
    """Numbers joined to a word that does not name them are an identifier, and so is what only ends like a name."""
    text = "order_4111111111111111 discard_4111111111111111 ada_brown_536904399 card_2 phone_2_type tel_030_1"
    assert list(_found(extractor, text)) == []


WORDS = {
    "en": ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"],
    "de": ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"],
    "fr": ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"],
    "es": ["cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"],
}


def _said(text: str, language: str) -> str:
    return " ".join(WORDS[language][int(char)] for char in text if char.isdigit())


@pytest.mark.parametrize(
    ("written", "category"),
    [
        (_said("4111111111111111", "en"), CARD),
        (_said("5555555555554444", "de"), CARD),
        (_said("4111111111111111", "fr"), CARD),
        (_said("378282246310005", "es"), CARD),
        ("four-one-one-one, one-one-one-one, one-one-one-one, one-one-one-one", CARD),
        ("four triple one one one one one one one one one one one one one", CARD),
        ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", CARD),
        ("4-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1", CARD),
        ("4111/1111/1111/1111", CARD),
        ("4111_1111_1111_1111", CARD),
        ("4111 - 1111 - 1111 - 1111", CARD),
        ("4111  1111  1111  1111", CARD),
        ("4111\n1111\n1111\n1111", CARD),
        ("41 11 11 11 11 11 11 11", CARD),
        ("3782|822463|10005", CARD),
        ("4111.1111.1111.1111", CARD),
        ("4111+1111+1111+1111", CARD),
        ("D E 8 9 3 7 0 4 0 0 4 4 0 5 3 2 0 1 3 0 0 0", IBAN),
        ("D-E-8-9-3-7-0-4-0-0-4-4-0-5-3-2-0-1-3-0-0-0", IBAN),
        ("jane at example dot com", EMAIL),
        ("jane.doe (at) example (dot) co (dot) uk", EMAIL),
        ("jane[at]example[dot]com", EMAIL),
        ("jane{at}example.com", EMAIL),
        ("jane dot doe at example dot org", EMAIL),
        ("JANE AT EXAMPLE DOT COM", EMAIL),
        ("jane (ät) example (punkt) de", EMAIL),
        ("jane arroba example punto es", EMAIL),
        ("jane @ example.com", EMAIL),
        ("jane @ example . com", EMAIL),
        ("jane\u200b@\u200bexample\u200b.\u200bcom", EMAIL),
        ("j\u0430ne@ex\u0430mple.com", EMAIL),
        ("D\u041589370400440532013000", IBAN),
    ],
)
def test_what_is_spelt_out_or_apart(extractor: Extractor, written: str, category: str) -> None:
    """Digits in words or apart, and addresses without their signs, are what they stand for (A15)."""
    found = {text for text, kind in _found(extractor, f"it is {written} ok") if kind.startswith(category)}
    assert written in found


@pytest.mark.parametrize("wrap", [json.dumps, lambda text: json.dumps(json.dumps({"note": text}))])
@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("disguise", ["plain", "zero width space", "full width", "Base64", "escapes"])
def test_disguises_in_nested_json(extractor: Extractor, secret: str, disguise: str, wrap: Callable[[str], str]) -> None:
    """JSON in strings of JSON hides nothing either, with or without a disguise."""
    value, category, before = SECRETS[secret]
    body = json.dumps({"to": [wrap(f"{before}{DISGUISES[disguise](value)}")]})
    for payload in (AgentMessage(body), call({"body": body})):
        assert any(one.category.startswith(category) for one in extract(extractor, payload).findings)


@pytest.mark.parametrize("disguise", DISGUISES)
def test_what_is_redacted_is_gone(extractor: Extractor, disguise: str) -> None:
    """Meeting what the findings demand leaves nothing to find, at any depth and in any disguise (A16)."""
    values = {secret: f"{before}{DISGUISES[disguise](value)}." for secret, (value, _, before) in SECRETS.items()}
    payload = call({"now": values, "then": [json.dumps({"again": values})]})
    redacted = apply(payload, _verdict(extract(extractor, payload).findings))
    assert [one.category for one in extract(extractor, redacted).findings] == []
    assert set(json.loads(redacted.arguments)) == {"now", "then"}


def _verdict(findings: Iterable[Finding]) -> Verdict:
    obligations = tuple(Obligation(one.path, one.start, one.end, Action.REPLACE, one.category) for one in findings)
    return Verdict(
        event_id="e",
        tenant_id=TENANT,
        decision=Decision.REDACT,
        obligations=obligations,
        policy_id="p",
        policy_version="1",
        policy_digest="d",
        recorded_at=0,
    )


_OF_ENCODINGS = ["percent", "HTML decimal", "escapes", "Base64", "hexadecimal", "hexadecimal in pairs", "Base64 twice"]


@pytest.mark.parametrize("disguise", ["plain", *_OF_ENCODINGS])
@pytest.mark.parametrize(
    ("value", "category"),
    [
        ("4242424242424242", CARD),
        ("4242 4242 4242 4242", CARD),
        ("42 42 42 42 42 42 42 42", CARD),
        ("5555-5555-5555-4444", CARD),
        ("4532665255556473", CARD),
        ("GB82WEST12345698765432", IBAN),
        ("DE21305560902423334041", IBAN),
    ],
)
def test_numbers_that_are_themselves_an_encoding(
    extractor: Extractor, value: str, category: str, disguise: str
) -> None:
    """A number whose digits also are hexadecimal for letters is found before it is decoded to those."""
    text = f"code {DISGUISES[disguise](value)} thanks"
    assert any(kind.startswith(category) for _, kind in _found(extractor, text))


@pytest.mark.parametrize("disguise", ["plain", "percent", "hexadecimal", "Base64"])
@pytest.mark.parametrize(
    "value",
    [
        "4242424242424241",
        "5555-5555-5555-4445",
        "order 2024052610301542",
        "order 70424242424242424242",
        "1750000000000000",
        "2026-09-14T10:30:15",
        "343434343434343434343434",
        "00000000000000000000000000000000",
        "20240526-20240527-20240528-20240529",
    ],
)
def test_numbers_that_only_look_like_one(extractor: Extractor, value: str, disguise: str) -> None:
    """Order numbers, long runs of digits and timestamps are nothing, encoded or not."""
    found = _found(extractor, f"code {DISGUISES[disguise](value)} thanks")
    assert [kind for _, kind in found if not kind.startswith("user.unique_id")] == []


@pytest.mark.parametrize(
    "text",
    [
        "one two three four five six seven eight nine ten, ready or not",
        "meet me at noon, dot the letters and come at once",
        "look at the example, dot or no dot, at once",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
        "2024-05-26 10:30:15, 2024-05-27 11:30:15",
        "rows 10 20 30 40 50 60 70 80",
        "d62b7f4f-1a46-4c15-9ed6-f9d8a24ff0ac and 0xdeadbeefcafebabe0123",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "100%25 sure, 50%20off, a&amp;b &lt;tag&gt; \\u00e9t\\u00e9 \\x41",
        "SGVsbG8gd29ybGQsIGhvdyBhcmUgeW91Pw==",
        "version 1.2.3-5.6.7, build 20240526.1234567",
        "W4111111111111111",
        "4111/1111/1111/1112",
        "\u041c\u043e\u0441\u043a\u0432\u0430 \u0438 \u041a\u0438\u0435\u0432",
    ],
)
def test_what_only_looks_disguised(extractor: Extractor, text: str) -> None:
    """Counts, times, ids, hashes, pictures and markup hold no personal data."""
    assert list(_found(extractor, text)) == []
