"""Has verdicts looked at by auditors, beside the event loop and within a time.

Sentries are drawn by a keyed hash; they are asked at once, and if any of them doubts, is late or
fails, so are all the others. The vote itself is counted in `lawful.policies.auditing`.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Final

from lawful.policies.auditing import Auditor, Ballot, Brief, Opinion, doubtful, draw, settle
from lawful.policies.auditing.sentries import LEAST_KEY, commitment, terms_of
from lawful.policies.judge import FACT_KINDS
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.verdict import Decision, Partial, Verdict, Violation
from lawful.schemas.view import View
from lawful.streams.effects import Send
from lawful.streams.outgoing import Outgoing
from lawful.streams.seats import Seat

log = logging.getLogger(__name__)

AT_ONCE: Final = 16
"""So many verdicts are before the auditors at once; more wait in Kafka."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelOptions:
    """How auditors are asked.

    Attributes:
        sentries: how many are drawn for each event.
        key: what they are drawn with, at least 32 random bytes.
        timeout: seconds for the sentries, and again for the others; who is late is a doubt.
    """

    sentries: int
    key: bytes
    timeout: float = 0.25


class Panel:
    """The pool of auditors, each on a thread of its own. Safe to share by threads.

    Args:
        auditors: with different names.
        options: how they are asked.
        told: called with every verdict that was looked at; must be quick.

    Raises:
        ConfigurationError: two have one name, there are fewer than sentries, or the key is short.
    """

    def __init__(
        self, auditors: Sequence[Auditor], options: PanelOptions, told: Callable[[Verdict], None] = lambda _: None
    ) -> None:
        _check(auditors, options)
        self._auditors = {each.name: each for each in auditors}
        self._seats: dict[str, Seat[Brief, object]] = {each.name: Seat(each.name, each.ask) for each in auditors}
        self._options = options
        self._told = told
        self._desk = ThreadPoolExecutor(AT_ONCE, "lawful-auditing")

    @property
    def terms(self) -> str:
        """How many are drawn, and of whom."""
        return terms_of(self._auditors, self._options.sentries)

    @property
    def commitment(self) -> str:
        """What has to be in the audit before the first vote."""
        return commitment(self._options.key, self.terms)

    def submit(self, brief: Brief) -> "Future[Verdict]":
        """Has a verdict looked at, in the background."""
        return self._desk.submit(self.audit, brief)

    def audit(self, brief: Brief) -> Verdict:
        """The verdict after the vote: with all votes in it, and never milder. Never raises.

        Takes the timeout twice at most.
        """
        try:
            verdict = self._audited(brief)
        except Exception as error:  # noqa: BLE001 - fail closed: what could not be looked at does not pass
            log.error("%s: the auditors could not be asked: %s", brief.view.event_id, type(error).__name__)  # noqa: TRY400
            verdict = unaudited(brief.verdict)
        self._told(verdict)
        return verdict

    def _audited(self, brief: Brief) -> Verdict:
        view = brief.view
        names = draw(self._options.key, view.tenant_id, view.event_id, list(self._auditors), self._options.sentries)
        ballots = list(self._ask(names, brief, sentry=True))
        if doubtful(brief.verdict, ballots):
            ballots += self._ask([name for name in self._auditors if name not in names], brief, sentry=False)
        return settle(brief.verdict, ballots, view.part)

    def _ask(self, names: Iterable[str], brief: Brief, *, sentry: bool) -> Iterator[Ballot]:
        end = time.monotonic() + self._options.timeout
        asked = [(self._auditors[name], self._seats[name].ask(brief)) for name in names]
        wait([future for _, future in asked if future is not None], max(0.0, end - time.monotonic()))
        for auditor, future in asked:
            opinion, trouble = _heard(future)
            yield Ballot(auditor.name, auditor.version, sentry, opinion, trouble)

    def close(self) -> None:
        """Asks nobody any more."""
        self._desk.shutdown(wait=False, cancel_futures=True)


def _heard(future: "Future[object] | None") -> tuple[Opinion | None, str]:
    """What an auditor answered, or why there is no answer."""
    if future is None:
        return None, "busy"
    if not future.done():
        future.cancel()
        return None, "late"
    if future.exception() is not None:
        return None, "failed"
    opinion = future.result()
    fine = isinstance(opinion, Opinion) and isinstance(opinion.decision, Decision)
    return (opinion, "") if fine and isinstance(opinion, Opinion) else (None, "unreadable")


def _check(auditors: Sequence[Auditor], options: PanelOptions) -> None:
    names = [each.name for each in auditors]
    if len(set(names)) < len(names):
        raise ConfigurationError("two auditors have one name", hint="name each of the pool once")
    if not 1 <= options.sentries <= len(names):
        raise ConfigurationError(
            f"{options.sentries} sentries cannot be drawn from {len(names)} auditors",
            hint="set auditors.sentries to at most the size of auditors.pool",
        )
    if len(options.key) < LEAST_KEY:
        raise ConfigurationError(
            f"the key that sentries are drawn with has {len(options.key)} bytes, fewer than {LEAST_KEY}",
            hint="make one with `openssl rand -hex 32` and name its file in LAWFUL_AUDITORS_KEY_FILE",
        )


def auditable(view: View, verdict: Verdict) -> bool:
    """Whether auditors have a say: on what agents do, unless it is blocked already.

    People's consents and requests are theirs, and nobody votes on them.
    """
    mine = view.heavy and view.slice is None and view.acted is None and view.kind not in FACT_KINDS
    return mine and verdict.decision is not Decision.BLOCK


def unaudited(verdict: Verdict) -> Verdict:
    """The block of a verdict that should have been looked at and was not."""
    trouble = Violation("auditors", "auditors_failed", Decision.BLOCK, "the auditors could not be asked")
    return replace(
        verdict,
        decision=Decision.BLOCK,
        violations=(*verdict.violations, trouble),
        obligations=(),
        outcome=None,
        exceptions=(),
    )


def put_before(panel: Panel, brief: Brief, share: Partial, out: Outgoing) -> "Future[tuple[Send, ...]]":
    """Has a share's verdict looked at; gives the records that then go out."""
    audited = panel.submit(brief)
    later: Future[tuple[Send, ...]] = Future()

    def send(done: "Future[Verdict]") -> None:
        verdict = unaudited(share.verdict) if done.cancelled() or done.exception() else done.result()
        later.set_result(out.emit(replace(share, verdict=verdict)))

    audited.add_done_callback(send)
    return later
