"""The denier: answers, limits, and a fresh process after each failure."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lawful.infra.denier import RegoDenier
from lawful.policies.model import RegoRules
from lawful.policies.rego.denying import Denial, DenierFailed
from lawful.schemas.errors import ConfigurationError
from tests.policies.samples import policy

MODULE = """package user
import rego.v1

deny contains {"reason": "mailed", "message": sprintf("offset %d", [input.at])} if input.tool == "mail"
deny contains {"reason": "endless", "message": "x"} if {
    input.tool == "endless"
    some a in numbers.range(1, 2000)
    some b in numbers.range(1, 2000)
    some c in numbers.range(1, 2000)
    a + b + c == 0
}
deny contains {"reason": "hog", "message": "x"} if {
    input.tool == "hog"
    count([[a, b] | some a in numbers.range(1, 5000); some b in numbers.range(1, 5000)]) > 0
}
deny contains {"reason": "faulty", "message": "x"} if {
    input.tool == "faulty"
    1 / input.zero == 1
}
deny contains {"reason": "chatty", "message": "x"} if {
    input.tool == "chatty"
    print("[]")
}
deny contains input.odd if input.tool == "odd"
"""
RULES = RegoRules((("deny.rego", MODULE),), ("data.user.deny",), limit_ms=10_000, memory_mb=128)
BRISK = replace(RULES, limit_ms=200)
MAIL = '{"tool": "mail", "at": 3}'
QUIET = '{"tool": "none"}'


@pytest.fixture
def denier() -> Iterator[RegoDenier]:
    """A denier whose children end with the test."""
    made = RegoDenier()
    yield made
    made.close()


def reason(denier: RegoDenier, rules: RegoRules, document: str) -> str:
    """Why there is no answer."""
    with pytest.raises(DenierFailed) as raised:
        denier.deny(rules, document)
    return raised.value.reason


def gone(pid: int) -> bool:
    """Whether a process of ours has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_denial_and_none(denier: RegoDenier) -> None:
    """What the rules say, in the author's words; the same process answers each time."""
    assert denier.deny(RULES, MAIL) == (Denial("mailed", "offset 3"),)
    pid = denier.pid(RULES)
    assert denier.deny(RULES, QUIET) == ()
    assert denier.deny(RULES, MAIL) == (Denial("mailed", "offset 3"),)
    assert denier.pid(RULES) == pid


def test_what_is_printed_is_no_answer(denier: RegoDenier) -> None:
    """Rules may print; it goes nowhere."""
    assert denier.deny(RULES, '{"tool": "chatty"}') == (Denial("chatty", "x"),)


def test_endless_rules_are_killed_and_replaced(denier: RegoDenier) -> None:
    """The event is not answered, its process is gone, and the next event is fine."""
    denier.warm([replace(policy(), rego=BRISK)])
    pid = denier.pid(BRISK)
    assert pid is not None
    began = time.monotonic()
    assert reason(denier, BRISK, '{"tool": "endless"}') == "rego_timeout"
    assert time.monotonic() - began < 5
    assert gone(pid)
    assert denier.deny(replace(BRISK, limit_ms=10_000), QUIET) == ()
    assert reason(denier, BRISK, '{"tool": "endless"}') == "rego_timeout"


def test_memory_is_limited(denier: RegoDenier) -> None:
    """Who takes too much ends; the next event is fine."""
    assert reason(denier, RULES, '{"tool": "hog"}') == "rego_crashed"
    assert denier.deny(RULES, QUIET) == ()


def test_a_killed_child_is_replaced(denier: RegoDenier) -> None:
    """One event is lost to the kill, by a block; no more."""
    denier.deny(RULES, QUIET)
    pid = denier.pid(RULES)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    assert reason(denier, RULES, MAIL) == "rego_crashed"
    assert denier.deny(RULES, MAIL) == (Denial("mailed", "offset 3"),)
    assert denier.pid(RULES) != pid


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ('{"tool": "faulty", "zero": 0}', "rego_failed"),
        ("no JSON", "rego_failed"),
        ('{"tool": "odd", "odd": 3}', "rego_malformed"),
        ('{"tool": "odd", "odd": {"reason": "no", "message": "%s"}}' % ("x" * 300_000), "rego_malformed"),
    ],
)
def test_a_faulty_answer_is_none(denier: RegoDenier, document: str, expected: str) -> None:
    """An error in a rule is no silence, and strange or huge answers are no denials."""
    assert reason(denier, RULES, document) == expected
    assert denier.deny(RULES, QUIET) == ()


def test_each_policy_has_a_process_of_its_own(denier: RegoDenier) -> None:
    """One policy's crash is not another's."""
    other = replace(RULES, memory_mb=129)
    denier.deny(other, QUIET)
    pid = denier.pid(other)
    assert reason(denier, RULES, '{"tool": "hog"}') == "rego_crashed"
    assert denier.pid(other) == pid


def test_threads_take_turns(denier: RegoDenier) -> None:
    """Each gets the answer to its own question."""
    found: dict[int, tuple[Denial, ...]] = {}

    def ask(number: int) -> None:
        found[number] = denier.deny(RULES, f'{{"tool": "mail", "at": {number}}}')

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == {number: (Denial("mailed", f"offset {number}"),) for number in range(8)}


def test_closing_leaves_nothing_behind(denier: RegoDenier) -> None:
    """The process is gone, and closing again does no harm."""
    denier.deny(RULES, QUIET)
    pid = denier.pid(RULES)
    assert pid is not None
    denier.close()
    denier.close()
    assert gone(pid)


def test_modules_that_do_not_load_are_told_at_start(denier: RegoDenier) -> None:
    """A policy whose rules cannot run stops the start, not the first event."""
    broken = replace(RULES, modules=(("deny.rego", "no rego"),))
    with pytest.raises(ConfigurationError, match="do not start"):
        denier.warm([replace(policy(), rego=broken)])
