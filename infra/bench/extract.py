"""The cost and the accuracy of extraction, ours and default Presidio's, on the same texts in one run.

Both take turns on every portion of texts, in processes of their own, and a ratio is the median of the portions'
ratios, so that a busy moment of the machine decides nothing. Texts are from the held-out half of our corpus, never
the same one twice: nothing is remembered from before.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from lawful.extractors.port import Extractor
from lawful.extractors.presidio.default import DefaultPresidio
from lawful.infra.bench.lasting import Spent, lasting, portions
from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.reading import WHOLE, Turn, extract_all, turns
from lawful.infra.corpus.generate import LANGUAGES, Part, corpus
from lawful.infra.corpus.kinds import OTHERS
from lawful.infra.corpus.template import Sample
from lawful.infra.scoring.evaluate import OURS, THEIRS, evaluate
from lawful.infra.scoring.readers import Reader, our_extractor, ours, presidio
from lawful.infra.scoring.score import ALL, Score, better, right
from lawful.infra.scoring.templates import NotInstalled, personal_only, sentences
from lawful.schemas.event import AgentEvent, Payload

Progress = Callable[[str], None]

BATCH: Final = 64
_TURN: Final = 75  # events
_BATCHES: Final = 4
_TARGETS: Final = (("stream", 12.0), ("messages", 7.0))


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        texts: messages, and tool calls, of each round.
        stream: events of the mixed stream.
        rounds: with other texts in each.
        samples: of the held-out half, for recall and precision.
        events: through ours alone, for CPU per event and memory; 0: none.
        templates: sentences of presidio-evaluator; 0: none.
    """

    texts: int = 300
    stream: int = 2_000
    rounds: int = 3
    samples: int = 1_000
    events: int = 20_000
    templates: int = 0
    seed: int = 1


def bench_extract(size: Size, progress: Progress, python: Path | None = None) -> dict[str, Any]:
    """Measure everything, and hold it against the targets.

    Args:
        size: how much.
        progress: told what is being measured.
        python: of an environment that has presidio-evaluator; otherwise one is made for the time.
    """
    progress("loading")
    speed = {}
    with turns() as take:
        for name in ("messages", "calls", "stream"):
            progress(name)
            speed[name] = _speed(name, size, take)
    extractor = our_extractor()
    readers = {OURS: ours(extractor), THEIRS: presidio(DefaultPresidio())}
    progress("recall and precision")
    accuracy: dict[str, Any] = {"held_out": _accuracy(size, readers)}
    accuracy["templates"] = _templates(size, readers, progress, python)
    progress("CPU and memory over many events")
    return {
        "machine": machine(),
        "versions": versions(),
        "size": asdict(size),
        "speed": speed,
        "accuracy": accuracy,
        "lasting": _lasting(size, extractor) if size.events else {"skipped": "--events 0"},
        "targets": [*_speed_targets(speed), *_accuracy_targets(accuracy)],
    }


def _speed(name: str, size: Size, take: Turn) -> dict[str, Any]:
    rounds = size.rounds if name != "stream" else 1
    count = size.stream if name == "stream" else size.texts
    batch = BATCH if name == "stream" else 1
    turn = _BATCHES * BATCH if name == "stream" else _TURN
    readers = (OURS, THEIRS, WHOLE) if name == "calls" else (OURS, THEIRS)
    spent = [
        {reader: take(reader, portion, batch) for reader in readers}
        for number in range(rounds)
        for portion in portions(_payloads(name, count, size.seed * 1_000 + number), turn)
    ]
    mine = sum((each[OURS] for each in spent), Spent())
    ratios = [each[THEIRS].wall / each[OURS].wall for each in spent]
    told = {
        "events": count * rounds,
        "batch": batch,
        "portions": len(spent),
        "ratio": round(statistics.median(ratios), 2),
        "quartiles": [round(each, 2) for each in _quartiles(ratios)],
        "ratio_of_sums": round(sum(each[THEIRS].wall for each in spent) / mine.wall, 2),
        "ratio_cpu": round(statistics.median(each[THEIRS].cpu / each[OURS].cpu for each in spent), 2),
        "ours_ms_per_event": round(1_000 * mine.wall / (count * rounds), 3),
        "ours_cpu_ms_per_event": round(1_000 * mine.cpu / (count * rounds), 3),
    }
    if WHOLE in readers:
        found = statistics.median(each[WHOLE].wall / each[OURS].wall for each in spent)
        told["ratio_to_presidio_on_whole_json"] = round(found, 2)
    return told


def _quartiles(found: Sequence[float]) -> tuple[float, float]:
    """The first and the third."""
    first, _, third = statistics.quantiles(found, n=4) if len(found) > 1 else [*found] * 3
    return first, third


def _payloads(name: str, count: int, seed: int) -> list[Payload]:
    """As many payloads of a kind as asked for."""
    wanted = {"messages": {"message"}, "calls": {"call", "result"}}.get(name)
    return list(islice((one.payload for one in _endless(seed) if wanted is None or one.form in wanted), count))


def _endless(seed: int) -> Iterator[Sample]:
    number = 0
    while True:
        yield from corpus(Part.HELD_OUT, 500, seed * 1_000_003 + number, LANGUAGES)
        number += 1


def _accuracy(size: Size, readers: dict[str, Reader]) -> dict[str, Any]:
    samples = corpus(Part.HELD_OUT, size.samples, size.seed)
    found = evaluate(samples, readers, lambda _: None)
    return {name: found["readers"][name][ALL] for name in readers} | {"better": found["better"]}


def _templates(size: Size, readers: dict[str, Reader], progress: Progress, python: Path | None) -> dict[str, Any]:
    if not size.templates:
        return {"skipped": "not asked for: --templates COUNT makes an environment of one gigabyte for it"}
    progress("presidio-evaluator's templates")
    try:
        samples = sentences(size.seed, size.templates, python)
    except NotInstalled as reason:
        return {"skipped": str(reason)}
    scores = {view: {name: Score() for name in readers} for view in ("all_labels", "personal")}
    for sample in samples:
        impersonal = [label for label in sample.labels if label.kind in OTHERS]
        for name, reader in readers.items():
            hits = reader(sample.payload)
            scores["all_labels"][name].add(sample, hits)
            scores["personal"][name].add(personal_only(sample), [hit for hit in hits if not right(hit, impersonal)])
    told = {view: {name: one.overall.as_dict() for name, one in each.items()} for view, each in scores.items()}
    return {
        "sentences": len(samples),
        **{view: {**each, "better": better(each[OURS], each[THEIRS])} for view, each in told.items()},
    }


def _lasting(size: Size, extractor: Extractor) -> dict[str, Any]:
    def read(events: Sequence[AgentEvent]) -> None:
        extract_all(extractor, events, BATCH)

    return lasting((one.payload for one in _endless(size.seed + 77)), size.events, read)


def _speed_targets(speed: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, wanted in _TARGETS:
        measured = speed[name]["ratio"]
        yield {
            "name": f"{name}: times default Presidio",
            "at_least": wanted,
            "measured": measured,
            "met": measured >= wanted,
        }


def _accuracy_targets(accuracy: dict[str, Any]) -> Iterator[dict[str, Any]]:
    held_out = accuracy["held_out"]
    yield {"name": "held out: recall and precision better", "met": held_out["better"][ALL]}
    if "personal" in accuracy["templates"]:
        yield {"name": "templates: recall and precision better", "met": accuracy["templates"]["personal"]["better"]}
