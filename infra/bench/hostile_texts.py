"""Texts that are made to be slow to read, by families: every known way to slow a text reader down is one.

Runs of one character or unit, nesting, marks without end, words without end, near misses of every
pattern, encodings in encodings, results of many short members, random mixtures from a seed; and in
events about somebody what nearly is that person's, what a policy's own patterns match, and notes of
nothing but terms.
"""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lawful.schemas.event import Identifier

SOMEBODY: Final = (
    *(Identifier("phone", "+49" + " " * spaces + "30 123 4567") for spaces in range(4)),
    Identifier("mobile", "0049 30 1234567"),
    Identifier("phone", "+1 212 555 0100"),
    Identifier("email", "ada@b\u00fccher.example"),
    Identifier("email", "Ada@xn--bcher-kva.example"),
    Identifier("email", "mailto:ADA@B\u00dcCHER.example"),
    Identifier("email", "a@a.example"),
    Identifier("name", "Ada Brown"),
    Identifier("name", "Brown, Ada"),
    Identifier("iban", "DE89 3704 0044 0532 0130 00"),
    Identifier("passport", "1111 1111"),
    Identifier("customer_id", "ada_brown_1234"),
    Identifier("customer_id", "7"),
)
"""As many as an event may name, some of them one person in several spellings."""

_PACK: Final = "medagent"
_ABOUT_SOMEBODY: Final = {
    "subjects": (
        "2125550100 ", "+49301234567 ", "030 1234567", "1 ", "1  1  1  1  1  1  1x", "4567 (", "a@", "a@a ", "@",
        "ada@", "ada@b\u00fccher.example ", "Ada@xn--bcher-kva.example ", "Ada ", "Brown, ", "Ada Brown ", "Brown  ",
        "7", "7 ", "D E 8 9 ", "DE89370400440532013000 ", "11 11 11 1", "ada_brown_1234 ", "ADA_BROWN_1234 ", "ada_",
    ),
    "notes": (
        "asthma, ", "Asthma\n", "Metformin 500 mg\n", "metformin\n", "Chronic back pain\n", "Has asthma. ",
        "has diabetes ", "500 mg ", "mg\n", "Has a felony record\n",
    ),
}  # fmt: skip
_OF_A_POLICY: Final = (
    "P-100001 ", "p-100001 ", "MRN 100001 ", "mrn-1000011 ", "P-", "MRN ", "{'patient': 'P-100001'} ", '{"mrn": 1} ',
    '{"medication": "x"} ', "patient: P-100001, ", "dose: 5 mg; ", "finding is x, ",
)  # fmt: skip
_ROWS: Final[Mapping[str, Callable[[str, int], Any]]] = {
    "words": lambda word, _: word,
    "sentences": lambda word, number: f"the {word} is late again, row {number} of it",
    "names": lambda word, _: f"{word.capitalize()} {word[::-1].capitalize()}",
    "accents": lambda word, _: f"{word}\u00e9",
    "unseen": lambda word, _: f"\u00e9\u200b{word[:2]}",
    "digits": lambda _, number: f"{number:08d}",
    "numbers": lambda _, number: number * 1_001,
    "fractions": lambda _, number: number / 16,
    "dates": lambda _, number: f"{1900 + number % 100}-0{number % 9 + 1}-1{number % 10}",
    "phones": lambda _, number: f"+49 30 {number:07d}",
    "addresses": lambda word, _: f"{word}@example.org",
    "social security numbers": lambda _, number: {
        "id": number,
        "ssn": f"536-{number % 90 + 10}-{number % 9_000 + 1_000}",
    },
    "records": lambda word, _: {"name": f"{word.capitalize()} {word[::-1].capitalize()}", "note": word},
    "keys": lambda word, _: {word: "late"},
    "entities": lambda word, _: f"a&amp;b {word}",
    "Base64": lambda word, _: base64.b64encode(f"the {word} is late again".encode()).decode(),
    "JSON in JSON": lambda word, _: json.dumps({"a": word}),
    "truths": lambda *_: True,
}
_UNITS: Final = {
    "dots": (".", "a.", "1.2.3.4 ", ". ", "a.b@c."),
    "digits": ("1 ", "1-", "12 ", "123-", "0", "4 1 ", "4111 ", "+1 "),
    "numbers": ("4111 1111 1111 1111 ", "536-90-4399 ", "212-555-0100 "),
    "brackets": ("(", "[", "{", "()", "))", "([", "[{", "(1", "<", "[user.a", "[user.name] "),
    "marks": ("\u0301", "e\u0301", "\u200b1", "a\u0337", "\u05d0\u05b0", "\u1112\u1161"),
    "characters": ("\U0001f600", "\uff11", "\u0448a", "\u4e2d"),
    "words": ("x", "Ab", "_", "Ab-", "xY", "e\u0301X", "A1", "Aa1"),
    "signs": ("@", "@ ", "a@", ":", "::", "0:", "f:", "=", "=,", "-", "/", "\\", '"', "'", " ", "\n", "\t", "\r\n"),
    "encodings": ("%41", "%25", "&#52;", "&amp;", "\\u0034", "\\", "0x41", "34 ", "Aa1+", "QUFB"),
    "spelt out": ("one ", "double ", "at ", "dot ", "at dot ", " (at) ", "a at b dot ", "j @ x . "),
    "names": ("Mr Smith ", "John Smith ", "Ab ", "I am ", "name: x, ", "Dr. ", "née "),
    "places": ("12 Elm Street ", "rue de ", "live in ", "Lindenstraße ", "P.O. Box 1 "),
    "accounts": ("DE89 ", "AB12 ", "D E 8 ", "DE89370400440532013000 ", "j@x.co ", "https://a.b/?c="),
    "records": ('{"', '{"a":', '{"a":1} ', '{"name": "Ab", "city": "x"} ', '"dob": 1, ', "{'a':['b'],", '{\\"a\\":'),
    "facts": ("born ", "born 1 ", "I am 12 ", "I have asthma. ", "SSN: ", "salary $1 "),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hostile:
    """One text that is made to be slow.

    Attributes:
        subjects: of the event that it is in.
        pack: the policy by which it is read; none of its own if empty.
    """

    family: str
    name: str
    text: str
    subjects: tuple[Identifier, ...] = ()
    pack: str = ""


def hostile(size: int, mixtures: int, seed: int) -> Iterator[Hostile]:
    """Texts of every family, each of about a size in bytes.

    Args:
        size: bytes of UTF-8.
        mixtures: random texts besides.
        seed: of those.
    """
    for family, units in _UNITS.items():
        for unit in units:
            yield Hostile(family, ascii(unit), _repeated(unit, size))
    yield from _about_somebody(size)
    yield from _built(size, seed)
    rng = random.Random(seed)  # noqa: S311 - nothing is kept secret with it
    yield from _rows(size, rng)
    alphabets = (
        string.digits + " -.",
        string.printable,
        "aA1@.:/-+%&#\\ \n\u200b",
        "0123456789abcdef:. ",
        "[]{}(),:\"'",
    )
    pieces = [unit for units in _UNITS.values() for unit in units]
    for number in range(mixtures):
        drawn = rng.choice([*alphabets, rng.sample(pieces, 3)])
        text = "".join(rng.choices(drawn, k=size))
        yield Hostile("mixtures", f"{seed}.{number}", _cut(text, size))


def _built(size: int, seed: int) -> Iterator[Hostile]:
    rng = random.Random(seed)  # noqa: S311 - nothing is kept secret with it
    printable = "".join(rng.choices(string.printable, k=size * 3 // 4)).encode()
    yield Hostile("nesting", "arrays", "[" * (size // 2) + "]" * (size // 2))
    yield Hostile("nesting", "objects", _cut('{"a":' * (size // 6) + "1" + "}" * (size // 6), size))
    yield Hostile("nesting", "open", _cut('[{"a":[' * size, size))
    yield Hostile("encodings", "Base64 of text", _cut(base64.b64encode(printable).decode(), size))
    yield Hostile("encodings", "Base64 of bytes", _cut(base64.b64encode(rng.randbytes(size)).decode(), size))
    yield Hostile("encodings", "hexadecimal of cards", _cut((b"4111 1111 1111 1111 " * size)[: size // 2].hex(), size))
    yield Hostile("words", "one word", "".join(rng.choices(string.ascii_letters, k=size)))
    yield Hostile("words", "one number", "".join(rng.choices(string.digits, k=size)))


def _rows(size: int, rng: random.Random) -> Iterator[Hostile]:
    """Results of as many members as there is room for, each different from the others."""
    for name, row in _ROWS.items():
        rows, room = list[str](), size - 1
        while True:
            made = json.dumps(row("".join(rng.choices(string.ascii_lowercase, k=6)), len(rows)), ensure_ascii=False)
            room -= len(made.encode()) + 1
            if room < 0:
                break
            rows.append(made)
        yield Hostile("rows", name, f"[{','.join(rows)}]")


def _about_somebody(size: int) -> Iterator[Hostile]:
    """In events that name somebody, and by a policy that has identifiers and field names of its own."""
    for family, units in _ABOUT_SOMEBODY.items():
        for unit in units:
            yield Hostile(family, ascii(unit), _repeated(unit, size), SOMEBODY)
    dialled = "".join(f"030 {number:04d}4567, " for number in range(size // 14))
    yield Hostile("subjects", "numbers that end alike", _cut(dialled, size), SOMEBODY)
    yield Hostile("subjects", "one address", _cut("a@" + "a" * size, size), SOMEBODY)
    domains = "".join(f"ada@b\u00fccher{number}.example " for number in range(size // 20))
    yield Hostile("subjects", "domains in Unicode", _cut(domains, size), SOMEBODY)
    for unit in _OF_A_POLICY:
        yield Hostile("policy", ascii(unit), _repeated(unit, size), (), _PACK)
        yield Hostile("policy", f"{unit!a} about somebody", _repeated(unit, size), SOMEBODY, _PACK)
    patients = "".join(f"P-{number}, " for number in range(100_000, 100_000 + size // 10))
    yield Hostile("policy", "patients", _cut(patients, size), (), _PACK)


def _repeated(unit: str, size: int) -> str:
    return _cut(unit * (size // len(unit.encode()) + 1), size)


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")
