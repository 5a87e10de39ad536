"""What the worst texts cost: payloads of a bounded size that are made to be slow to read.

Every known way to slow a text reader down is a family: runs of one character or unit, nesting,
marks without end, words without end, near misses of every pattern, encodings in encodings, and
random mixtures from a seed. Costs are CPU time of one event, the smaller of two tries, since a
busy machine only ever adds to it.
"""

import base64
import random
import statistics
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import thread_time
from typing import Any, Final

from lawful.extractors.pipeline import Pipeline
from lawful.extractors.port import ExtractionSpec, Extractor, Limits
from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.timing import quiet
from lawful.infra.scoring.readers import event_of
from lawful.schemas.event import AgentEvent, ToolResult, UserMessage

Progress = Callable[[str], None]

TARGET_MS: Final = 50.0
_PATIENT: Final = ExtractionSpec(limits=Limits(max_bytes=1 << 20, extraction_ms=120_000))
_UNITS: Final = {
    "dots": (".", "a.", "1.2.3.4 ", ". ", "a.b@c."),
    "digits": ("1 ", "1-", "12 ", "123-", "0", "4 1 ", "4111 ", "+1 "),
    "numbers": ("4111 1111 1111 1111 ", "536-90-4399 ", "212-555-0100 "),
    "brackets": ("(", "[", "{", "()", "))", "([", "[{", "(1", "<"),
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
    """One text that is made to be slow."""

    family: str
    name: str
    text: str


def hostile(size: int, mixtures: int, seed: int) -> Iterator[Hostile]:
    """Texts of every family, each of about a size in bytes.

    Args:
        size: bytes of UTF-8.
        mixtures: random texts besides.
        seed: of those.
    """
    for family, units in _UNITS.items():
        for unit in units:
            yield Hostile(family, ascii(unit), _cut(unit * (size // len(unit.encode()) + 1), size))
    yield from _built(size, seed)
    rng = random.Random(seed)  # noqa: S311 - nothing is kept secret with it
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


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def bench_hostile(size: int, mixtures: int, seed: int, extractor: Extractor, progress: Progress) -> dict[str, Any]:
    """CPU time of one event with each hostile text, in the forms in which a text can come.

    Args:
        size: bytes of each text.
        mixtures: random texts besides the families.
        seed: of the random texts.
        extractor: as it ships.
        progress: told what is measured.
    """
    _measure(extractor, Hostile("", "", "warm up, Marcus Thorne: a@b.co 4111 1111 1111 1111 call +1 212-555-0100 %41"))
    rows = []
    with quiet():
        for one in hostile(size, mixtures, seed):
            progress(f"{one.family}: {one.name}")
            rows.append((_measure(extractor, one), one))
    rows.sort(key=lambda row: -row[0][0])
    costs = [cost for (cost, _), _ in rows]
    return {
        "machine": machine(),
        "versions": versions(),
        "bytes": size,
        "texts": len(rows),
        "reference_ms": _reference(),
        "ms": {"max": round(max(costs), 1), "median": round(statistics.median(costs), 1)},
        "over": sum(cost > TARGET_MS for cost in costs),
        "slowest": [
            {"family": one.family, "text": one.name, "ms": round(cost, 1), "answer": answer}
            for (cost, answer), one in rows[:20]
        ],
        "target": {"name": "slowest event", "at_most": TARGET_MS, "measured": round(max(costs), 1)},
    }


def _measure(extractor: Extractor, one: Hostile) -> tuple[float, str]:
    """Milliseconds, and what came of it."""
    payload = ToolResult("t", "c", one.text) if one.family == "nesting" else UserMessage(one.text)
    return min(_once(extractor, event_of(payload)) for _ in range(2))


def _once(extractor: Extractor, event: AgentEvent) -> tuple[float, str]:
    if isinstance(extractor, Pipeline):
        extractor.forget()  # a text that was never seen before: the second try is as new as the first
    start = thread_time()
    extraction = extractor.extract(event, _PATIENT)
    cost = (thread_time() - start) * 1_000
    return cost, extraction.status_reason or f"{len(extraction.findings)} findings"


def _reference() -> float:
    """Milliseconds that 100,000 additions take here and now, to set other machines' figures beside."""
    costs = []
    for _ in range(5):
        start = thread_time()
        total = 0
        for number in range(100_000):
            total += number
        costs.append((thread_time() - start) * 1_000)
    return round(min(costs), 2)
