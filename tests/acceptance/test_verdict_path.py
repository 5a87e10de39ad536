"""The way to a verdict when something on it is missing, killed, wrong or asked for what it must not tell."""

import contextlib
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.client import Blocked, Guard
from lawful.client.kafka import KafkaTransport
from lawful.infra.engines.leave_group import leave_group
from lawful.infra.engines.ports import free_port
from lawful.infra.engines.process import ChildProcess, EngineFailed
from lawful.schemas.audit import AuditRecord, DeadLetter
from lawful.schemas.codec import decode
from lawful.schemas.event import Identifier, UserMessage
from lawful.schemas.verdict import Decision, Verdict
from tests.acceptance.house import TENANT, House
from tests.acceptance.small_main import BUGS, SECRET
from tests.engines import eventually, installed_on_every_broker
from tests.streams.kit import reasons

LISTEN = "0A"
MISSPELT = """
id: shop
version: "1"
controller: {name: Shop}
purposes:
  marketing: {legal_basis: consent, necessary: [user.contact.email]}
tools:
  send_mail: {purposes: [marketng]}
"""
WORKERS = ("worker-1", "worker-2")


@contextlib.contextmanager
def frozen(house: House) -> Iterator[None]:
    """No worker does anything meanwhile."""
    for name in WORKERS:
        os.kill(house.pid(name), signal.SIGSTOP)
    try:
        yield
    finally:
        for name in WORKERS:
            os.kill(house.pid(name), signal.SIGCONT)


def test_without_a_worker_the_guard_blocks_and_a_late_verdict_is_credited_to_nobody(
    house: House, guard: Guard, someone: Identifier
) -> None:
    """A23: no verdict by the deadline is a block and audited; the late one is logged as late; the next gets its own."""
    calls: list[str] = []
    hasty = house.guard(deadline_ms=300)
    guard.check(UserMessage("hello"), subject=someone)
    with frozen(house), hasty.session(subject=someone) as session, pytest.raises(Blocked) as caught:
        session.call("find_user_id_by_email", calls.append, email=someone.value)
    event_id = caught.value.verdict.event_id
    assert caught.value.reason == "no_verdict"
    assert not calls
    rows = {row["kind"]: row for row in house.rows(event_id, "no_verdict", "late_verdict", "verdict")}
    assert set(rows) == {"no_verdict", "late_verdict", "verdict"}
    assert (rows["no_verdict"]["decision"], rows["no_verdict"]["guard_reason"]) == ("block", "deadline")
    assert rows["no_verdict"]["waited_ms"] >= 300
    assert rows["late_verdict"]["decision"] == "none"
    event = house.event(UserMessage("hello again"), someone)
    assert guard.check(event).event_id == event.event_id


def test_without_a_broker_the_guard_blocks_and_tells_later(house: House, someone: Identifier, tmp_path: Path) -> None:
    """A23: where no broker answers, nothing happens, and the block is audited as soon as there is one again."""
    calls: list[str] = []
    people, spool = house.settings.pseudonymiser(), tmp_path / "spool"
    away = KafkaTransport(f"127.0.0.1:{free_port()}", people, topics=house.topics, spool=spool)
    with (
        Guard(away, agent="bot", tenant=TENANT, deadline_ms=200) as guard,
        guard.session(subject=someone) as session,
        pytest.raises(Blocked, match="no_verdict") as caught,
    ):
        session.call("find_user_id_by_email", calls.append, email=someone.value)
    assert not calls
    assert someone.value.encode() not in spool.read_bytes()
    back = KafkaTransport(house.settings.kafka.librdkafka(), people, topics=house.topics, spool=spool)
    back.submit(house.event(UserMessage("hello"), someone)).result(timeout=40)
    (row,) = house.rows(caught.value.verdict.event_id, "no_verdict")
    assert (row["decision"], row["guard_reason"]) == ("block", "deadline")
    back.close()


@installed_on_every_broker
@pytest.mark.timeout(300)
def test_kill_9_and_a_rebalance_leave_one_verdict_per_event(house: House) -> None:
    """A24: a worker killed in mid-batch, its partitions handed over and back: one verdict and one row per event."""
    events = [
        house.event(UserMessage(f"hello {n}"), Identifier("customer_id", f"kill_nine_{n:04}")) for n in range(120)
    ]
    waiting = [house.transport.submit(event) for event in events]
    eventually(lambda: sum(each.done() for each in waiting) >= 20, pause=0.001)
    house.processes["worker-2"].kill()
    assert leave_group(house.settings.kafka.bootstrap, house.topics.app_id, "worker-2")
    waiting += [house.transport.submit(event) for event in events[:10]]  # a producer's retry
    back = house.process("worker-2")
    verdicts = [each.result(timeout=60) for each in waiting]
    back.start()
    assert {verdict.decision for verdict in verdicts} == {Decision.FORWARD}
    ids = [event.event_id for event in events]
    counted = "SELECT count() AS n, uniqExact(event_id) AS u FROM audit WHERE event_id IN {ids:Array(String)}"
    eventually(lambda: house.ask(counted, ids=ids) == [{"n": len(ids), "u": len(ids)}], pause=0.1)
    found: dict[str, set[bytes]] = {event_id: set() for event_id in ids}
    for record in house.records(house.topics.verdicts):
        value = record.value() or b""
        found.setdefault(decode(value, Verdict).event_id, set()).add(value)
    assert [len(found[event_id]) for event_id in ids] == [1] * len(ids)
    assert house.ask(counted, ids=ids) == [{"n": len(ids), "u": len(ids)}]


@pytest.fixture
def small(bare: House) -> House:
    """An installation with one worker that has bugs."""
    bare.spawn("worker-1", module="tests.acceptance.small_main")
    return bare


def test_a_bug_of_ours_blocks_that_event_and_leaves_one_dead_letter(small: House, someone: Identifier) -> None:
    """A25: our own code raises in any stage: an explicit block, one dead letter, and the next event is judged."""
    people = (someone, Identifier("email", f"q{someone.value}"))
    events = {bug: small.event(UserMessage("hello"), *people[: 1 + ("combine" in bug)], agent_id=bug) for bug in BUGS}
    verdicts = {bug: small.asked(event) for bug, event in events.items()}
    after = small.asked(small.event(UserMessage("hello"), *people))
    assert after.decision is Decision.FORWARD
    assert {verdict.decision for verdict in verdicts.values()} == {Decision.BLOCK}
    assert {violation.rule for verdict in verdicts.values() for violation in verdict.violations} == {"error"}
    letters = small.read(small.topics.dead_letters, DeadLetter)
    assert {letter.reason for letter in letters} == {"exception"}
    assert all("KeyError" in letter.error and letter.answered for letter in letters)
    expected = {"annotate": small.topics.events, "combine": small.topics.partials}
    places = sorted(expected.get(bug.split()[-1], small.topics.annotated) for bug in BUGS)
    # The event about two people meets the last bug with each of its shares.
    assert sorted({(letter.topic, letter.partition, letter.offset): letter.topic for letter in letters}.values()) == (
        sorted([*places, small.topics.partials])
    )
    assert len(letters) == len(places) + 1
    told = "".join([small.said("worker-1"), repr(letters), repr(verdicts)])
    assert SECRET not in told
    audited = [record.verdict for record in small.read(small.topics.audit, AuditRecord)]
    assert {v.event_id for v in verdicts.values()} <= {v.event_id for v in audited}


def test_a_worker_without_a_readable_policy_does_not_start(bare: House, tmp_path: Path) -> None:
    """A26: with no policy, or one that cannot be read, a worker refuses to start, says why, and answers nothing."""
    cases = {
        "empty": ("", "there is no policy at all"),
        "broken": ("id: shopper\nversion: [", "policy.yaml:"),
        "misspelt": (MISSPELT, "did you mean 'marketing'"),
    }
    bare.publish(bare.event(UserMessage("hello")))
    workers = {}
    for name, (text, _) in cases.items():
        folder = tmp_path / name / "policies"
        folder.mkdir(parents=True)
        if text:
            (folder / "policy.yaml").write_text(text, encoding="utf-8")
        workers[name] = bare.process(name, policies_dir=str(folder))

    def refused(worker: ChildProcess) -> bool:
        with pytest.raises(EngineFailed):
            worker.start()
        return worker.returncode == Exit.FAULT

    with ThreadPoolExecutor(3) as pool:
        assert all(pool.map(refused, workers.values()))
    assert all(said in bare.said(name) for name, (_, said) in cases.items())
    assert bare.records(bare.topics.annotated, bare.topics.verdicts) == []


def test_an_event_under_a_policy_that_is_not_loaded_is_blocked(house: House, someone: Identifier) -> None:
    """A26: an unknown policy never means that all is allowed."""
    verdict = house.asked(house.event(UserMessage("hello"), someone, policy_id="no-such-policy"))
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"unknown_policy"})
    assert verdict.policy_id == ""


def test_no_process_of_ours_listens(house: House, guard: Guard, someone: Identifier) -> None:
    """A27: workers and audit writer have no listening socket, so nobody can ask them for their tables."""
    guard.check(UserMessage("hello"), subject=someone)
    for name, process in house.processes.items():
        assert process.alive, name
        mine = sockets(house.pid(name))
        assert mine, "a worker talks to its broker"
        assert not listening(house.pid(name)) & mine, name


def sockets(pid: int) -> set[str]:
    """The sockets that a process has open."""
    found = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # closed meanwhile
            found.add(str(link.readlink()))
    return {name for name in found if name.startswith("socket:")}


def listening(pid: int) -> set[str]:
    """All listening TCP sockets that a process can see, as its open files name them."""
    return {f"socket:[{row[9]}]" for row in listeners(f"/proc/{pid}/net")}


def listeners(folder: str) -> list[list[str]]:
    """The kernel's rows about sockets that listen, over IPv4 and IPv6."""
    tables = [Path(folder) / table for table in ("tcp", "tcp6")]
    rows = [line.split() for table in tables if table.exists() for line in table.read_text("ascii").splitlines()[1:]]
    return [row for row in rows if row[3] == LISTEN]


def test_the_check_for_listeners_can_fail(house: House) -> None:
    """A27: the broker, which does listen, is seen to."""
    port = f":{int(house.settings.kafka.bootstrap.rpartition(':')[2]):04X}"
    assert any(row[1].endswith(port) for row in listeners("/proc/net"))
