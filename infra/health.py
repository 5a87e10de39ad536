"""What `lawful doctor` looks at: one function per thing that can be wrong, each with its remedy.

A check never raises: what it finds, or what kept it from finding out, is its answer.
"""

import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec

from lawful.infra.findings import Finding, State
from lawful.infra.settings import ClickHouseSettings, Settings
from lawful.schemas.errors import ConfigurationError, LawfulError, RetryLater

OLDEST, NEWEST = (3, 11), (3, 13)
PIPELINE = ("faust", "presidio_analyzer", "spacy", "clickhouse_connect", "pydantic", "rocksdict", "phonenumbers")
EMBEDDED = ("noida_db", "chdb")
KNOCK_SECONDS = 2.0
# What to do about a part that does not answer, and about one that refuses us.
_START = {
    "Kafka": "start `lawful up`, or set LAWFUL_KAFKA_BOOTSTRAP",
    "ClickHouse": "start `lawful up`, or set LAWFUL_CLICKHOUSE_HOST and LAWFUL_CLICKHOUSE_PORT",
}
_LOGIN = {
    "Kafka": "check LAWFUL_KAFKA_*",
    "ClickHouse": "check LAWFUL_CLICKHOUSE_USER, _PASSWORD and _DATABASE; lawful migrate makes the database",
}
_AGAIN = "mend what is named, then run `lawful doctor` again"


def examine(settings: Settings, env: Mapping[str, str], logins: Sequence[ClickHouseSettings] = ()) -> Iterator[Finding]:
    """Looks at everything, the cheap things first.

    Args:
        settings: of the installation.
        env: the environment, for the names of files with secrets.
        logins: ClickHouse's users whose rights are to be looked at; the settings' own by default.
    """
    from lawful.infra.health_machine import examine_machine  # noqa: PLC0415 - it needs `Finding`

    yield _python()
    yield _packages("pipeline", PIPELINE, State.WRONG)
    yield _packages("embedded", EMBEDDED, State.NOTE)
    yield _attempt("language model", lambda: _model(settings))
    yield _attempt("pseudonym key", lambda: _key(settings))
    yield _attempt("policies", lambda: _policies(settings))
    yield from examine_machine(settings, env)
    yield from _kafka(settings)
    yield from _clickhouse(settings, logins or (settings.clickhouse,))


def _attempt(what: str, check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except ConfigurationError as error:
        place = f"{error.place}: " if error.place else ""
        return Finding(what, State.WRONG, f"{place}{error.message}", error.hint or _AGAIN)
    except RetryLater as error:
        return Finding(what, State.WRONG, str(error), _START.get(what, _AGAIN))
    except LawfulError as error:
        return Finding(what, State.WRONG, str(error), _LOGIN.get(what, _AGAIN))
    except ModuleNotFoundError as error:
        return Finding(what, State.WRONG, f"{error.name} is not installed", "pip install 'lawful[pipeline]'")
    except Exception as error:  # noqa: BLE001 - the doctor has to finish the round
        return Finding(what, State.WRONG, f"could not be examined: {type(error).__name__}", _AGAIN)


def _attempts(what: str, checks: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """Several findings of one check; if it fails, what it had found by then is not told."""
    found: list[Finding] = []

    def check() -> Finding:
        found.extend(checks())
        return Finding(what, State.FINE, "")

    outcome = _attempt(what, check)
    return found if outcome.state is State.FINE else [outcome]


def _python() -> Finding:
    version = ".".join(str(part) for part in sys.version_info[:3])
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return Finding("Python", State.FINE, version)
    return Finding("Python", State.WRONG, version, "use Python 3.11, 3.12 or 3.13")


def _packages(extra: str, names: tuple[str, ...], when_missing: State) -> Finding:
    # What is loaded is there; some packages give a loaded module no spec, which `find_spec` takes for an error.
    missing = [name for name in names if name not in sys.modules and find_spec(name) is None]
    if not missing:
        return Finding(f"extra {extra}", State.FINE, "installed")
    return Finding(
        f"extra {extra}", when_missing, f"not installed: {', '.join(missing)}", f"pip install 'lawful[{extra}]'"
    )


def _model(settings: Settings) -> Finding:
    from lawful.extractors import build_extractor  # noqa: PLC0415 - slow to import
    from lawful.schemas.pseudonym import Pseudonymiser  # noqa: PLC0415 - beside it

    build_extractor(Pseudonymiser(master=b"doctor" * 3), model=settings.model)
    return Finding("language model", State.FINE, settings.model or "the one that comes along")


def _key(settings: Settings) -> Finding:
    settings.pseudonymiser()
    return Finding("pseudonym key", State.FINE, "set")


def _policies(settings: Settings) -> Finding:
    from lawful.infra.compose_root import policies  # noqa: PLC0415 - needs the pipeline's packages

    loaded = policies(settings)
    names = ", ".join(sorted(loaded.policies))
    if loaded.default is None:
        return Finding("policies", State.WRONG, f"{names}; no default", "set LAWFUL_DEFAULT_POLICY to one of them")
    return Finding("policies", State.FINE, f"{names}; {loaded.default} by default")


def _kafka(settings: Settings) -> Iterator[Finding]:
    from lawful.infra.kafka_admin import Problem, inspect_topics  # noqa: PLC0415 - needs the pipeline's packages

    found: list[Problem] = []

    def reach() -> Finding:
        _knock(settings.kafka.bootstrap)
        report = inspect_topics(settings)
        found.extend(report.problems)
        return Finding(
            "Kafka", State.FINE, f"{settings.kafka.bootstrap} answers; {len(report.topics)} topics looked at"
        )

    reached = _attempt("Kafka", reach)
    yield reached
    if reached.state is State.WRONG:
        return
    if not found:
        yield Finding("topics", State.FINE, "as they must be; the broker stamps records (LogAppendTime)")
    for problem in found:
        yield Finding(problem.topic, State.WRONG if problem.fatal else State.NOTE, problem.what, problem.hint)
    from lawful.infra.health_kafka import copies, progress  # noqa: PLC0415 - as above

    yield _attempt("copies", lambda: copies(settings))
    from lawful.infra.health_sealing import payload_key  # noqa: PLC0415 - as above

    yield _attempt("payload key", lambda: payload_key(settings))
    yield from _attempts("work that waits", lambda: progress(settings))


def _knock(bootstrap: str) -> None:
    """Whether anybody listens at one of the addresses; librdkafka would take long to say no.

    Raises:
        RetryLater: nobody does.
    """
    for address in bootstrap.split(","):
        place = address.strip().rpartition("://")[2]
        host, _, port = (place if ":" in place else f"{place}:9092").rpartition(":")
        with suppress(OSError, ValueError), socket.create_connection((host.strip("[]"), int(port)), KNOCK_SECONDS):
            return
    raise RetryLater(f"nobody answers at {bootstrap}")


def _clickhouse(settings: Settings, logins: Sequence[ClickHouseSettings]) -> Iterator[Finding]:
    def reach() -> Finding:
        from lawful.infra.health_clickhouse import migrations  # noqa: PLC0415 - slow to import

        return migrations(settings.clickhouse)

    reached = _attempt("ClickHouse", reach)
    yield reached
    if reached.state is State.WRONG and "not applied" not in reached.words:
        return
    from lawful.infra.health_clickhouse import linked, rights  # noqa: PLC0415 - slow to import

    for login in logins:
        yield _attempt(f"rights of {login.user}", partial(rights, login))
    yield _attempt("linked identifiers", lambda: linked(settings.clickhouse))
    from lawful.infra.health_chain import anchors, chain_key  # noqa: PLC0415 - it needs `Finding`

    yield chain_key(settings)
    yield from _attempts("anchors", lambda: anchors(settings))
