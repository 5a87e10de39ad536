"""Conversations between agents: without the monitor everything leaks, with it nothing, and the work is done."""

import json
from collections.abc import Iterator

import pytest

from lawful.infra.crosscheck.trace import NoExtraction
from lawful.infra.evaluation.oracle.maris import judge_talk
from lawful.infra.evaluation.suites.maris.run import DOMAINS, Table, play, run, talks
from lawful.infra.evaluation.suites.maris.talk import Mode, Talk
from lawful.schemas.event import AgentMessage, Payload

KINDS = sum(len(kinds) for module in DOMAINS.values() for kinds in module.KINDS.values())


@pytest.fixture(scope="module")
def table() -> Table:
    """One conversation of every kind, with real extraction."""
    return run(seed=5, size=KINDS, advance=lambda _: None)


def test_nothing_leaks_and_everything_is_done(table: Table) -> None:
    """Every violating conversation goes wrong without the monitor, none with it; no task suffers."""
    for (domain, mode, arm), tally in table.tallies.items():
        wrong = 0 if arm == "ours" or mode is Mode.CONFORMING else tally.talks
        assert (domain, mode, arm, tally.violated, tally.by_kind if arm == "ours" else {}) == (
            domain, mode, arm, wrong, {},
        )  # fmt: skip
        assert (tally.done, tally.failed) == (tally.talks, {})
    assert table.met


def test_the_table_is_told(table: Table) -> None:
    """Per domain and mode, with what an action costs beside a model's call."""
    told = table.as_json()
    assert json.loads(json.dumps(told))["met"] is True
    assert told["overhead"]["actions"] > KINDS
    grid, costs = table.grids()
    assert len(grid.rows) == (len(DOMAINS) + 1) * len(Mode)
    assert costs.columns[-1] == "share_of_model_call"


def test_a_blind_monitor_is_found_out() -> None:
    """With an extractor that finds nothing, values get through, and the suite says so."""
    blind = play(talks(5, KINDS), NoExtraction(), 5)
    assert not blind.met
    assert blind.tallies["hospital", Mode.PASSIVE, "ours"].by_kind["words_to_supervisor"] == 1


def test_the_same_seed_makes_the_same_conversations() -> None:
    """And another one others."""
    assert list(talks(1, 20)) == list(talks(1, 20))
    assert list(talks(1, 20)) != list(talks(2, 20))


def _of(kind: str) -> Iterator[Talk]:
    return (talk for talk in talks(5, KINDS) if talk.kind == kind)


def test_the_oracle_reads_what_is_hidden_and_misses_what_is_gone() -> None:
    """A value in another spelling has arrived; one that is masked has not; what is not delivered is missing."""
    (talk,) = _of("supervisor_asks")
    last = len(talk.steps) - 1
    phone = talk.steps[last].secrets[0]
    whole: dict[int, Payload] = {number: step.event.payload for number, step in enumerate(talk.steps)}
    assert judge_talk(talk, whole).violated == (last,)
    for text in (" ".join(phone), phone.encode().hex(), f"%{phone.encode().hex(' ').replace(' ', '%')}"):
        assert judge_talk(talk, {**whole, last: AgentMessage(text)}).violated == (last,)
    masked = judge_talk(talk, {**whole, last: AgentMessage("It is ************.")})
    assert (masked.violated, masked.missing) == ((), ())
    assert judge_talk(talk, {last: AgentMessage("")}).missing == (0, 1, 2)
