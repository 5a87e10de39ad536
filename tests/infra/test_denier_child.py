"""The child of the denier ends by itself when nobody is left to end it."""

import subprocess
import sys

from lawful.infra.denier import CHILD
from tests.engines import eventually

ENDLESS = """
import json, subprocess, sys
pipe = subprocess.PIPE
command = [sys.executable, "-I", sys.argv[1], "128", "0.3"]
child = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
pairs = "some a in numbers.range(1, 9000); some b in numbers.range(1, 9000)"
rule = "package user\\nimport rego.v1\\ndeny contains 1 if { " + pairs + "; a + b == 0 }"
first = {"modules": [["a.rego", rule]], "rules": ["data.user.deny"], "data": {}}
child.stdin.write(json.dumps(first).encode() + b"\\n")
child.stdin.flush()
child.stdout.readline()
child.stdin.write(b"{}\\n" if sys.argv[2] == "busy" else b"")
child.stdin.flush()
print(child.pid, flush=True)
import os
os._exit(0)
"""


def _ends(how: str) -> None:
    run = subprocess.run([sys.executable, "-c", ENDLESS, str(CHILD), how], capture_output=True, check=True, timeout=30)
    pid = int(run.stdout)
    eventually(lambda: not _runs(pid))


def _runs(pid: int) -> bool:
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False, text=True)
    return found.returncode == 0 and not found.stdout.strip().startswith("Z")


def test_an_idle_child_ends_with_its_parent() -> None:
    """Its standard input closes."""
    _ends("idle")


def test_a_busy_child_ends_with_its_parent() -> None:
    """The kernel's timer ends an evaluation that nobody waits for."""
    _ends("busy")
