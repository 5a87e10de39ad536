"""Whatever a detector does, its worker goes on."""

import signal
import threading

from lawful.extractors.port import Extraction, ExtractionSpec, Limits
from lawful.schemas.event import AgentEvent, UserMessage
from lawful.schemas.view import ExtractionStatus
from lawful.streams.limiting import OVERTIME, Limited
from tests.streams.kit import ADA, make_event

SOON = ExtractionSpec(limits=Limits(extraction_ms=1))


class Detector:
    """Hangs on one text, and swallows on another whatever interrupts it."""

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """Returns, or not."""
        text = getattr(event.payload, "text", "")
        while text == "hang":
            pass
        while text == "stubborn":
            try:
                while True:
                    pass
            except Exception:  # noqa: BLE001, S112 - that is what is wrong with it
                continue
        return Extraction()


def test_a_detector_that_hangs_is_interrupted_and_its_event_could_not_be_searched() -> None:
    """The status says so, and the next event is searched as ever."""
    limited = Limited(Detector())
    for text in ("hang", "stubborn"):
        done = limited.extract(make_event(UserMessage(text), ADA), SOON)
        assert (done.status, done.status_reason) == (ExtractionStatus.TIMEOUT, OVERTIME)
    assert limited.extract(make_event(UserMessage("hello"), ADA), SOON) == Extraction()


def test_it_leaves_no_timer_and_no_handler_behind() -> None:
    """What else uses the alarm is as it was."""
    before = signal.getsignal(signal.SIGALRM)
    Limited(Detector()).extract(make_event(UserMessage("hello"), ADA), SOON)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_on_other_threads_it_is_as_it_was() -> None:
    """Only a main thread can be interrupted."""
    found: list[Extraction] = []
    limited = Limited(Detector())
    thread = threading.Thread(target=lambda: found.append(limited.extract(make_event(UserMessage("hello"), ADA), SOON)))
    thread.start()
    thread.join()
    assert found == [Extraction()]
