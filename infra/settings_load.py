"""Builds `Settings` from a file, the environment and the command line, and names what is wrong.

Sections of nested settings become prefixes: `kafka.bootstrap` is `LAWFUL_KAFKA_BOOTSTRAP` in the
environment and `bootstrap` under `[kafka]` in a file. Every text setting that is secret can also be
read from a file, whose name is in the variable of the same name with `_FILE` behind it.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from lawful.infra.settings import Settings
from lawful.infra.settings_parse import parse
from lawful.schemas.errors import ConfigurationError, Place
from lawful.schemas.secretfile import read_secret

PREFIX = "LAWFUL_"
CONFIG = "LAWFUL_CONFIG"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Given:
    """A value as it was found, and where, in words for an error message."""

    value: Any
    origin: str


def load_settings(
    env: Mapping[str, str],
    *,
    file: Path | None = None,
    overrides: Mapping[str, object] | None = None,
) -> Settings:
    """The settings of this process.

    Args:
        env: the environment; only `LAWFUL_*` is looked at.
        file: TOML or YAML; `LAWFUL_CONFIG` names one otherwise.
        overrides: from the command line, by dotted name; `None` values mean "not given".

    Raises:
        ConfigurationError: naming the setting, where its value came from, and what to do.
    """
    path = file or (Path(env[CONFIG]) if env.get(CONFIG) else None)
    given = _from_file(path) if path else {}
    given |= _from_environment(env)
    given |= {name: Given(value, "the command line") for name, value in (overrides or {}).items() if value is not None}
    known = dict(_walk(Settings))
    for name, found in given.items():
        if name not in known:
            raise ConfigurationError(f"unknown setting {name!r} in {found.origin}", hint=_suggestion(name, list(known)))
    return _build(Settings, "", given)


def variable(name: str) -> str:
    """The environment variable of a setting: `kafka.bootstrap` is `LAWFUL_KAFKA_BOOTSTRAP`."""
    return PREFIX + name.replace(".", "_").upper()


def catalogue() -> list[tuple[str, str, str]]:
    """Every setting: dotted name, environment variable, what it means."""
    return [(name, variable(name), item.metadata.get("help", "")) for name, item in _walk(Settings)]


def secret_files(env: Mapping[str, str]) -> list[tuple[str, Path]]:
    """Files that secrets are read from, by the variable that names them."""
    secret = {f"{variable(name)}_FILE" for name, item in _walk(Settings) if "secret" in item.metadata}
    return [(name, Path(env[name])) for name in sorted(secret & env.keys())]


def _walk(cls: type[Any], prefix: str = "") -> Iterator[tuple[str, Field[Any]]]:
    hints = get_type_hints(cls)
    for item in fields(cls):
        if is_dataclass(hints[item.name]):
            yield from _walk(hints[item.name], f"{prefix}{item.name}.")
        else:
            yield f"{prefix}{item.name}", item


def _build(cls: type[T], prefix: str, given: Mapping[str, Given]) -> T:
    hints = get_type_hints(cls)
    values: dict[str, Any] = {}
    for item in fields(cls):  # type: ignore[arg-type]
        name = f"{prefix}{item.name}"
        if is_dataclass(hints[item.name]):
            values[item.name] = _build(hints[item.name], f"{name}.", given)
        elif name in given:
            values[item.name] = parse(name, hints[item.name], item.metadata, given[name].value, given[name].origin)
    return cls(**values)


def _from_environment(env: Mapping[str, str]) -> dict[str, Given]:
    names = {variable(name): (name, item) for name, item in _walk(Settings)}
    found: dict[str, Given] = {}
    for key in sorted(key for key in env if key.startswith(PREFIX) and key != CONFIG):
        stem = key.removesuffix("_FILE")
        if key in names:
            found[names[key][0]] = Given(env[key], f"the environment variable {key}")
        elif stem != key and stem in names and "secret" in names[stem][1].metadata:
            if stem in env:
                raise ConfigurationError(f"both {stem} and {key} are set", hint="keep one of them")
            found[names[stem][0]] = Given(read_secret(Path(env[key]), key), f"the file named by {key}")
        elif close := get_close_matches(key, names, n=1, cutoff=0.9):
            # Other programs may have LAWFUL_* variables; one that looks misspelt must not be passed over.
            raise ConfigurationError(f"unknown environment variable {key}", hint=f"did you mean {close[0]}?")
    return found


def _from_file(path: Path) -> dict[str, Given]:
    text = _read(path, "the settings file")
    try:
        if path.suffix == ".toml":
            document: Any = tomllib.loads(text.decode())
        else:
            document = YAML(typ="safe").load(text.decode())
    except (tomllib.TOMLDecodeError, YAMLError, UnicodeDecodeError) as error:
        # Only the kind of error and its place: the parser's own message may quote a secret.
        mark = getattr(error, "problem_mark", None)
        place = Place(str(path), mark.line + 1, mark.column + 1) if mark else None
        raise ConfigurationError(
            f"the settings file {path} is not {'TOML' if path.suffix == '.toml' else 'YAML'}",
            place=place,
            hint="mend its syntax",
        ) from None
    if document is not None and not isinstance(document, Mapping):
        raise ConfigurationError(
            f"the settings file {path} holds no table of settings", hint="write `name: value` lines"
        )
    return dict(_flatten(document or {}, "", f"the settings file {path}"))


def _flatten(document: Mapping[str, Any], prefix: str, origin: str) -> Iterator[tuple[str, Given]]:
    for key, value in document.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}.", origin)
        else:
            yield f"{prefix}{key}", Given(value, origin)


def _read(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{what}: cannot read {path}: {error.strerror}", hint="check the name") from None


def _suggestion(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(known)}"
