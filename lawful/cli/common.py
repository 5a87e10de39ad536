"""What commands share: options, and how a command finds its settings."""

import logging
import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lawful.schemas.errors import ConfigurationError

if TYPE_CHECKING:
    from lawful.infra.installation import Installation
    from lawful.infra.settings import Settings


class Level(StrEnum):
    """How much a long-running process says."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output and nothing else.")]
Config = Annotated[
    Path | None, typer.Option("--config", help="TOML or YAML file of settings; LAWFUL_* variables win over it.")
]
Tenant = Annotated[str, typer.Option("--tenant", help="Whose events these are.")]
LogLevel = Annotated[Level, typer.Option("--log-level", help="How much to log; it changes no verdict.")]
DEFAULT_TENANT = "default"
DEFAULT_POLICY = "shopper"
"""On a laptop with the packs only, for events that name no policy. A worker by itself has no such default."""

NOTHING_RUNS = "no installation is running here"

# With any of these set, the operator has said where to go, and a running `lawful up` is not asked.
_SAYS_WHERE = ("LAWFUL_CONFIG", "LAWFUL_KAFKA_BOOTSTRAP", "LAWFUL_CLICKHOUSE_HOST")


def standard_input() -> str:
    """The text on standard input, whatever the locale says.

    Raises:
        ConfigurationError: it is not UTF-8.
    """
    try:
        return typer.get_text_stream("stdin", encoding="utf-8-sig", errors="strict").read()
    except UnicodeDecodeError:
        raise ConfigurationError("standard input is not UTF-8", hint="give a text in UTF-8") from None


def data_dir() -> Path:
    """The folder of `lawful up`."""
    return Path(os.environ.get("LAWFUL_DATA_DIR") or ".lawful")


def running() -> "Installation | None":
    """The installation that `lawful up` keeps running here, if there is one."""
    from lawful.infra.installation import FILE, Installation

    found = Installation.load(data_dir() / FILE)
    return found if found and found.alive else None


def says_where(config: Path | None) -> bool:
    """Whether the operator has named the installation, which then need not be on this machine."""
    return config is not None or any(os.environ.get(name) for name in _SAYS_WHERE)


def settings_of(config: Path | None = None, *, user: str = "officer", **overrides: object) -> "Settings":
    """The settings of this command: options, environment, file, a running `lawful up`, defaults.

    Args:
        config: the file that `--config` names.
        user: whom to be at the ClickHouse of a running `lawful up`: owner, writer or officer.
        overrides: from options; dots as double underscores.
    """
    from lawful.infra.settings_load import load_settings

    environment = dict(os.environ)
    if not says_where(config):
        found = running()
        environment = {**(found.environment(user) if found else {}), **environment}
    named = {name.replace("__", "."): value for name, value in overrides.items()}
    return load_settings(environment, file=config, overrides=named)


def settings_with_key(config: Path | None = None, *, user: str = "officer") -> "Settings":
    """Settings of a command that has to know people's pseudonyms.

    Raises:
        ConfigurationError: there is no key, with what to do about it.
    """
    settings = settings_of(config, user=user)
    if not settings.pseudonym_key:
        raise ConfigurationError(
            f"{NOTHING_RUNS}, and no pseudonym key is set",
            hint="start `lawful up` in another terminal, or set LAWFUL_PSEUDONYM_KEY_FILE and the addresses",
        )
    return settings


def identifier_of(text: str) -> tuple[str, str]:
    """`scheme=value` as a pair.

    Raises:
        ConfigurationError: it is not of that form.
    """
    scheme, separator, value = text.partition("=")
    if not separator or not scheme.strip() or not value.strip():
        raise ConfigurationError(
            "a subject is given as scheme=value", hint="for example email=ada@example.com or customer_id=C-1042"
        )
    return scheme.strip(), value.strip()


def when_ready(what: str, settings: "Settings", file: Path | None) -> Callable[[], None]:
    """Tells readiness: one line for whoever started it by hand, and a file for whoever watches.

    A log in JSON gets no line that is none.
    """
    from lawful.cli.console import say
    from lawful.infra.compose_root import touch
    from lawful.infra.settings import LogFormat

    def ready() -> None:
        if settings.log_format is LogFormat.TEXT and logging.getLogger().isEnabledFor(logging.WARNING):
            say(f"{what}: ready, reading from Kafka at {settings.kafka.bootstrap}; Ctrl-C stops it")
        touch(file)()

    return ready


def one_thread() -> None:
    """Have matrix products use one core, as extraction's own processes do: more gain nothing on short texts.

    Of use before numpy is loaded.
    """
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
