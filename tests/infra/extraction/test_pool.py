"""Extraction in processes: order, company, and what happens to an event that hangs."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lawful.extractors.port import Extraction, ExtractionSpec, Extractor, Limits, extract_each
from lawful.infra.extraction import pool as module
from lawful.infra.extraction.frames import Late, Reader, pack, send
from lawful.infra.extraction.pool import CRASHED, HUNG, ExtractorPool
from lawful.policies.load import load_pack, pack_names
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import UserMessage
from lawful.schemas.view import ExtractionStatus
from lawful.streams.specs import make_spec
from tests.engines import eventually
from tests.extractors.support import SPEC, event
from tests.infra.extraction import scripted

QUICK = ExtractionSpec(limits=Limits(extraction_ms=100))


@pytest.fixture(scope="module")
def pool() -> Iterator[ExtractorPool]:
    """Two processes with a scripted extractor."""
    with closing(ExtractorPool(scripted.scripted, 2, spare=0.2)) as given:
        yield given


def read(pool: Extractor, *texts: str, spec: ExtractionSpec = QUICK) -> list[Extraction]:
    """What is found in some messages at once."""
    return list(extract_each(pool, [(event(UserMessage(text)), spec) for text in texts]))


def lengths(extractions: list[Extraction]) -> list[object]:
    """How long each text was, or what went wrong."""
    return [one.findings[0].end if one.findings else one.status_reason for one in extractions]


def test_answers_come_in_order_from_both_processes(pool: ExtractorPool) -> None:
    """A batch is shared out, and put together again as it was."""
    found = read(pool, *("x" * number for number in range(1, 10)), spec=SPEC)
    assert lengths(found) == list(range(1, 10))
    assert len({one.findings[0].detector_version for one in found}) == 2
    assert read(pool) == []


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["hang"], ["extraction_hung"]),
        (["crash"], ["extraction_crashed"]),
        (["raise"], ["extraction_crashed"]),
        (["a", "b", "c", "hang"], [1, 1, 1, "extraction_hung"]),
        (["hang", "b", "c", "d"], ["extraction_hung", 1, 1, 1]),
        (["a", "b", "hang", "d"], [1, 1, "extraction_hung", 1]),
        (["a", "crash", "c", "crash"], [1, "extraction_crashed", 1, "extraction_crashed"]),
        (["crash", "crash", "hang", "d"], ["extraction_crashed", "extraction_crashed", "extraction_hung", 1]),
    ],
)
def test_one_event_costs_itself_and_nothing_else(pool: ExtractorPool, texts: list[str], expected: list[object]) -> None:
    """A21: what hangs or crashes is without findings; all before, beside and behind it are answered."""
    assert lengths(read(pool, *texts)) == expected
    assert lengths(read(pool, "after")) == [5]


def test_what_went_wrong_fails_closed_and_says_nothing_of_the_text() -> None:
    """A21: the policy sees a time-out or a failure, by default a block."""
    assert (HUNG.status, CRASHED.status) == (ExtractionStatus.TIMEOUT, ExtractionStatus.FAILED)
    assert HUNG.findings == CRASHED.findings == ()


def test_what_went_wrong_still_says_what_the_event_is_for(pool: ExtractorPool) -> None:
    """Purposes need no detector: the audit has them also where nothing could be read."""
    (hung,) = read(pool, "hang", spec=replace(QUICK, message_purposes=("support",)))
    assert [claim.purpose for claim in hung.purposes] == ["support"]


def test_a_process_that_was_killed_from_outside_is_replaced(pool: ExtractorPool) -> None:
    """The event that it had fails; the next one is answered by another process."""
    (before,) = read(pool, "x", spec=SPEC)
    os.kill(int(before.findings[0].detector_version), 9)
    found = [read(pool, "x", spec=SPEC)[0] for _ in range(4)]
    assert sum(one == CRASHED for one in found) <= 1
    assert before.findings[0].detector_version not in {
        one.findings[0].detector_version for one in found if one.findings
    }


def test_threads_share_it(pool: ExtractorPool) -> None:
    """A20: everybody gets the answer to their own question."""
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda number: read(pool, "x" * number, spec=SPEC), range(1, 41)))
    assert [lengths(each) for each in found] == [[number] for number in range(1, 41)]


def test_processes_are_replaced_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever leaks is let go."""
    monkeypatch.setattr(module, "_EVENTS", 3)
    with closing(ExtractorPool(scripted.scripted)) as one:
        pids = [read(one, "x", spec=SPEC)[0].findings[0].detector_version for _ in range(7)]
    assert len(set(pids)) == 3
    assert pids[0] == pids[2] != pids[3]


def test_the_one_that_forks_is_replaced_too() -> None:
    """Where even the mother is gone, one event fails, and she is started again."""
    with closing(ExtractorPool(scripted.scripted)) as one:
        one._mother._process.kill()
        one._mother._process.wait()
        assert lengths(read(one, "x", spec=SPEC)) == ["extraction_crashed"]
        assert lengths(read(one, "x", spec=SPEC)) == [1]


def test_when_the_worker_is_gone_so_are_they() -> None:
    """Nobody is left behind, whatever they were doing."""
    one = ExtractorPool(scripted.scripted)
    (found,) = read(one, "x", spec=SPEC)
    pid = int(found.findings[0].detector_version)
    one.close()
    eventually(lambda: not Path(f"/proc/{pid}").exists())


@pytest.mark.parametrize(("build", "message"), [(scripted.unbuildable, "no such model"), (scripted.crashing, "start")])
def test_an_extractor_that_cannot_be_built_stops_the_start(build: object, message: str) -> None:
    """The reason is told, and no text of an error that is not ours."""
    with pytest.raises(ConfigurationError, match=message) as caught:
        ExtractorPool(build)  # type: ignore[arg-type] # a column of the table
    assert "jane" not in str(caught.value)


def test_the_real_extractor_finds_there_what_it_finds_here() -> None:
    """Events, specs and findings survive the way; many specs are told apart."""
    text = "I'm Yusuf Rossi, born on 1985-03-15; write to yusuf@example.com. I was diagnosed with diabetes."
    specs = [replace(make_spec(load_pack(name)), limits=SPEC.limits) for name in pack_names()]
    jobs = [(event(UserMessage(text)), spec) for spec in specs]
    jobs += [(event(UserMessage(f"{text} {number}")), specs[number % len(specs)]) for number in range(20)]
    extractor = scripted.real()
    with closing(ExtractorPool(scripted.real)) as one:
        assert list(one.extract_each(jobs)) == [extractor.extract(*job) for job in jobs]
        assert one.extract(*jobs[0]) == extractor.extract(*jobs[0])


def test_frames_wait_only_so_long() -> None:
    """A reader gives up, and a sender too."""
    come, go = os.pipe()
    with pytest.raises(Late):
        Reader(come).next(0.01)
    os.set_blocking(go, False)
    with pytest.raises((Late, BlockingIOError)):
        send(go, b"x" * 10**7, 0.05)
    os.close(go)
    os.close(come)


def test_a_reader_tells_when_the_other_end_is_gone() -> None:
    """Half a frame is none."""
    come, go = os.pipe()
    os.write(go, pack("x")[:-1])
    os.close(go)
    with pytest.raises(EOFError):
        Reader(come).next(1)
    os.close(come)
