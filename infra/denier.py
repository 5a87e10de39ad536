"""Runs policies' own Rego rules, each policy's in a child process with limits of its own.

A rule is somebody's program: it may run for ever, or take all memory. So it never runs in a worker.
The child has no environment and no files to write; it is killed when it is late, and a fresh one
answers the next event.
"""

import contextlib
import json
import logging
import os
import selectors
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final

from lawful.policies.model import Policy, RegoRules
from lawful.policies.rego.denying import CRASHED, FAILED, MALFORMED, TIMEOUT, Denial, DenierFailed, read_denials
from lawful.policies.rego.document import taxonomy_document
from lawful.schemas.errors import ConfigurationError

log = logging.getLogger(__name__)

CHILD: Final = Path(__file__).with_name("denier_child.py")
START_SECONDS: Final = 10.0
SPARE_SECONDS: Final = 1.0
"""By how much the child's own timer is behind ours: it counts only if we are gone."""

MOST_CHILDREN: Final = 16
LARGEST_ANSWER: Final = 262_144
_CHUNK: Final = 65_536


class RegoDenier:
    """The port `Denier` on child processes. Safe to share by threads: they take turns."""

    def __init__(self) -> None:
        self._children: OrderedDict[RegoRules, _Child] = OrderedDict()
        self._turn = threading.Lock()

    def deny(self, rules: RegoRules, document: str) -> tuple[Denial, ...]:
        """See `lawful.policies.rego.denying.Denier`. Costs a fraction of a millisecond and the rules' own time."""
        with self._turn:
            try:
                values = self._child(rules).ask(document)
                return tuple(dict.fromkeys(each for value in values for each in read_denials(value)))
            except DenierFailed as error:
                log.warning("a policy's Rego rules gave no answer: %s", error.reason)
                if error.reason != FAILED:
                    self._drop(rules)
                raise

    def warm(self, policies: Iterable[Policy]) -> None:
        """Starts the children of these policies, so that no event waits for it.

        Raises:
            ConfigurationError: one does not start.
        """
        for policy in policies:
            if policy.rego is None:
                continue
            try:
                with self._turn:
                    self._child(policy.rego)
            except DenierFailed as error:
                self.close()
                raise ConfigurationError(
                    f"the Rego rules of the policy '{policy.id}' do not start: {error.reason}",
                    hint="they may need more rego.memory_mb",
                ) from None

    def pid(self, rules: RegoRules) -> int | None:
        """The process that runs these rules, if one does."""
        child = self._children.get(rules)
        return None if child is None else child.pid

    def close(self) -> None:
        """Ends all children."""
        with self._turn:
            for rules in list(self._children):
                self._drop(rules)

    def _child(self, rules: RegoRules) -> "_Child":
        child = self._children.get(rules)
        if child is None:
            while len(self._children) >= MOST_CHILDREN:
                self._drop(next(iter(self._children)))
            child = self._children[rules] = _Child(rules)
            try:
                child.load()
            except DenierFailed:
                self._drop(rules)
                raise
        self._children.move_to_end(rules)
        return child

    def _drop(self, rules: RegoRules) -> None:
        child = self._children.pop(rules, None)
        if child is not None:
            child.kill()


class _Child:
    """One process. After any failure but that of a rule it is of no use any more."""

    def __init__(self, rules: RegoRules) -> None:
        self._rules = rules
        self._limit = rules.limit_ms / 1_000
        arguments = (str(rules.memory_mb), str(self._limit + SPARE_SECONDS))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(CHILD), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                env={name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
                start_new_session=True,
            )
        except OSError:
            raise DenierFailed(CRASHED) from None
        self.pid = self._process.pid
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)

    def load(self) -> None:
        """Gives the child its modules; returns when it has read them."""
        first = {"modules": self._rules.modules, "rules": self._rules.names, "data": taxonomy_document()}
        if self._exchange(json.dumps(first), START_SECONDS) != "ready":
            raise DenierFailed(MALFORMED)

    def ask(self, document: str) -> list[object]:
        """What each rule gives for a document."""
        found = self._exchange(document, self._limit)
        if found is None:
            raise DenierFailed(FAILED)
        if not isinstance(found, list) or len(found) != len(self._rules.names):
            raise DenierFailed(MALFORMED)
        return found

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self._process.wait()
        for pipe in self._pipes():
            with contextlib.suppress(OSError):
                pipe.close()

    def _pipes(self) -> tuple[IO[bytes], ...]:
        return tuple(pipe for pipe in (self._process.stdin, self._process.stdout) if pipe is not None)

    def _exchange(self, line: str, seconds: float) -> object:
        deadline = time.monotonic() + seconds
        try:
            return json.loads(self._answer(line.encode() + b"\n", deadline))
        except (OSError, EOFError):
            raise DenierFailed(CRASHED) from None
        except (ValueError, RecursionError):
            raise DenierFailed(MALFORMED) from None

    def _answer(self, line: bytes, deadline: float) -> bytes:
        to, back = (pipe.fileno() for pipe in self._pipes())
        got = b""
        with selectors.DefaultSelector() as selector:
            selector.register(to, selectors.EVENT_WRITE)
            selector.register(back, selectors.EVENT_READ)
            while not got.endswith(b"\n"):
                # An answer that is there is taken, even if we come late for it.
                ready = {key.fd for key, _ in selector.select(max(0.0, deadline - time.monotonic()))}
                if not ready:
                    raise DenierFailed(TIMEOUT)
                if to in ready:
                    line = line[os.write(to, line) :]
                    if not line:
                        selector.unregister(to)
                if back in ready:
                    data = os.read(back, _CHUNK)
                    got += data
                    if not data:
                        raise EOFError
                    if len(got) > LARGEST_ANSWER:
                        raise DenierFailed(MALFORMED)
        return got
