"""What a decision costs with other packages, and which of P1 to P4 they can see, on the same events.

A predicate counts as detected where the session that breaks it is stopped and the same session without the fault goes
through. Packages are installed into an environment that is thrown away; one that cannot be is reported with the reason.
"""

import json
import math
import statistics
import subprocess
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import uuid4

from lawful.infra.bench.machine import machine, versions
from lawful.infra.bench.peer_scripts import HARNESS, SCRIPTS
from lawful.infra.bench.pipeline import spread
from lawful.infra.compose_root import kernel
from lawful.infra.settings_load import load_settings
from lawful.policies.load import load_pack
from lawful.schemas.event import (
    AgentEvent,
    ConsentGiven,
    DataSubjectRequest,
    Identifier,
    Payload,
    RequestKind,
    ToolCall,
)
from lawful.schemas.verdict import Decision
from lawful.streams.inprocess import InProcessTransport
from lawful.streams.kernel import Kernel

Progress = Callable[[str, float], None]
PEERS: Final = tuple(SCRIPTS)
OURS: Final = "lawful"
_PACK: Final = "shopper"
_KEY: Final = "the key of a benchmark, not a secret"
_RUN_SECONDS: Final = 180.0
_LAST_WORDS: Final = 160
_MAIL, _FIND = "send_marketing_email", "find_user_id_by_email"
_TEXTS: Final = ("Our new shoes are here.", "Ten per cent off until Sunday.", "Your size is back in stock.")
_CARD: Final = "We still have your card 4111 1111 1111 1111."
_BEGIN: Final = 1_700_000_000_000_000


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        events: that each decides on.
        rounds: how often.
        minutes: for installing one package.
        packages: which.
        environments: a folder with environments `venv-PACKAGE` made before; none are made then.
        whole: minutes after which no further package is begun.
    """

    events: int = 500
    rounds: int = 3
    minutes: float = 10.0
    packages: tuple[str, ...] = PEERS
    environments: Path | None = None
    whole: float = math.inf


class NotMeasured(Exception):
    """A package cannot be measured here; says why."""


def bench_peers(size: Size, progress: Progress) -> dict[str, Any]:
    """Measures ours, then each package.

    Args:
        size: how much.
        progress: told what is done, and how many packages.
    """
    progress(OURS, 0)
    found: dict[str, Any] = {OURS: ours(size)}
    until = time.monotonic() + size.whole * 60
    for number, package in enumerate(size.packages, start=1):
        progress(package, number)
        if time.monotonic() > until:
            found[package] = {"reason": f"{size.whole:g} minutes were over; run `lawful bench peers --only {package}`"}
            continue
        try:
            found[package] = _measured(package, size)
        except NotMeasured as reason:
            found[package] = {"reason": str(reason)}
    mine = found[OURS]["ms_per_event"]["median"]
    for one in found.values():
        if "ms_per_event" in one:
            one["to_ours"] = round(one["ms_per_event"]["median"] / max(mine, 1e-6), 2)
    return {"machine": machine(), "versions": versions(), "events": size.events, "rounds": size.rounds, "peers": found}


# --- the events ---------------------------------------------------------------------------------


def everyday(count: int) -> list[AgentEvent]:
    """Calls of two tools, for as many people."""
    return [
        _call(_MAIL, f"{number}", body=_TEXTS[number % len(_TEXTS)]) if number % 2 else _call(_FIND, f"{number}")
        for number in range(count)
    ]


def cases() -> dict[str, list[AgentEvent]]:
    """For each predicate a session that breaks it with its last event, and one that is the same but for the fault."""
    consent = _event(ConsentGiven(("marketing.communications",)), "1")
    erasure = _event(DataSubjectRequest(RequestKind.ERASURE, "request-1"), "1")
    return {
        "P1 bad": [_call(_MAIL, "1", body=_TEXTS[0])],
        "P1 good": [consent, _call(_MAIL, "1", body=_TEXTS[0])],
        "P2 bad": [_call(_FIND, "1", purposes=("never.declared",))],
        "P2 good": [_call(_FIND, "1")],
        "P3 bad": [consent, _call(_MAIL, "1", body=_CARD)],
        "P3 good": [consent, _call(_MAIL, "1", body=_TEXTS[0])],
        "P4 bad": [_call(_FIND, "1"), erasure, _call(_FIND, "1")],
        "P4 good": [_call(_FIND, "1"), _call(_FIND, "1")],
    }


def _call(tool: str, who: str, purposes: tuple[str, ...] = (), **more: str) -> AgentEvent:
    address = f"person{who}@example.com"
    arguments = {"to": address, **more} if tool == _MAIL else {"email": address}
    return _event(ToolCall(tool, "call", json.dumps(arguments)), who, purposes)


def _event(payload: Payload, who: str, purposes: tuple[str, ...] = ()) -> AgentEvent:
    return AgentEvent(
        event_id="",
        occurred_at=_BEGIN,
        tenant_id="bench",
        source="urn:lawful:bench",
        agent_id="agent",
        session_id=f"session-{who}",
        payload=payload,
        subjects=(Identifier("email", f"person{who}@example.com"),),
        purposes=purposes,
        policy_id=_PACK,
    )


# --- ours ---------------------------------------------------------------------------------------


def ours(size: Size) -> dict[str, Any]:
    """The kernel in this process, with extraction, state and audit record."""
    parts = kernel(load_settings({"LAWFUL_PSEUDONYM_KEY": _KEY, "LAWFUL_DEFAULT_POLICY": _PACK}))
    stopped = {name: _ends_stopped(parts, events) for name, events in cases().items()}
    with _transport(parts) as transport:
        _decide(transport, everyday(10))
        rounds = [statistics.median(_decide(transport, everyday(size.events))[1]) for _ in range(size.rounds)]
    return {"version": versions()["lawful"], "ms_per_event": spread(rounds, 3), "detects": detected(stopped)}


def _transport(parts: Kernel) -> "closing[InProcessTransport]":
    """With nothing remembered."""
    return closing(InProcessTransport(parts.policies, parts.extractor, parts.pseudonymiser))


def _ends_stopped(parts: Kernel, events: Sequence[AgentEvent]) -> bool:
    with _transport(parts) as transport:
        return _decide(transport, events)[0] is not Decision.FORWARD


def _decide(transport: InProcessTransport, events: Sequence[AgentEvent]) -> tuple[Decision, list[float]]:
    times, decision = [], Decision.BLOCK
    for event in _numbered(events):
        begun = time.perf_counter()
        decision = transport.submit(event).result(60).decision
        times.append((time.perf_counter() - begun) * 1_000)
    return decision, times


def _numbered(events: Sequence[AgentEvent]) -> list[AgentEvent]:
    return [replace(event, event_id=str(uuid4())) for event in events]


def detected(stopped: Mapping[str, bool]) -> dict[str, str]:
    """By predicate: `yes` where only the faulty session is stopped; `both` and `no` are of no use."""
    words = {(True, False): "yes", (True, True): "both", (False, False): "no", (False, True): "no"}
    return {f"P{n}": words[stopped[f"P{n} bad"], stopped[f"P{n} good"]] for n in range(1, 5)}


# --- the others ---------------------------------------------------------------------------------


def _measured(package: str, size: Size) -> dict[str, Any]:
    with TemporaryDirectory(prefix="lawful-peer-") as folder:
        if size.environments is None:
            python = _installed(package, Path(folder), size.minutes)
        else:
            python = size.environments / f"venv-{package}" / "bin" / "python"
        given = Path(folder) / "given.json"
        given.write_text(json.dumps(_document(size)), encoding="utf-8")
        said = _run([str(python), "-c", SCRIPTS[package] + HARNESS, str(given), package], _RUN_SECONDS, "running")
    line = next((line for line in said.splitlines() if line.startswith("JSON ")), None)
    if line is None:
        raise NotMeasured("it said nothing")
    found = json.loads(line.removeprefix("JSON "))
    return {
        "version": found["version"],
        "ms_per_event": spread(found["rounds"], 3),
        "detects": detected(found["stopped"]),
    }


def _document(size: Size) -> dict[str, Any]:
    return {
        "events": [_plain(each) for each in everyday(size.events)],
        "cases": {name: [_plain(each) for each in events] for name, events in cases().items()},
        "purposes": sorted(load_pack(_PACK).purposes),
        "rounds": size.rounds,
    }


def _plain(event: AgentEvent) -> dict[str, Any]:
    call = event.payload if isinstance(event.payload, ToolCall) else None
    bound = {_MAIL: "marketing.communications", _FIND: "essential.service.operations.support"}
    tool = call.tool if call else ""
    return {
        "kind": event.kind.value,
        "tool": tool,
        "text": call.arguments if call else "",
        "purpose": event.purposes[0] if event.purposes else bound.get(tool, "essential.service.operations.support"),
        "subject": event.subjects[0].value,
    }


def _installed(package: str, folder: Path, minutes: float) -> Path:
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    arguments = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", package]
    _run(arguments, minutes * 60, "installing")
    return python


def _run(arguments: Sequence[str], seconds: float, what: str) -> str:
    """Runs a program to its end; gives what it printed.

    Raises:
        NotMeasured: it fails or takes too long.
    """
    try:
        done = subprocess.run(list(arguments), capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise NotMeasured(f"{what} it took more than {seconds:.0f} s") from None
    except OSError as error:
        raise NotMeasured(f"{what} it failed: {type(error).__name__}") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise NotMeasured(f"{what} it failed: {last[:_LAST_WORDS]}")
    return done.stdout
